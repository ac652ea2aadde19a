.input x f32[n, 64]
.const w f32[32, 8] = seeded(1)
LOAD_TENSOR r0, x
MATMUL r1, r0, w
