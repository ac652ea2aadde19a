; SOFTMAX spelled out.

;;; along_the_last_axis
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, axis=[-1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_EXP r3, r2
REDUCE_SUM r4, r3, axis=[1], keepdims=true
ELEMENTWISE_DIV r5, r3, r4
STORE_TENSOR y, r5
; plan fuse_softmax:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = SOFTMAX r0, axis=1
;   output y = r1
; run: x=[[1000 1000 -1000 1001]] -> y~=[[0.21194157 0.21194157 0 0.5761169]]
; run: x=[[-inf -inf -inf -inf]] -> y=[[nan nan nan nan]]
; run: x=[[inf 1 2 3]] -> y=[[nan nan nan nan]]

;;; along_another_axis_times_the_reciprocal
.input x f32[batch, 3, n]
.output y
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, axis=[1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_EXP r3, r2
REDUCE_SUM r4, r3, axis=[1], keepdims=true
ELEMENTWISE_RECIPROCAL r5, r4
ELEMENTWISE_MUL r6, r5, r3
STORE_TENSOR y, r6
; plan fuse_softmax:
;   r0 f32[batch, 3, n] = input x
;   r1 f32[batch, 3, n] = SOFTMAX r0, axis=1
;   output y = r1
; run: x=[[[1 2] [3 4] [5 6]]] -> y~=[[[0.01587624 0.01587624] [0.11731042 0.11731042] [0.8668133 0.8668133]]]

;;; without_the_maximum
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_EXP r3, r0
REDUCE_SUM r4, r3, axis=[1], keepdims=true
ELEMENTWISE_DIV r5, r3, r4
STORE_TENSOR y, r5
; plan fuse_softmax:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = ELEMENTWISE_EXP r0
;   r2 f32[batch, 1] = REDUCE_SUM r1, axis=[1], keepdims=true
;   r3 f32[batch, 4] = ELEMENTWISE_DIV r1, r2
;   output y = r3

;;; different_axes
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, axis=[0], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_EXP r3, r2
REDUCE_SUM r4, r3, axis=[1], keepdims=true
ELEMENTWISE_DIV r5, r3, r4
STORE_TENSOR y, r5
; plan fuse_softmax:
;   r0 f32[batch, 4] = input x
;   r1 f32[1, 4] = REDUCE_MAX r0, axis=[0], keepdims=true
;   r2 f32[batch, 4] = ELEMENTWISE_SUB r0, r1
;   r3 f32[batch, 4] = ELEMENTWISE_EXP r2
;   r4 f32[batch, 1] = REDUCE_SUM r3, axis=[1], keepdims=true
;   r5 f32[batch, 4] = ELEMENTWISE_DIV r3, r4
;   output y = r5

;;; over_two_axes
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_EXP r3, r2
REDUCE_SUM r4, r3, keepdims=true
ELEMENTWISE_DIV r5, r3, r4
STORE_TENSOR y, r5
; plan fuse_softmax:
;   r0 f32[batch, 4] = input x
;   r1 f32[1, 1] = REDUCE_MAX r0, keepdims=true
;   r2 f32[batch, 4] = ELEMENTWISE_SUB r0, r1
;   r3 f32[batch, 4] = ELEMENTWISE_EXP r2
;   r4 f32[1, 1] = REDUCE_SUM r3, keepdims=true
;   r5 f32[batch, 4] = ELEMENTWISE_DIV r3, r4
;   output y = r5

;;; a_dropped_axis_broadcasts_elsewhere
.input x f32[4, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, axis=[1]
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_EXP r3, r2
REDUCE_SUM r4, r3, axis=[1]
ELEMENTWISE_DIV r5, r3, r4
STORE_TENSOR y, r5
; plan fuse_softmax:
;   r0 f32[4, 4] = input x
;   r1 f32[4] = REDUCE_MAX r0, axis=[1]
;   r2 f32[4, 4] = ELEMENTWISE_SUB r0, r1
;   r3 f32[4, 4] = ELEMENTWISE_EXP r2
;   r4 f32[4] = REDUCE_SUM r3, axis=[1]
;   r5 f32[4, 4] = ELEMENTWISE_DIV r3, r4
;   output y = r5

;;; the_sum_is_an_output
.input x f32[batch, 4]
.output y
.output z
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, axis=[-1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_EXP r3, r2
REDUCE_SUM r4, r3, axis=[1], keepdims=true
ELEMENTWISE_DIV r5, r3, r4
STORE_TENSOR y, r5
STORE_TENSOR z, r4
; plan fuse_softmax:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 1] = REDUCE_MAX r0, axis=[-1], keepdims=true
;   r2 f32[batch, 4] = ELEMENTWISE_SUB r0, r1
;   r3 f32[batch, 4] = ELEMENTWISE_EXP r2
;   r4 f32[batch, 1] = REDUCE_SUM r3, axis=[1], keepdims=true
;   r5 f32[batch, 4] = ELEMENTWISE_DIV r3, r4
;   output y = r5
;   output z = r4

;;; the_maximum_of_another_tensor
.input x f32[batch, 4]
.input w f32[batch, 4]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r9, w
REDUCE_MAX r1, r9, axis=[-1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_EXP r3, r2
REDUCE_SUM r4, r3, axis=[1], keepdims=true
ELEMENTWISE_DIV r5, r3, r4
STORE_TENSOR y, r5
; plan fuse_softmax:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = input w
;   r2 f32[batch, 1] = REDUCE_MAX r1, axis=[-1], keepdims=true
;   r3 f32[batch, 4] = ELEMENTWISE_SUB r0, r2
;   r4 f32[batch, 4] = ELEMENTWISE_EXP r3
;   r5 f32[batch, 1] = REDUCE_SUM r4, axis=[1], keepdims=true
;   r6 f32[batch, 4] = ELEMENTWISE_DIV r4, r5
;   output y = r6

;;; a_maximum_that_is_subtracted_twice
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, axis=[-1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
SOFTMAX r3, r2
STORE_TENSOR y, r3
; plan fuse_softmax:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = SOFTMAX r0
;   output y = r1
; run: x=[[1000 1000 -1000 1001]] -> y~=[[0.21194157 0.21194157 0 0.5761169]]
; run: x=[[-inf -inf -inf -inf]] -> y=[[nan nan nan nan]]

;;; a_maximum_along_another_axis
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, axis=[0], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
SOFTMAX r3, r2
STORE_TENSOR y, r3
; plan fuse_softmax:
;   r0 f32[batch, 4] = input x
;   r1 f32[1, 4] = REDUCE_MAX r0, axis=[0], keepdims=true
;   r2 f32[batch, 4] = ELEMENTWISE_SUB r0, r1
;   r3 f32[batch, 4] = SOFTMAX r2
;   output y = r3
