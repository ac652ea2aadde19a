.input x f32[n]
LOAD_TENSOR r0, x
QUERY_SHAPE r1, r0.dim(0)
QUERY_SHAPE r2, r1.dim(0)
