.input a f32[2]
LOAD_TENSOR r0, a
CAST r0, r0, to=i64
