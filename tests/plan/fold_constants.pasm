; Nodes that read constants alone are computed at once.

;;; arithmetic_of_constants
.const a f32[2] = {1, 2}
.input x f32[n, 2]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_ADD r1, a, 3.0
ELEMENTWISE_MUL r2, r1, r1
ELEMENTWISE_ADD r3, r0, r2
STORE_TENSOR y, r3
; plan fold_constants:
;   r0 f32[n, 2] = input x
;   c2 f32[2]
;   r1 f32[n, 2] = ELEMENTWISE_ADD r0, c2
;   output y = r1
; run: x=[[0 0]] -> y=[[16 25]]

;;; one_number
.input x f32[n, 2]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_SQRT r1, 64.0
ELEMENTWISE_DIV r2, r0, r1
STORE_TENSOR y, r2
; plan fold_constants:
;   r0 f32[n, 2] = input x
;   c1 f32[] = 8
;   r1 f32[n, 2] = ELEMENTWISE_DIV r0, c1
;   output y = r1

;;; shape_of_known_extents
.input x f32[4, 2]
.output y
LOAD_TENSOR r0, x
SHAPE_OF r1, r0
CAST r2, r1, to=f32
ELEMENTWISE_ADD r3, r0, r2
STORE_TENSOR y, r3
; plan fold_constants:
;   r0 f32[4, 2] = input x
;   c1 f32[2]
;   r1 f32[4, 2] = ELEMENTWISE_ADD r0, c1
;   output y = r1

;;; shape_of_symbols_stays
.input x f32[n, 2]
.output y
LOAD_TENSOR r0, x
SHAPE_OF r1, r0
CAST r2, r1, to=f32
ELEMENTWISE_ADD r3, r0, r2
STORE_TENSOR y, r3
; plan fold_constants:
;   r0 f32[n, 2] = input x
;   r1 i64[2] = SHAPE_OF r0
;   r2 f32[2] = CAST r1, to=f32
;   r3 f32[n, 2] = ELEMENTWISE_ADD r0, r2
;   output y = r3

;;; shape_of_symbols_folds_in_an_exact_box
.input x f32[n, 2]
.output y
LOAD_TENSOR r0, x
SHAPE_OF r1, r0
CAST r2, r1, to=f32
ELEMENTWISE_ADD r3, r0, r2
STORE_TENSOR y, r3
; plan specialise(n=5) fold_constants:
;   r0 f32[5, 2] = input x
;   c1 f32[2]
;   r1 f32[5, 2] = ELEMENTWISE_ADD r0, c1
;   output y = r1

;;; large_results_of_small_operands_stay
.input x f32[n]
.output y
LOAD_TENSOR r0, x
FILL r1, 1.0, [1024, 1024]
REDUCE_SUM r2, r1, axis=[0, 1]
ELEMENTWISE_ADD r3, r0, r2
STORE_TENSOR y, r3
; plan fold_constants:
;   r0 f32[n] = input x
;   c0 f32[] = 1
;   r1 f32[1024, 1024] = FILL c0, [1024, 1024]
;   r2 f32[] = REDUCE_SUM r1, axis=[0, 1]
;   r3 f32[n] = ELEMENTWISE_ADD r0, r2
;   output y = r3

;;; an_output_may_be_a_constant
.const a f32[2] = {1, 2}
.output y
ELEMENTWISE_NEG r1, a
STORE_TENSOR y, r1
; plan fold_constants:
;   c1 f32[2]
;   output y = c1
; run: -> y=[-1 -2]
