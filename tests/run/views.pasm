; View rows: RESHAPE, FLATTEN, TRANSPOSE, BROADCAST_TO, SLICE, SPLIT, SQUEEZE, UNSQUEEZE.

;;; reshape_copies_and_computes
.input x f32[n, 4, 6]
.output y
LOAD_TENSOR r0, x
RESHAPE r1, r0, [0, -1, 3]
SHAPE_OF r2, r1
STORE_TENSOR y, r2
; run: x=zeros[2, 4, 6] -> y=[2 8 3]
; run: x=zeros[0, 4, 6] -> y=[0 8 3]

;;; reshape_keeps_explicit_zeros
.input x f32[0, 8, 2]
.output y
LOAD_TENSOR r0, x
RESHAPE r1, r0, [4, 2, -1]
RESHAPE r2, r1, [0, 0, 4], zero=literal
STORE_TENSOR y, r2
; run: x=zeros[0, 8, 2] -> y=zeros[0, 0, 4]

;;; reshape_computes_for_an_empty_batch
.input x f32[n, m, 64]
.output y
LOAD_TENSOR r0, x
RESHAPE r1, r0, [n, m, -1, 16], zero=literal
SHAPE_OF r2, r1
STORE_TENSOR y, r2
; run: x=zeros[2, 5, 64] -> y=[2 5 4 16]
; run: x=zeros[0, 5, 64] -> y=[0 5 4 16]
; run: x=zeros[1, 0, 64] -> y=[1 0 4 16]

;;; reshape_zero_beyond_the_rank
.input x f32[2, 0]
.output y
LOAD_TENSOR r0, x
RESHAPE r1, r0, [1, 2, 0], zero=literal
STORE_TENSOR y, r1
; run: x=zeros[2, 0] -> y=zeros[1, 2, 0]

;;; reshape_forced_by_a_constant
.input x f32[n, 16, 4, 4]
.output y
LOAD_TENSOR r0, x
RESHAPE r1, r0, [1, 256]
SHAPE_OF r2, r1
STORE_TENSOR y, r2
; run: x=zeros[1, 16, 4, 4] -> y=[1 256]
; fails: x=zeros[2, 16, 4, 4] -> "a constant of the model forces axis 0 to 1"

;;; reshape_to_a_computed_shape
.input x f32[n]
.input shape i64[k]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, shape
RESHAPE r2, r0, r1
STORE_TENSOR y, r2
; run: x=[1 2 3 4] shape=[2 -1] -> y=[[1 2] [3 4]]
; run: x=[1] shape=zeros[0] -> y=1
; fails: x=[1 2 3] shape=[2 -1] -> "[3]"
; fails: x=[1 2 3] shape=[1 1 1 1 1 1 1 1 3] -> "at most 8 axes"

;;; reshape_of_a_transpose
.input x f32[2, 3]
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0
RESHAPE r2, r1, [-1]
STORE_TENSOR y, r2
; run: x=[[1 2 3] [4 5 6]] -> y=[1 4 2 5 3 6]

;;; flatten
.input x f32[2, 3, 4]
.output all
.output last
LOAD_TENSOR r0, x
FLATTEN r1, r0, axis=0
SHAPE_OF r2, r1
STORE_TENSOR all, r2
FLATTEN r3, r0, axis=-1
SHAPE_OF r4, r3
STORE_TENSOR last, r4
; run: x=zeros[2, 3, 4] -> all=[1 24] last=[6 4]

;;; transpose_with_a_permutation
.input x i8[2, 1, 3]
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0, perm=[2, 0, 1]
STORE_TENSOR y, r1
; run: x=[[[1 2 3]] [[4 5 6]]] -> y=[[[1] [4]] [[2] [5]] [[3] [6]]]

;;; broadcast_mutually
.input x f32[n, 1]
.input shape i64[k]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, shape
BROADCAST_TO r2, r0, r1, rule=mutual
STORE_TENSOR y, r2
; run: x=[[1] [2]] shape=[1 3] -> y=[[1 1 1] [2 2 2]]
; run: x=[[1] [2]] shape=[2 1 2] -> y=[[[1 1] [2 2]] [[1 1] [2 2]]]
; run: x=[[1] [2]] shape=[1] -> y=[[1] [2]]
; run: x=[[1]] shape=[0 1] -> y=zeros[0, 1]
; fails: x=[[1] [2]] shape=[-1 3] -> "use 1 to keep"
; fails: x=[[1] [2]] shape=[3 1] -> "do not broadcast"

