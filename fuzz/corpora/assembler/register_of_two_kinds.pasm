.input x f32[n]
LOAD_TENSOR r0, x
QUERY_SHAPE r0, r0.dim(0)
