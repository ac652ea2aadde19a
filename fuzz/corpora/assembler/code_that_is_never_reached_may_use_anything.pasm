.input x f32[n]
.output y
LOAD_TENSOR r0, x
STORE_TENSOR y, r0
HALT
ELEMENTWISE_NEG r1, r7
