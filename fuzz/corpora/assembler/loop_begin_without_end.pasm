@loop:
LOOP_BEGIN r0, 4, @done
@done:
HALT
