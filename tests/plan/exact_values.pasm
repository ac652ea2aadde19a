; Graphs for single values of inputs, and elements of small integer tensors that are followed.

;;; a_target
.input x f32[n, 6]
.input target i64[2]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, target
RESHAPE r2, r0, r1
ELEMENTWISE_NEG r3, r2
STORE_TENSOR y, r3
; plan exact(target[0]=-1, target[1]=3):
;   r0 f32[n, 6] = input x
;   r1 f32[(2 * n), 3] = RESHAPE r0, [-1, 3]
;   r2 f32[(2 * n), 3] = ELEMENTWISE_NEG r1
;   output y = r2
; plan exact(target[0]=0, target[1]=6) forward_identities drop_dead trim_signature:
;   r0 f32[n, 6] = input x
;   r1 f32[n, 6] = ELEMENTWISE_NEG r0
;   output y = r1

;;; an_axis
.input x f32[n, m]
.input axis i64[1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, axis
REDUCE_MAX r2, r0, axis=r1
STORE_TENSOR y, r2
; plan exact(axis[0]=-2):
;   r0 f32[n, m] = input x
;   r1 f32[m] = REDUCE_MAX r0, axis=[-2]
;   output y = r1

;;; a_rank
.input x f32[n, 3]
.output y
LOAD_TENSOR r0, x
SQUEEZE r1, r0
STORE_TENSOR y, r1
; plan exact(n=1):
;   r0 f32[1, 3] = input x
;   r1 f32[3] = SQUEEZE r0
;   output y = r1
; plan exact(n=2):
;   r0 f32[2, 3] = input x
;   r1 f32[2, 3] = SQUEEZE r0
;   output y = r1

;;; bounds_of_any_sign
.input x f32[n, 3]
.input start i64[1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, start
SLICE r2, r0, r1, [9223372036854775807], axes=[0]
STORE_TENSOR y, r2
; plan drop_dead:
;   r0 f32[n, 3] = input x
;   r1 f32[(n - (((start[0] from end of n) min n) max 0)), 3] = SLICE r0, [start[0]], [9223372036854775807], axes=[0]
;   output y = r1

;;; a_difference_of_extents
.input x f32[n, 3]
.input z f32[m]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, z
SHAPE_OF r2, r0, end=1
SHAPE_OF r3, r1
ELEMENTWISE_SUB r4, r2, r3
ELEMENTWISE_NEG r5, r4
SLICE r6, r0, r5, r2, axes=[0]
STORE_TENSOR y, r6
; plan drop_dead:
;   r0 f32[n, 3] = input x
;   r1 f32[(n - ((((0 - (n - m)) from end of n) min n) max 0)), 3] = SLICE r0, [(0 - (n - m))], [n], axes=[0]
;   output y = r1

;;; a_quotient_and_a_remainder
.input x f32[n, 3]
.const one i64[1] = {1}
.const four i64[1] = {4}
.output y
LOAD_TENSOR r0, x
SHAPE_OF r1, r0, end=1
ELEMENTWISE_SUB r2, r1, one
ELEMENTWISE_DIV r3, r2, four
ELEMENTWISE_MOD r4, r1, four
CONCAT r5, [r3, r4], axis=0
FILL r6, 2.0, r5
STORE_TENSOR y, r6
; plan drop_dead:
;   c2 f32[] = 2
;   r0 f32[((n - 1) quot 4), (n % 4)] = FILL c2, [((n - 1) quot 4), (n % 4)]
;   output y = r0

;;; pads_turned_round
.input x f32[n, 3]
.const pads i64[2, 2] = {1, 2, 3, 4}
.output y
LOAD_TENSOR r0, x
LOAD_CONST r1, pads
SLICE r2, r1, [-1], [-9223372036854775807], axes=[0], steps=[-1]
TRANSPOSE r3, r2, perm=[1, 0]
RESHAPE r4, r3, [-1]
PAD r5, r0, r4
STORE_TENSOR y, r5
; plan drop_dead:
;   r0 f32[n, 3] = input x
;   r1 f32[(n + 7), 6] = PAD r0, [3, 1, 4, 2]
;   output y = r1
