.input x f32[n, m]
.output y
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, >, 4, @long
RESHAPE r0, r0, [-1]
@long:
ELEMENTWISE_NEG r1, r0
STORE_TENSOR y, r1
