.input a f32[2]
LOAD_TENSOR r0, a
@loop:
LOOP_BEGIN r1, 4, @done
CAST r2, r0, to=i64
MOVE_REG r0, r2
LOOP_END @loop
@done:
