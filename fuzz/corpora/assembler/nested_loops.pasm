.input x f32[n]
.output y
LOAD_TENSOR r0, x
@outer:
LOOP_BEGIN r1, 3, @outer_done
@inner:
LOOP_BEGIN r2, r1, @inner_done
ELEMENTWISE_ADD r0, r0, 1.0
LOOP_END @inner
@inner_done:
LOOP_END @outer
@outer_done:
STORE_TENSOR y, r0
