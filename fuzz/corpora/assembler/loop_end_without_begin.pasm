@loop:
HALT
LOOP_END @loop
