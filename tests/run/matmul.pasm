; MATMUL, MATMUL_INTEGER.

;;; matrices
.input a f32[m, k]
.input b f32[j, n]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
MATMUL r2, r0, r1
STORE_TENSOR y, r2
; run: a=[[1 2 3] [4 5 6]] b=[[1 0] [0 1] [1 1]] -> y=[[4 5] [10 11]]
; run: a=[[2]] b=[[3]] -> y=[[6]]
; run: a=ones[7, 300] b=ones[300, 70] -> y=full(300)[7, 70]
; run: a=ones[1, 1100] b=ones[1100, 37] -> y=full(1100)[1, 37]
; run: a=zeros[0, 3] b=ones[3, 2] -> y=zeros[0, 2]
; run: a=ones[2, 3] b=zeros[3, 0] -> y=zeros[2, 0]
; run: a=zeros[2, 0] b=zeros[0, 3] -> y=zeros[2, 3]
; run: a=[[inf 1] [nan 1] [1 1]] b=[[1 0] [1 1]] -> y=[[inf nan] [nan nan] [2 1]]
; fails: a=ones[2, 3] b=ones[4, 2] -> "lhs axis 1 is 3, rhs axis 0 is 4"

;;; constant_weights
.input a f32[m, 3]
.const w f32[3, 2] = {1, 2, 3, 4, 5, 6}
.output y
LOAD_TENSOR r0, a
MATMUL r1, r0, w
STORE_TENSOR y, r1
; run: a=[[1 1 1] [1 0 -1]] -> y=[[9 12] [-4 -4]]
; run: a=[[0 1 0]] -> y=[[3 4]]
; run: a=zeros[0, 3] -> y=zeros[0, 2]

;;; transposed_operands
.input a f32[k, m]
.input b f32[n, j]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
MATMUL r2, r0, r1, transpose_lhs=true, transpose_rhs=true
STORE_TENSOR y, r2
; run: a=[[1 4] [2 5] [3 6]] b=[[1 0 1] [0 1 1]] -> y=[[4 5] [10 11]]
; fails: a=ones[2, 3] b=ones[4, 3] -> "lhs axis 0 is 2, rhs axis 1 is 3"

;;; views_as_operands
.input a f32[m, k]
.input b f32[n, k]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
TRANSPOSE r2, r1, perm=[1, 0]
MATMUL r3, r0, r2
STORE_TENSOR y, r3
; run: a=[[1 2 3] [4 5 6]] b=[[1 0 1] [0 1 1]] -> y=[[4 5] [10 11]]

;;; batches_broadcast
.input a f32[p, q, m, k]
.input b f32[r, k, n]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
MATMUL r2, r0, r1
STORE_TENSOR y, r2
; run: a=[[[[1 2]]] [[[3 4]]]] b=[[[1] [0]] [[0] [1]]] -> y=[[[[1]] [[2]]] [[[3]] [[4]]]]
; run: a=ones[2, 3, 4, 5] b=ones[1, 5, 6] -> y=full(5)[2, 3, 4, 6]
; run: a=zeros[2, 0, 4, 5] b=ones[1, 5, 6] -> y=zeros[2, 0, 4, 6]
; fails: a=ones[2, 3, 4, 5] b=ones[2, 5, 6] -> "do not broadcast"

;;; vector_on_the_left
.input a f32[k]
.input b f32[k, n]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
MATMUL r2, r0, r1
STORE_TENSOR y, r2
; run: a=[1 10] b=[[1 2 3] [4 5 6]] -> y=[41 52 63]

;;; vector_on_the_right
.input a f32[b, m, k]
.input x f32[k]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, x
MATMUL r2, r0, r1
STORE_TENSOR y, r2
; run: a=[[[1 2 3] [4 5 6]]] x=[1 0 2] -> y=[[7 16]]

;;; two_vectors
.input a f32[k]
.output y
LOAD_TENSOR r0, a
MATMUL r1, r0, r0
STORE_TENSOR y, r1
; run: a=[1 2 3] -> y=14
; run: a=zeros[0] -> y=0

;;; f64
.input a f64[m, k]
.input b f64[k, n]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
MATMUL r2, r0, r1
STORE_TENSOR y, r2
; run: a=[[1 1e-12]] b=[[1] [1]] -> y=[[1.000000000001]]

;;; f16_is_rounded_once
.input a f16[m, k]
.input b f16[k, n]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
MATMUL r2, r0, r1
STORE_TENSOR y, r2
; run: a=[[2048 1 1]] b=[[1] [1] [1]] -> y=[[2050]]

;;; bf16
.input a bf16[m, k]
.input b bf16[k, n]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
MATMUL r2, r0, r1
STORE_TENSOR y, r2
; run: a=[[1 2] [3 4]] b=[[1 1] [1 -1]] -> y=[[3 -1] [7 -1]]

;;; i8_wraps
.input a i8[m, k]
.input b i8[k, n]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
MATMUL r2, r0, r1
STORE_TENSOR y, r2
; run: a=[[100 100]] b=[[2] [1]] -> y=[[44]]

;;; i64
.input a i64[m, k]
.input b i64[k, n]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
MATMUL r2, r0, r1
STORE_TENSOR y, r2
; run: a=[[1 2] [3 4]] b=[[10 0] [0 100]] -> y=[[10 200] [30 400]]

;;; integers_with_zero_points
.input a u8[m, k]
.input b i8[k, n]
.input zero_a u8[]
.input zero_b i8[n]
.output plain
.output shifted
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
LOAD_TENSOR r2, zero_a
LOAD_TENSOR r3, zero_b
MATMUL_INTEGER r4, r0, r1
STORE_TENSOR plain, r4
MATMUL_INTEGER r5, r0, r1, lhs_zero_point=r2, rhs_zero_point=r3
STORE_TENSOR shifted, r5
; run: a=[[1 2] [255 0]] b=[[1 -1] [2 -128]] zero_a=1 zero_b=[1 -1] -> plain=[[5 -257] [255 -255]] shifted=[[1 -127] [-1 127]]
; run: a=zeros[0, 2] b=zeros[2, 1] zero_a=0 zero_b=[0] -> plain=zeros[0, 1] shifted=zeros[0, 1]
; run: a=zeros[1, 0] b=zeros[0, 1] zero_a=9 zero_b=[9] -> plain=[[0]] shifted=[[0]]
