.const a f32[5] = {1, -2.5, nan, inf, bits(0x7fc00001)}
.const b f16[2] = {0.1, 65504}
.const "c:0" bool[2] = {true, false}
.const d i64[0] = {}
.const e u64[2, 2] = full(18446744073709551615)
.input "x/y" f32[..."] 
