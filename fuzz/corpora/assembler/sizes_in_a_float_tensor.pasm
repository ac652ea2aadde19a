.input a f32[2]
LOAD_TENSOR r0, a
RESHAPE r1, r0, r0
