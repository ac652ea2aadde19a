.input x f32[n]
LOAD_TENSOR r0, x
QUERY_SHAPE r1, r0.dim(0)
MOVE_REG r1, r0
