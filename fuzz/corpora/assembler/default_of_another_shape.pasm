.const c i64[1] = {1}
.input x f32[2] = c
