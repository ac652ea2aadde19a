; GATHER, GATHER_ELEMENTS and GATHER_ND.

;;; rows
.input x f32[n, 2]
.input indices i64[...]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, indices
GATHER r2, r0, r1
STORE_TENSOR y, r2
; run: x=[[1 2] [3 4] [5 6]] indices=[2 -3] -> y=[[5 6] [1 2]]
; run: x=[[1 2] [3 4] [5 6]] indices=1 -> y=[3 4]
; run: x=[[1 2] [3 4] [5 6]] indices=[[0] [-1]] -> y=[[[1 2]] [[5 6]]]
; run: x=zeros[0, 2] indices=zeros[0] -> y=zeros[0, 2]
; fails: x=zeros[0, 2] indices=[0] -> "no element"

;;; indices_in_range
.input x f32[5]
.input indices i64[k]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, indices
GATHER r2, r0, r1
STORE_TENSOR y, r2
; run: x=[0 1 2 3 4] indices=[-1 -5 4] -> y=[4 0 4]
; fails: x=[0 1 2 3 4] indices=[0 5] -> "index 5 is outside -5..4"
; fails: x=[0 1 2 3 4] indices=[-6] -> "index -6 is outside -5..4"
; fails: x=[0 1 2 3 4] indices=[-9223372036854775808] -> "index -9223372036854775808 is outside -5..4"

;;; columns_of_a_transpose
.input x u8[2, 3]
.input indices i32[k]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, indices
TRANSPOSE r2, r0
GATHER r3, r2, r1, axis=-1
STORE_TENSOR y, r3
; run: x=[[1 2 3] [4 5 6]] indices=[1 1 0] -> y=[[4 4 1] [5 5 2] [6 6 3]]

;;; elements
.input x f32[3, 3]
.input indices i64[k, 3]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, indices
GATHER_ELEMENTS r2, r0, r1
STORE_TENSOR y, r2
; run: x=[[1 2 3] [4 5 6] [7 8 9]] indices=[[1 2 0] [2 0 -3]] -> y=[[4 8 3] [7 2 3]]
; fails: x=zeros[3, 3] indices=[[0 0 3]] -> "index 3 is outside -3..2"

;;; tuples
.input x f32[2, 3]
.input indices i64[k, 2]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, indices
GATHER_ND r2, r0, r1
STORE_TENSOR y, r2
; run: x=[[0 1 2] [3 4 5]] indices=[[1 2] [-1 -1]] -> y=[5 5]
; run: x=[[0 1 2] [3 4 5]] indices=zeros[0, 2] -> y=zeros[0]
; fails: x=zeros[2, 3] indices=[[1 3]] -> "index 3 is outside -3..2"
; fails: x=zeros[2, 3] indices=[[0 -4]] -> "index -4 is outside -3..2"
; fails: x=zeros[2, 3] indices=[[1 -9223372036854775808]] -> "index -9223372036854775808 is outside -3..2"

;;; batches_of_tuples
.input x f32[2, 2, 2]
.input indices i64[2, 1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, indices
GATHER_ND r2, r0, r1, batch_dims=1
STORE_TENSOR y, r2
; run: x=[[[0 1] [2 3]] [[4 5] [6 7]]] indices=[[1] [0]] -> y=[[2 3] [4 5]]

;;; what_is_not_zero
.input x f32[n, m]
.output y
LOAD_TENSOR r0, x
NON_ZERO r1, r0
TRANSPOSE r2, r1
GATHER_ND r3, r0, r2
STORE_TENSOR y, r3
; run: x=[[0 7] [8 0]] -> y=[7 8]
; run: x=zeros[3, 4] -> y=zeros[0]
