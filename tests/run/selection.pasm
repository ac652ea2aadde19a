; TOP_K, NON_ZERO, COMPRESS and NMS.

;;; largest_and_smallest
.input x f32[...]
.input k i64[]
.output largest
.output largest_at
.output smallest
.output smallest_at
LOAD_TENSOR r0, x
LOAD_TENSOR r1, k
TOP_K r2, r3, r0, r1
TOP_K r4, r5, r0, r1, order=smallest
STORE_TENSOR largest, r2
STORE_TENSOR largest_at, r3
STORE_TENSOR smallest, r4
STORE_TENSOR smallest_at, r5
; run: x=[[1 3 2 3]] k=2 -> largest=[[3 3]] largest_at=[[1 3]] smallest=[[1 2]] smallest_at=[[0 2]]
; run: x=[[1 3 2 3]] k=0 -> largest=zeros[1, 0] largest_at=zeros[1, 0] smallest=zeros[1, 0] smallest_at=zeros[1, 0]
; run: x=[1 nan -inf inf] k=4 -> largest=[nan inf 1 -inf] largest_at=[1 3 0 2] smallest=[-inf 1 inf nan] smallest_at=[2 0 3 1]
; fails: x=[[1 3 2 3]] k=5 -> "k is 5, axis 1 of x has extent 4"
; fails: x=[1] k=-1 -> "k is -1"

;;; more_than_there_are
.input x f32[1, n]
.output y
LOAD_TENSOR r0, x
TOP_K r1, _, r0, 1000
STORE_TENSOR y, r1
; fails: x=zeros[1, 855] -> "k is 1000, axis 1 of x has extent 855"

;;; at_most_as_many_as_there_are
.input x f32[1, n]
.output y
LOAD_TENSOR r0, x
QUERY_SHAPE r1, r0.dim(1)
SIZE_MIN r2, r1, 1000
TOP_K _, r3, r0, r2
STORE_TENSOR y, r3
; run: x=[[5 7 6]] -> y=[[1 2 0]]

;;; along_another_axis
.input x i16[3, 2]
.output y
LOAD_TENSOR r0, x
TOP_K r1, _, r0, 2, axis=0
STORE_TENSOR y, r1
; run: x=[[1 -5] [7 2] [-9 3]] -> y=[[7 3] [1 2]]

;;; coordinates
.input x f32[...]
.output y
LOAD_TENSOR r0, x
NON_ZERO r1, r0
STORE_TENSOR y, r1
; run: x=[[0 7] [8 0]] -> y=[[0 1] [1 0]]
; run: x=0 -> y=zeros[0, 0]
; run: x=5 -> y=zeros[0, 1]
; run: x=zeros[3, 4] -> y=zeros[2, 0]
; run: x=[nan 0 -1] -> y=[[0 2]]

;;; compress
.input x f32[3, 2]
.input condition bool[...]
.output rows
.output flat
LOAD_TENSOR r0, x
LOAD_TENSOR r1, condition
COMPRESS r2, r0, r1, axis=0
COMPRESS r3, r0, r1
STORE_TENSOR rows, r2
STORE_TENSOR flat, r3
; run: x=[[1 2] [3 4] [5 6]] condition=[false true true] -> rows=[[3 4] [5 6]] flat=[2 3]
; run: x=[[1 2] [3 4] [5 6]] condition=[true] -> rows=[[1 2]] flat=[1]
; run: x=[[1 2] [3 4] [5 6]] condition=[false false false] -> rows=zeros[0, 2] flat=zeros[0]
; fails: x=zeros[3, 2] condition=[true true true true] -> "condition has 4 elements"
; fails: x=zeros[3, 2] condition=[[true]] -> "one axis"

;;; boxes
.input boxes f32[1, n, 4]
.input scores f32[1, 1, n]
.input limit i64[]
.output y
LOAD_TENSOR r0, boxes
LOAD_TENSOR r1, scores
LOAD_TENSOR r2, limit
NMS r3, r0, r1, limit=r2, overlap=0.5, threshold=0.0
STORE_TENSOR y, r3
; run: boxes=[[[0 0 1 1] [0 0.1 1 1.1] [0 -0.1 1 0.9] [0 10 1 11] [0 10.1 1 11.1] [0 100 1 101]]] scores=[[[0.9 0.75 0.6 0.95 0.5 0.3]]] limit=3 -> y=[[0 0 3] [0 0 0] [0 0 5]]
; run: boxes=[[[1 1 0 0]]] scores=[[[0.9]]] limit=0 -> y=zeros[0, 3]
; run: boxes=zeros[1, 0, 4] scores=zeros[1, 1, 0] limit=3 -> y=zeros[0, 3]
; run: boxes=[[[1 1 0 0] [0 0 1 1]]] scores=[[[0.9 0.8]]] limit=3 -> y=[[0 0 0]]
