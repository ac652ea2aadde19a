@a:
LOOP_BEGIN r0, 4, @a_done
@b:
LOOP_BEGIN r1, 4, @b_done
LOOP_END @b
@a_done:
@b_done:
HALT
