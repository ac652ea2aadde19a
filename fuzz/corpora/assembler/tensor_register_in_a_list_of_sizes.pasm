.input x i64[1]
LOAD_TENSOR r0, x
FILL r1, 0.0, [r0, 2]
