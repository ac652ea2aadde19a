.input x f32[n, 3]
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, >, 4, @join
ELEMENTWISE_NEG r0, r0
@join:
TRANSPOSE r1, r0, perm=[1, 0, 2]
