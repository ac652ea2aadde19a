.input x f32[n]
.output y
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, ==, 0, @empty
STORE_TENSOR y, r0
STORE_TENSOR y, r0
HALT
@empty:
STORE_TENSOR y, 0.0
