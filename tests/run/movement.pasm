; CONCAT, PAD, TILE, TRIANGULAR, FILL, RANGE, ONE_HOT and random numbers.

;;; concat_grows_a_cache
.input past f32[1, 2, p, 2]
.input current f32[1, 2, c, 2]
.output y
LOAD_TENSOR r0, past
LOAD_TENSOR r1, current
CONCAT r2, [r0, r1], axis=2
STORE_TENSOR y, r2
; run: past=zeros[1, 2, 0, 2] current=[[[[1 2]] [[3 4]]]] -> y=[[[[1 2]] [[3 4]]]]
; run: past=[[[[1 2]] [[3 4]]]] current=[[[[5 6]] [[7 8]]]] -> y=[[[[1 2] [5 6]] [[3 4] [7 8]]]]

;;; concat_extents_differ
.input a f32[...]
.input b f32[...]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
CONCAT r2, [r0, r1, r0], axis=-1
STORE_TENSOR y, r2
; run: a=[[1]] b=[[2 3]] -> y=[[1 2 3 1]]
; fails: a=[[1]] b=[[2] [3]] -> "axis 0"
; fails: a=[[1]] b=[2] -> "rank"

;;; pad_constant
.input x f32[n]
.input pads i64[2]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, pads
PAD r2, r0, r1
STORE_TENSOR y, r2
; run: x=[1 2] pads=[1 2] -> y=[0 1 2 0 0]
; run: x=iota[6] pads=[-2 -1] -> y=[2 3 4]
; run: x=iota[6] pads=[-3 2] -> y=[3 4 5 0 0]
; run: x=zeros[0] pads=[1 1] -> y=[0 0]
; fails: x=[1 2 3] pads=[-2 -2] -> "negative size"

;;; pad_modes
.input x f32[n]
.input pads i64[2]
.output reflected
.output edge
.output wrapped
LOAD_TENSOR r0, x
LOAD_TENSOR r1, pads
PAD r2, r0, r1, mode=reflect
PAD r3, r0, r1, mode=edge
PAD r4, r0, r1, mode=wrap
STORE_TENSOR reflected, r2
STORE_TENSOR edge, r3
STORE_TENSOR wrapped, r4
; run: x=[1 2 3] pads=[2 1] -> reflected=[3 2 1 2 3 2] edge=[1 1 1 2 3 3] wrapped=[2 3 1 2 3 1]
; run: x=iota[6] pads=[-3 2] -> reflected=[3 4 5 4 3] edge=[3 4 5 5 5] wrapped=[3 4 5 3 4]
; fails: x=iota[6] pads=[-5 5] -> "cannot be reflected"
; fails: x=zeros[0] pads=[1 0] -> "no element"

;;; pad_axes_and_value
.input x i32[2, n]
.const seven i32[] = {7}
.output y
LOAD_TENSOR r0, x
PAD r1, r0, [1, 1], value=seven, axes=[-1]
STORE_TENSOR y, r1
; run: x=[[1] [2]] -> y=[[7 1 7] [7 2 7]]

;;; tile
.input x f32[n, m]
.input repeats i64[2]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, repeats
TILE r2, r0, r1
STORE_TENSOR y, r2
; run: x=[[1 2] [3 4]] repeats=[2 2] -> y=[[1 2 1 2] [3 4 3 4] [1 2 1 2] [3 4 3 4]]
; run: x=[[1 2]] repeats=[0 2] -> y=zeros[0, 4]
; fails: x=[[1 2]] repeats=[-1 2] -> "repeated -1 times"

