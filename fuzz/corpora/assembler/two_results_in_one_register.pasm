.input x f32[n]
LOAD_TENSOR r0, x
TOP_K r1, r1, r0, 1
