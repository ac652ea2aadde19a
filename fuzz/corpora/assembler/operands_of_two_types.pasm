.input a f32[2]
.input b i32[2]
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_ADD r2, r0, r1
