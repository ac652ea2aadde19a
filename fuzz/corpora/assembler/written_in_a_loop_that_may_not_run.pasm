.input x f32[n]
.output y
LOAD_TENSOR r0, x
@loop:
LOOP_BEGIN r2, n, @done
ELEMENTWISE_NEG r1, r0
LOOP_END @loop
@done:
STORE_TENSOR y, r1
