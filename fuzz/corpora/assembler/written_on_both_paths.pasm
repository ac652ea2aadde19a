.input x f32[n]
.output y
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, >, 4, @long
ELEMENTWISE_NEG r1, r0
JUMP @join
@long:
ELEMENTWISE_EXP r1, r0
@join:
STORE_TENSOR y, r1
