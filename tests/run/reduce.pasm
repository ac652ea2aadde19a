; REDUCE_…, ARG_MAX, ARG_MIN, CUMSUM.

;;; sums
.input x f32[n, m]
.output all
.output rows
.output columns
.output kept
LOAD_TENSOR r0, x
REDUCE_SUM r1, r0
STORE_TENSOR all, r1
REDUCE_SUM r2, r0, axis=1
STORE_TENSOR rows, r2
REDUCE_SUM r3, r0, axis=0
STORE_TENSOR columns, r3
REDUCE_SUM r4, r0, axis=[-1], keepdims=true
STORE_TENSOR kept, r4
; run: x=[[1 2 3] [4 5 6]] -> all=21 rows=[6 15] columns=[5 7 9] kept=[[6] [15]]
; run: x=zeros[0, 3] -> all=0 rows=zeros[0] columns=[0 0 0] kept=zeros[0, 1]
; run: x=zeros[2, 0] -> all=0 rows=[0 0] columns=zeros[0] kept=[[0] [0]]
; run: x=[[5]] -> all=5 rows=[5] columns=[5] kept=[[5]]

;;; all_functions
.input x f32[n]
.output mean
.output max
.output min
.output product
.output l1
.output l2
.output log_sum
.output log_sum_exp
.output sum_square
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0
STORE_TENSOR mean, r1
REDUCE_MAX r2, r0
STORE_TENSOR max, r2
REDUCE_MIN r3, r0
STORE_TENSOR min, r3
REDUCE_PROD r4, r0
STORE_TENSOR product, r4
REDUCE_L1 r5, r0
STORE_TENSOR l1, r5
REDUCE_L2 r6, r0
STORE_TENSOR l2, r6
REDUCE_LOG_SUM r7, r0
STORE_TENSOR log_sum, r7
REDUCE_LOG_SUM_EXP r8, r0
STORE_TENSOR log_sum_exp, r8
REDUCE_SUM_SQUARE r9, r0
STORE_TENSOR sum_square, r9
; run: x=[3 -4 5 1] -> mean=1.25 max=5 min=-4 product=-60 l1=13 l2~=7.1414284 log_sum~=1.6094379 log_sum_exp~=5.1429925 sum_square=51
; run: x=zeros[0] -> mean=nan max=-inf min=inf product=1 l1=0 l2=0 log_sum=-inf log_sum_exp=-inf sum_square=0
; run: x=[1 nan] -> mean=nan max=nan min=nan product=nan l1=nan l2=nan log_sum=nan log_sum_exp=nan sum_square=nan
; run: x=[1000 1000] -> mean=1000 max=1000 min=1000 product=1e6 l1=2000 l2~=1414.2136 log_sum~=7.6009025 log_sum_exp~=1000.6931 sum_square=2e6
; run: x=[-inf -inf] -> mean=-inf max=-inf min=-inf product=inf l1=inf l2=inf log_sum=nan log_sum_exp=-inf sum_square=inf

;;; integers
.input x i32[n]
.output sum
.output mean
.output max
.output min
.output product
LOAD_TENSOR r0, x
REDUCE_SUM r1, r0
STORE_TENSOR sum, r1
REDUCE_MEAN r2, r0
STORE_TENSOR mean, r2
REDUCE_MAX r3, r0
STORE_TENSOR max, r3
REDUCE_MIN r4, r0
STORE_TENSOR min, r4
REDUCE_PROD r5, r0
STORE_TENSOR product, r5
; run: x=[7 -2 -8] -> sum=-3 mean=-1 max=7 min=-8 product=112
; run: x=[-7 2] -> sum=-5 mean=-2 max=2 min=-7 product=-14
; run: x=zeros[0] -> sum=0 mean=0 max=-2147483648 min=2147483647 product=1
; run: x=[2147483647 1] -> sum=-2147483648 mean=1073741824 max=2147483647 min=1 product=2147483647

;;; bytes
.input x u8[n, m]
.output max
.output min
.output sum
LOAD_TENSOR r0, x
REDUCE_MAX r1, r0, axis=0
STORE_TENSOR max, r1
REDUCE_MIN r2, r0, axis=0
STORE_TENSOR min, r2
REDUCE_SUM r3, r0, axis=0
STORE_TENSOR sum, r3
; run: x=[[200 1] [100 2]] -> max=[200 2] min=[100 1] sum=[44 3]
; run: x=zeros[0, 2] -> max=[0 0] min=[255 255] sum=[0 0]

