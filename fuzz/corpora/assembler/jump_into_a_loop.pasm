JUMP @inside
@loop:
LOOP_BEGIN r0, 4, @done
@inside:
LOOP_END @loop
@done:
HALT