;;; broadcast_exactly
.input x f32[...]
.output y
LOAD_TENSOR r0, x
BROADCAST_TO r1, r0, [2, 2]
STORE_TENSOR y, r1
; run: x=7 -> y=[[7 7] [7 7]]
; run: x=[[1] [2]] -> y=[[1 1] [2 2]]
; fails: x=zeros[3, 2] -> "does not broadcast"
; fails: x=zeros[1, 2, 2] -> "does not broadcast"

;;; slices_backwards
.input x i64[n]
.input starts i64[1]
.input ends i64[1]
.input steps i64[1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, starts
LOAD_TENSOR r2, ends
LOAD_TENSOR r3, steps
SLICE r4, r0, r1, r2, steps=r3
STORE_TENSOR y, r4
; run: x=iota[10] starts=[9] ends=[0] steps=[-1] -> y=[9 8 7 6 5 4 3 2 1]
; run: x=iota[10] starts=[9] ends=[2] steps=[-1] -> y=[9 8 7 6 5 4 3]
; run: x=iota[10] starts=[9] ends=[0] steps=[-3] -> y=[9 6 3]
; run: x=iota[20] starts=[19] ends=[0] steps=[-3] -> y=[19 16 13 10 7 4 1]
; run: x=iota[4] starts=[9223372036854775807] ends=[-9223372036854775808] steps=[-1] -> y=[3 2 1 0]
; run: x=iota[4] starts=[-9223372036854775808] ends=[9223372036854775807] steps=[9223372036854775807] -> y=[0]
; run: x=iota[4] starts=[-2] ends=[2147483647] steps=[1] -> y=[2 3]
; run: x=iota[4] starts=[3] ends=[1] steps=[1] -> y=zeros[0]
; run: x=zeros[0] starts=[0] ends=[5] steps=[1] -> y=zeros[0]
; fails: x=iota[4] starts=[0] ends=[4] steps=[0] -> "step is 0"

;;; slices_of_a_matrix
.input x i64[3, 4]
.output y
.output z
LOAD_TENSOR r0, x
SLICE r1, r0, [2], [-4], steps=[-1]
STORE_TENSOR y, r1
SLICE r2, r0, [3, 0], [0, 2], axes=[-1, 0], steps=[-2, 1]
STORE_TENSOR z, r2
; run: x=iota[3, 4] -> y=[[8 9 10 11] [4 5 6 7] [0 1 2 3]] z=[[3 1] [7 5]]

;;; splits
.input x i64[n]
.output a
.output b
.output c
LOAD_TENSOR r0, x
SPLIT [r1, r2, r3], r0
STORE_TENSOR a, r1
STORE_TENSOR b, r2
STORE_TENSOR c, r3
; run: x=iota[7] -> a=[0 1 2] b=[3 4 5] c=[6]
; run: x=iota[6] -> a=[0 1] b=[2 3] c=[4 5]
; run: x=zeros[0] -> a=zeros[0] b=zeros[0] c=zeros[0]

;;; splits_by_sizes
.input x i64[2, n]
.input sizes i64[2]
.output a
.output b
LOAD_TENSOR r0, x
LOAD_TENSOR r1, sizes
SPLIT [r2, r3], r0, axis=-1, sizes=r1
STORE_TENSOR a, r2
STORE_TENSOR b, r3
; run: x=iota[2, 3] sizes=[1 2] -> a=[[0] [3]] b=[[1 2] [4 5]]
; run: x=iota[2, 3] sizes=[0 3] -> a=zeros[2, 0] b=iota[2, 3]
; fails: x=iota[2, 3] sizes=[1 1] -> "sum of the sizes is 2"

;;; squeezes
.input x f32[...]
.output all
.output first
LOAD_TENSOR r0, x
SQUEEZE r1, r0
STORE_TENSOR all, r1
SQUEEZE r2, r0, axis=[0]
STORE_TENSOR first, r2
; run: x=[[[1] [2]]] -> all=[1 2] first=[[1] [2]]
; run: x=[7] -> all=7 first=7
; fails: x=[1 2] -> "only 1 can be removed"

;;; unsqueezes
.input x f32[n]
.output y
LOAD_TENSOR r0, x
UNSQUEEZE r1, r0, axis=[2, 0]
STORE_TENSOR y, r1
; run: x=[1 2] -> y=[[[1] [2]]]
; run: x=zeros[0] -> y=zeros[1, 0, 1]
