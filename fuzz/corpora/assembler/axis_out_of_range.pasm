.input x f32[n, 3]
LOAD_TENSOR r0, x
SOFTMAX r1, r0, axis=2