;;; triangular
.input x f32[n, m]
.input k i64[]
.output upper
.output lower
LOAD_TENSOR r0, x
LOAD_TENSOR r1, k
TRIANGULAR r2, r0, diagonal=r1
TRIANGULAR r3, r0, diagonal=r1, keep=lower
STORE_TENSOR upper, r2
STORE_TENSOR lower, r3
; run: x=ones[2, 3] k=0 -> upper=[[1 1 1] [0 1 1]] lower=[[1 0 0] [1 1 0]]
; run: x=ones[2, 3] k=-1 -> upper=[[1 1 1] [1 1 1]] lower=[[0 0 0] [1 0 0]]
; run: x=ones[2, 3] k=9223372036854775807 -> upper=zeros[2, 3] lower=ones[2, 3]
; run: x=zeros[0, 3] k=1 -> upper=zeros[0, 3] lower=zeros[0, 3]

;;; fill
.input shape i64[k]
.output y
LOAD_TENSOR r0, shape
FILL r1, 2.5, r0
STORE_TENSOR y, r1
; run: shape=[2 1] -> y=[[2.5] [2.5]]
; run: shape=zeros[0] -> y=2.5
; run: shape=[3 0] -> y=zeros[3, 0]
; fails: shape=[-2] -> "negative"
; fails: shape=[4611686018427387904 4] -> "resource exhausted"

;;; range_of_sizes
.input start i64[]
.input limit i64[]
.input step i64[]
.output y
LOAD_TENSOR r0, start
LOAD_TENSOR r1, limit
LOAD_TENSOR r2, step
RANGE r3, r0, r1, r2
STORE_TENSOR y, r3
; run: start=9223372036854775805 limit=9223372036854775807 step=1 -> y=[9223372036854775805 9223372036854775806]
; run: start=0 limit=10 step=-1 -> y=zeros[0]
; run: start=10 limit=0 step=-4 -> y=[10 6 2]
; fails: start=0 limit=10 step=0 -> "step is 0"
; fails: start=0 limit=9223372036854775807 step=1 -> "resource exhausted"

;;; range_of_decimals
.input start f32[]
.input limit f32[]
.input step f32[]
.output y
LOAD_TENSOR r0, start
LOAD_TENSOR r1, limit
LOAD_TENSOR r2, step
RANGE r3, r0, r1, r2
STORE_TENSOR y, r3
; run: start=0 limit=1 step=0.25 -> y=[0 0.25 0.5 0.75]
; run: start=1 limit=-1 step=-1 -> y=[1 0]
; fails: start=0 limit=nan step=1 -> "no length"
; fails: start=0 limit=1 step=1e-38 -> "64 bits"

;;; one_hot
.input indices i64[n]
.const values f32[2] = {2, 5}
.output last
.output first
LOAD_TENSOR r0, indices
ONE_HOT r1, r0, 3, values
ONE_HOT r2, r0, 3, values, axis=0
STORE_TENSOR last, r1
STORE_TENSOR first, r2
; run: indices=[0 -1 3] -> last=[[5 2 2] [2 2 5] [2 2 2]] first=[[5 2 2] [2 2 2] [2 5 2]]
; run: indices=zeros[0] -> last=zeros[0, 3] first=zeros[3, 0]

;;; random_numbers
.input n i64[]
.output within
LOAD_TENSOR r0, n
READ_SIZE r5, r0[0]
RANDOM_UNIFORM r1, [r5, 10], low=1.0, high=2.0, seed=3, to=f32
RANDOM_UNIFORM r2, [r5, 10], low=1.0, high=2.0, seed=4, to=f32
CONCAT r3, [r1, r2], axis=0
ELEMENTWISE_FLOOR r4, r3
STORE_TENSOR within, r4
; run: n=2 -> within=ones[4, 10]
; run: n=0 -> within=zeros[0, 10]

;;; no_memory_holds_it
.input x f32[n, 1]
.input shape i64[2]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, shape
BROADCAST_TO r2, r0, r1
ELEMENTWISE_ADD r3, r2, 1.0
REDUCE_SUM r4, r3, axis=[0, 1]
STORE_TENSOR y, r4
; run: x=[[1]] shape=[2 3] -> y=12
; fails: x=[[1]] shape=[2147483648 2147483648] -> "too large"
; fails: x=[[1]] shape=[536870912 2147483648] -> "memory limit"
