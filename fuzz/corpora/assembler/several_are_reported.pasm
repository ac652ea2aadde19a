.input x f32[2]
LOAD_TENSOR r0, x
SOFTMAX r1, r0, axis=5
SOFTMAX r2, r0, axis=6
