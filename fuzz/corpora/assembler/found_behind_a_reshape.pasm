.input x f32[n, 4, 4]
LOAD_TENSOR r0, x
RESHAPE r1, r0, [-1, 16]
CONCAT r2, [r1, r0], axis=0
