.input x f32[n, 3]
.input y f32[n, 4]
LOAD_TENSOR r0, x
LOAD_TENSOR r1, y
ELEMENTWISE_ADD r2, r0, r1
