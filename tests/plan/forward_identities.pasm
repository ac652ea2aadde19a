; Nodes that only pass their operand on.

;;; reshape_to_the_same_shape
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
RESHAPE r1, r0, [batch, 4]
ELEMENTWISE_NEG r2, r1
STORE_TENSOR y, r2
; plan forward_identities drop_dead:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = ELEMENTWISE_NEG r0
;   output y = r1
; run: x=[[1 2 3 4]] -> y=[[-1 -2 -3 -4]]

;;; reshape_by_a_computed_extent
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
RESHAPE r1, r0, [0, -1]
ELEMENTWISE_NEG r2, r1
STORE_TENSOR y, r2
; plan forward_identities drop_dead:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = ELEMENTWISE_NEG r0
;   output y = r1

;;; reshape_to_another_shape_stays
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
RESHAPE r1, r0, [batch, 2, 2]
STORE_TENSOR y, r1
; plan forward_identities drop_dead:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 2, 2] = RESHAPE r0, [batch, 2, 2]
;   output y = r1

;;; two_transposes_are_not_merged_but_the_identity_goes
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0, perm=[0, 1]
TRANSPOSE r2, r1, perm=[1, 0]
STORE_TENSOR y, r2
; plan forward_identities drop_dead:
;   r0 f32[batch, 4] = input x
;   r1 f32[4, batch] = TRANSPOSE r0, perm=[1, 0]
;   output y = r1

;;; absent_permutation_reverses
.input x f32[batch, batch]
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0
STORE_TENSOR y, r1
; plan forward_identities drop_dead:
;   r0 f32[batch, batch] = input x
;   r1 f32[batch, batch] = TRANSPOSE r0
;   output y = r1

;;; cast_to_the_same_type
.input x f32[n]
.output y
LOAD_TENSOR r0, x
CAST r1, r0, to=f32
CAST r2, r1, to=i64
STORE_TENSOR y, r2
; plan forward_identities drop_dead:
;   r0 f32[n] = input x
;   r1 i64[n] = CAST r0, to=i64
;   output y = r1

;;; one_part_joined
.input x f32[n, 3]
.output y
LOAD_TENSOR r0, x
CONCAT r1, [r0], axis=1
ELEMENTWISE_ABS r2, r1
STORE_TENSOR y, r2
; plan forward_identities drop_dead:
;   r0 f32[n, 3] = input x
;   r1 f32[n, 3] = ELEMENTWISE_ABS r0
;   output y = r1

;;; whole_slice
.input x f32[n, 3]
.output y
LOAD_TENSOR r0, x
SLICE r1, r0, [0], [3], axes=[1]
SLICE r2, r1, [-1], [-4], axes=[1], steps=[-1]
STORE_TENSOR y, r2
; plan forward_identities drop_dead:
;   r0 f32[n, 3] = input x
;   r1 f32[n, 3] = SLICE r0, [-1], [-4], axes=[1], steps=[-1]
;   output y = r1

;;; an_input_becomes_the_output
.input x f32[n, 3]
.output y
LOAD_TENSOR r0, x
BROADCAST_TO r1, r0, [n, 3]
STORE_TENSOR y, r1
; plan forward_identities drop_dead:
;   r0 f32[n, 3] = input x
;   output y = r0
; run: x=[[1 2 3]] -> y=[[1 2 3]]
