.input x f32[n]
.output y
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, >, 4, @join
ELEMENTWISE_NEG r1, r0
@join:
STORE_TENSOR y, r1
