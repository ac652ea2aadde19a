.input x f32[n, 4]
.output y
LOAD_TENSOR r0, x
MOVE_REG r5, 0
@loop:
LOOP_BEGIN r1, n, @done
SIZE_ADD r2, r1, 1
SLICE r3, r0, r1, r2, axes=0
SIZE_ADD r5, r5, r2
LOOP_END @loop
@done:
STORE_TENSOR y, r0
