; Nodes that compute the same become one.

;;; same_operands
.input x f32[n, 3]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_EXP r1, r0
ELEMENTWISE_EXP r2, r0
ELEMENTWISE_ADD r3, r1, r2
STORE_TENSOR y, r3
; plan merge_equal drop_dead:
;   r0 f32[n, 3] = input x
;   r1 f32[n, 3] = ELEMENTWISE_EXP r0
;   r2 f32[n, 3] = ELEMENTWISE_ADD r1, r1
;   output y = r2
; run: x=[[0 0 0]] -> y=[[2 2 2]]

;;; chains_merge_from_front_to_back
.input x f32[n, 3]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_EXP r1, r0
ELEMENTWISE_EXP r2, r0
ELEMENTWISE_NEG r3, r1
ELEMENTWISE_NEG r4, r2
ELEMENTWISE_MUL r5, r3, r4
STORE_TENSOR y, r5
; plan merge_equal drop_dead:
;   r0 f32[n, 3] = input x
;   r1 f32[n, 3] = ELEMENTWISE_EXP r0
;   r2 f32[n, 3] = ELEMENTWISE_NEG r1
;   r3 f32[n, 3] = ELEMENTWISE_MUL r2, r2
;   output y = r3

;;; other_attribute
.input x f32[n, 3]
.output y
LOAD_TENSOR r0, x
SOFTMAX r1, r0, axis=0
SOFTMAX r2, r0, axis=1
ELEMENTWISE_ADD r3, r1, r2
STORE_TENSOR y, r3
; plan merge_equal drop_dead:
;   r0 f32[n, 3] = input x
;   r1 f32[n, 3] = SOFTMAX r0, axis=0
;   r2 f32[n, 3] = SOFTMAX r0, axis=1
;   r3 f32[n, 3] = ELEMENTWISE_ADD r1, r2
;   output y = r3

;;; other_order_of_operands
.input x f32[n, 3]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_SUB r1, r0, 1.0
ELEMENTWISE_SUB r2, 1.0, r0
ELEMENTWISE_ADD r3, r1, r2
STORE_TENSOR y, r3
; plan merge_equal drop_dead:
;   r0 f32[n, 3] = input x
;   c0 f32[] = 1
;   c1 f32[] = 1
;   r1 f32[n, 3] = ELEMENTWISE_SUB r0, c0
;   r2 f32[n, 3] = ELEMENTWISE_SUB c1, r0
;   r3 f32[n, 3] = ELEMENTWISE_ADD r1, r2
;   output y = r3

;;; random_rows_stay
.output y
RANDOM_UNIFORM r1, [3], to=f32
RANDOM_UNIFORM r2, [3], to=f32
ELEMENTWISE_ADD r3, r1, r2
STORE_TENSOR y, r3
; plan merge_equal drop_dead:
;   r0 f32[3] = RANDOM_UNIFORM [3], to=f32
;   r1 f32[3] = RANDOM_UNIFORM [3], to=f32
;   r2 f32[3] = ELEMENTWISE_ADD r0, r1
;   output y = r2

;;; both_are_outputs
.input x f32[n, 3]
.output y
.output z
LOAD_TENSOR r0, x
ELEMENTWISE_EXP r1, r0
ELEMENTWISE_EXP r2, r0
STORE_TENSOR y, r1
STORE_TENSOR z, r2
; plan merge_equal drop_dead:
;   r0 f32[n, 3] = input x
;   r1 f32[n, 3] = ELEMENTWISE_EXP r0
;   output y = r1
;   output z = r1
; run: x=[[0 0 0]] -> y=[[1 1 1]] z=[[1 1 1]]
