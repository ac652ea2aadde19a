; SCATTER_ELEMENTS and SCATTER_ND.

;;; elements_in_index_order
.input x f32[n]
.input indices i64[k]
.input updates f32[k]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, indices
LOAD_TENSOR r2, updates
SCATTER_ELEMENTS r3, r0, r1, r2
STORE_TENSOR y, r3
; run: x=[1 2 3] indices=[0 -1 0] updates=[10 20 30] -> y=[30 2 20]
; run: x=[1 2 3] indices=zeros[0] updates=zeros[0] -> y=[1 2 3]
; fails: x=[1 2 3] indices=[3] updates=[1] -> "index 3 is outside -3..2"
; fails: x=[1 2 3] indices=[-4] updates=[1] -> "index -4 is outside -3..2"

;;; elements_reduced
.input x f32[1, 3]
.input indices i32[1, 3]
.input updates f32[1, 3]
.output sum
.output product
.output largest
.output smallest
LOAD_TENSOR r0, x
LOAD_TENSOR r1, indices
LOAD_TENSOR r2, updates
SCATTER_ELEMENTS r3, r0, r1, r2, axis=1, reduction=add
SCATTER_ELEMENTS r4, r0, r1, r2, axis=1, reduction=mul
SCATTER_ELEMENTS r5, r0, r1, r2, axis=1, reduction=max
SCATTER_ELEMENTS r6, r0, r1, r2, axis=1, reduction=min
STORE_TENSOR sum, r3
STORE_TENSOR product, r4
STORE_TENSOR largest, r5
STORE_TENSOR smallest, r6
; run: x=[[1 2 3]] indices=[[1 1 0]] updates=[[5 -7 4]] -> sum=[[5 0 3]] product=[[4 -70 3]] largest=[[4 5 3]] smallest=[[1 -7 3]]
; run: x=[[1 2 3]] indices=[[1 1 0]] updates=[[nan 1 4]] -> sum=[[5 nan 3]] product=[[4 nan 3]] largest=[[4 nan 3]] smallest=[[1 nan 3]]

;;; slices
.input x f32[3, 2]
.input indices i64[k, 1]
.input updates f32[k, 2]
.output y
.output sum
LOAD_TENSOR r0, x
LOAD_TENSOR r1, indices
LOAD_TENSOR r2, updates
SCATTER_ND r3, r0, r1, r2
SCATTER_ND r4, r0, r1, r2, reduction=add
STORE_TENSOR y, r3
STORE_TENSOR sum, r4
; run: x=[[1 2] [3 4] [5 6]] indices=[[2] [0] [-1]] updates=[[10 10] [20 20] [30 30]] -> y=[[20 20] [3 4] [30 30]] sum=[[21 22] [3 4] [45 46]]

;;; single_elements
.input x i32[2, 3]
.input indices i64[k, 2]
.input updates i32[k]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, indices
LOAD_TENSOR r2, updates
SCATTER_ND r3, r0, r1, r2
STORE_TENSOR y, r3
; run: x=[[0 1 2] [3 4 5]] indices=[[1 2] [-2 -3]] updates=[50 60] -> y=[[60 1 2] [3 4 50]]
; fails: x=zeros[2, 3] indices=[[0 -4]] updates=[1] -> "index -4 is outside -3..2"
; fails: x=zeros[2, 3] indices=[[1 -9223372036854775808]] updates=[1] -> "index -9223372036854775808 is outside -3..2"
