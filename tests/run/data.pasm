; Data and control rows: inputs, constants, moves, branches and loops.

;;; passes_through
.input a f32[...]
.output y
LOAD_TENSOR r0, a
STORE_TENSOR y, r0
; run: a=[1 2] -> y=[1 2]
; run: a=3 -> y=3
; run: a=zeros[0, 2] -> y=zeros[0, 2]

;;; last_store_counts
.input a f32[2]
.output y
LOAD_TENSOR r0, a
STORE_TENSOR y, r0
STORE_TENSOR y, 5.0
; run: a=[1 2] -> y=5

;;; constants_and_moves
.const c i32[2] = {3, -4}
.output y
.output size
LOAD_CONST r0, c
MOVE_REG r1, r0
STORE_TENSOR y, r1
MOVE_REG r2, 7
STORE_TENSOR size, r2
; run: -> y=[3 -4] size=7

;;; branches_on_a_tensor
.input flag bool[...]
.output y
LOAD_TENSOR r0, flag
BRANCH_IF r0, @yes
STORE_TENSOR y, 0.0
HALT
@yes:
STORE_TENSOR y, 1.0
; run: flag=true -> y=1
; run: flag=[false] -> y=0
; fails: flag=[true true] -> "one element"

;;; counted_loop
.input a f32[]
.input n i64[]
.output y
.output last
LOAD_TENSOR r0, a
LOAD_TENSOR r1, n
MOVE_REG r3, -1
@loop:
LOOP_BEGIN r2, r1, @done
ELEMENTWISE_ADD r0, r0, 1.0
MOVE_REG r3, r2
LOOP_END @loop
@done:
STORE_TENSOR y, r0
STORE_TENSOR last, r3
; run: a=1 n=3 -> y=4 last=2
; run: a=1 n=0 -> y=1 last=-1
; run: a=1 n=-5 -> y=1 last=-1
