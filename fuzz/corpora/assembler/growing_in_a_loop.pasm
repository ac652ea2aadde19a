.input x f32[1, 4]
.input n i64[1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, n
READ_SIZE r2, r1[0]
@loop:
LOOP_BEGIN r3, r2, @done
CONCAT r0, [r0, r0], axis=0
LOOP_END @loop
@done:
STORE_TENSOR y, r0
