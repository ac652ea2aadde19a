; Shapes, as far as they follow from the declarations.
;;; inner_extents_differ
.input x f32[n, 64]
.const w f32[32, 8] = seeded(1)
LOAD_TENSOR r0, x
MATMUL r1, r0, w ; error: 64

;;; shapes_do_not_broadcast
.input x f32[n, 3]
.input y f32[n, 4]
LOAD_TENSOR r0, x
LOAD_TENSOR r1, y
ELEMENTWISE_ADD r2, r0, r1 ; error: do not broadcast: 3 and 4

;;; axis_out_of_range
.input x f32[n, 3]
LOAD_TENSOR r0, x
SOFTMAX r1, r0, axis=2 ; error: axis 2 is outside -2..1

;;; found_behind_a_reshape
.input x f32[n, 4, 4]
LOAD_TENSOR r0, x
RESHAPE r1, r0, [-1, 16]
CONCAT r2, [r1, r0], axis=0 ; error: CONCAT

;;; several_are_reported
.input x f32[2]
LOAD_TENSOR r0, x
SOFTMAX r1, r0, axis=5 ; error: axis 5
SOFTMAX r2, r0, axis=6 ; error: axis 6

;;; shape_that_still_holds_after_a_join
.input x f32[n, 3]
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, >, 4, @join
ELEMENTWISE_NEG r0, r0
@join:
TRANSPOSE r1, r0, perm=[1, 0, 2] ; error: TRANSPOSE