;;; empty_axes
.input x f32[3, 2, 2]
.output absent
.output absent_none
.output empty_all
.output empty_none
.output squares
.const axes i64[0] = {}
LOAD_TENSOR r0, x
REDUCE_SUM r1, r0
STORE_TENSOR absent, r1
REDUCE_SUM r2, r0, empty=none
STORE_TENSOR absent_none, r2
REDUCE_MEAN r3, r0, axis=axes, keepdims=true
STORE_TENSOR empty_all, r3
REDUCE_SUM r4, r0, axis=[], empty=none
STORE_TENSOR empty_none, r4
REDUCE_SUM_SQUARE r5, r0, axis=[], empty=none
STORE_TENSOR squares, r5
; run: x=[[[1 2] [3 4]] [[5 6] [7 8]] [[9 10] [11 12]]] -> absent=78 absent_none=[[[1 2] [3 4]] [[5 6] [7 8]] [[9 10] [11 12]]] empty_all=[[[6.5]]] empty_none=[[[1 2] [3 4]] [[5 6] [7 8]] [[9 10] [11 12]]] squares=[[[1 4] [9 16]] [[25 36] [49 64]] [[81 100] [121 144]]]

;;; axes_from_a_tensor
.input x f32[n, m, k]
.input axes i64[a]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, axes
REDUCE_MAX r2, r0, axis=r1
STORE_TENSOR y, r2
; run: x=[[[1 2] [3 4]] [[5 6] [7 8]]] axes=[0 -1] -> y=[6 8]
; run: x=[[[1 2] [3 4]] [[5 6] [7 8]]] axes=[1] -> y=[[3 4] [7 8]]
; run: x=[[[1 2] [3 4]] [[5 6] [7 8]]] axes=zeros[0] -> y=8
; fails: x=[[[1 2] [3 4]]] axes=[3] -> "axis 3 is outside"
; fails: x=[[[1 2] [3 4]]] axes=[1 -2] -> "axis 1 is given twice"

;;; of_a_scalar
.input x f32[]
.output y
LOAD_TENSOR r0, x
REDUCE_SUM_SQUARE r1, r0
STORE_TENSOR y, r1
; run: x=3 -> y=9

;;; of_a_transposed_tensor
.input x f32[n, m]
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0
REDUCE_SUM r2, r1, axis=1
STORE_TENSOR y, r2
; run: x=[[1 2 3] [4 5 6]] -> y=[5 7 9]

;;; halves_sum_in_single_precision
.input x f16[n]
.output sum
.output mean
LOAD_TENSOR r0, x
REDUCE_SUM r1, r0
STORE_TENSOR sum, r1
REDUCE_MEAN r2, r0
STORE_TENSOR mean, r2
; run: x=full(2)[4096] -> sum=8192 mean=2
; run: x=full(800)[1000] -> sum=inf mean=800

;;; arguments
.input x f32[n, m]
.output max
.output last
.output min
.output columns
LOAD_TENSOR r0, x
ARG_MAX r1, r0, axis=1
STORE_TENSOR max, r1
ARG_MAX r2, r0, axis=-1, tie=last, keepdims=true
STORE_TENSOR last, r2
ARG_MIN r3, r0, axis=1
STORE_TENSOR min, r3
ARG_MAX r4, r0
STORE_TENSOR columns, r4
; run: x=[[1 5 5 2] [7 0 0 7]] -> max=[1 0] last=[[2] [3]] min=[0 1] columns=[1 0 0 1]
; run: x=[[nan 1 nan 3]] -> max=[0] last=[[2]] min=[0] columns=[0 0 0 0]
; fails: x=zeros[0, 4] -> "has no elements to choose from"
; fails: x=zeros[2, 0] -> "has no elements to choose from"

;;; arguments_of_integers
.input x i64[n]
.output y
LOAD_TENSOR r0, x
ARG_MAX r1, r0
STORE_TENSOR y, r1
; run: x=[9007199254740992 9007199254740993] -> y=1

;;; running_sums
.input x f32[n, m]
.output forward
.output exclusive
.output reverse
.output both
.output columns
LOAD_TENSOR r0, x
CUMSUM r1, r0, 1
STORE_TENSOR forward, r1
CUMSUM r2, r0, 1, exclusive=true
STORE_TENSOR exclusive, r2
CUMSUM r3, r0, -1, reverse=true
STORE_TENSOR reverse, r3
CUMSUM r4, r0, 1, exclusive=true, reverse=true
STORE_TENSOR both, r4
CUMSUM r5, r0, 0
STORE_TENSOR columns, r5
; run: x=[[1 2 3] [4 5 6]] -> forward=[[1 3 6] [4 9 15]] exclusive=[[0 1 3] [0 4 9]] reverse=[[6 5 3] [15 11 6]] both=[[5 3 0] [11 6 0]] columns=[[1 2 3] [5 7 9]]
; run: x=zeros[2, 0] -> forward=zeros[2, 0] exclusive=zeros[2, 0] reverse=zeros[2, 0] both=zeros[2, 0] columns=zeros[2, 0]

;;; running_sums_of_integers
.input x i64[n]
.output y
LOAD_TENSOR r0, x
CUMSUM r1, r0, 0
STORE_TENSOR y, r1
; run: x=[9223372036854775807 1 1] -> y=[9223372036854775807 -9223372036854775808 -9223372036854775807]
