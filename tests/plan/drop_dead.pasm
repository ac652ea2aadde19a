; What nobody reads goes.

;;; unread_nodes
.input x f32[n, 3]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_EXP r1, r0
ELEMENTWISE_NEG r2, r1
ELEMENTWISE_ABS r3, r0
STORE_TENSOR y, r3
; plan drop_dead:
;   r0 f32[n, 3] = input x
;   r1 f32[n, 3] = ELEMENTWISE_ABS r0
;   output y = r1

;;; unread_parts_stay
.input x f32[n, 6]
.output y
LOAD_TENSOR r0, x
SPLIT [r1, r2, r3], r0, axis=1
STORE_TENSOR y, r2
; plan drop_dead:
;   r0 f32[n, 6] = input x
;   r1 f32[n, 2], r2 f32[n, 2], r3 f32[n, 2] = SPLIT r0, axis=1
;   output y = r2
; run: x=[[1 2 3 4 5 6]] -> y=[[3 4]]

;;; unread_optional_results_stay
.input x f32[n, 6]
.output y
LOAD_TENSOR r0, x
LAYER_NORM r1, r0, mean=r2
STORE_TENSOR y, r1
; plan drop_dead:
;   r0 f32[n, 6] = input x
;   r1 f32[n, 6], r2 f32[n, 1], _ = LAYER_NORM r0
;   output y = r1

;;; the_last_store_counts
.input x f32[n]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_EXP r1, r0
STORE_TENSOR y, r1
ELEMENTWISE_NEG r2, r0
STORE_TENSOR y, r2
; plan drop_dead:
;   r0 f32[n] = input x
;   r1 f32[n] = ELEMENTWISE_NEG r0
;   output y = r1

;;; shape_arithmetic_leaves_no_node
.const rest i64[1] = {-1}
.input x f32[batch, seq, 8]
.output y
LOAD_TENSOR r0, x
SHAPE_OF r1, r0
SLICE r2, r1, [0], [1]
CONCAT r3, [r2, rest], axis=0
RESHAPE r4, r0, r3
STORE_TENSOR y, r4
; plan drop_dead:
;   r0 f32[batch, seq, 8] = input x
;   r1 f32[batch, (8 * seq)] = RESHAPE r0, [batch, -1]
;   output y = r1
