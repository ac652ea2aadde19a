; Size rows, SHAPE_OF, RANK_OF and COUNT_OF.

;;; extents_and_elements
.input x f32[n, 3]
.input list i32[k]
.output first
.output last
.output element
LOAD_TENSOR r0, x
LOAD_TENSOR r1, list
QUERY_SHAPE r2, r0.dim(0)
STORE_TENSOR first, r2
QUERY_SHAPE r3, r0.dim(-1)
STORE_TENSOR last, r3
READ_SIZE r4, r1[1]
STORE_TENSOR element, r4
; run: x=zeros[0, 3] list=[5 -6] -> first=0 last=3 element=-6
; fails: x=zeros[2, 3] list=[5] -> "element 1 is outside"

;;; axis_outside
.input x f32[...]
.output y
LOAD_TENSOR r0, x
QUERY_SHAPE r1, r0.dim(2)
STORE_TENSOR y, r1
; run: x=zeros[1, 2, 9] -> y=9
; fails: x=zeros[1, 2] -> "axis 2 is outside -2..1"

;;; arithmetic
.input a i64[]
.input b i64[]
.output quotient
.output remainder
.output smaller
.output larger
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
SIZE_DIV r2, r0, r1
SIZE_MOD r3, r0, r1
SIZE_MIN r4, r0, r1
SIZE_MAX r5, r0, r1
STORE_TENSOR quotient, r2
STORE_TENSOR remainder, r3
STORE_TENSOR smaller, r4
STORE_TENSOR larger, r5
; run: a=7 b=2 -> quotient=3 remainder=1 smaller=2 larger=7
; run: a=-7 b=2 -> quotient=-4 remainder=1 smaller=-7 larger=2
; run: a=7 b=-2 -> quotient=-4 remainder=-1 smaller=-2 larger=7
; fails: a=1 b=0 -> "division by zero"

;;; overflow
.input a i64[]
.output y
LOAD_TENSOR r0, a
SIZE_MUL r1, r0, 4
STORE_TENSOR y, r1
; run: a=3 -> y=12
; fails: a=4611686018427387904 -> "64 bits"

;;; shapes_as_tensors
.input x f32[...]
.output shape
.output inner
.output rank
.output count
LOAD_TENSOR r0, x
SHAPE_OF r1, r0
SHAPE_OF r2, r0, start=1, end=-1
RANK_OF r3, r0
COUNT_OF r4, r0
STORE_TENSOR shape, r1
STORE_TENSOR inner, r2
STORE_TENSOR rank, r3
STORE_TENSOR count, r4
; run: x=zeros[2, 3, 4] -> shape=[2 3 4] inner=[3] rank=3 count=24
; run: x=zeros[2, 0] -> shape=[2 0] inner=zeros[0] rank=2 count=0
; run: x=5 -> shape=zeros[0] inner=zeros[0] rank=0 count=1
