; ATTENTION, ROTARY.

;;; weights_of_keys
.input q f32[b, h, n, w]
.input k f32[b, g, m, w]
.input v f32[b, g, m, e]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
ATTENTION r3, r0, r1, r2
STORE_TENSOR y, r3
; run: q=[[[[0 0]]]] k=[[[[1 2] [3 4]]]] v=[[[[1 10] [3 30]]]] -> y=[[[[2 20]]]]
; run: q=[[[[1]]]] k=[[[[0] [1]]]] v=[[[[0] [1]]]] -> y~=[[[[0.73105858]]]]
; run: q=ones[1, 4, 3, 8] k=ones[1, 2, 5, 8] v=ones[1, 2, 5, 6] -> y~=ones[1, 4, 3, 6]
; run: q=ones[1, 2, 3, 8] k=zeros[1, 2, 0, 8] v=zeros[1, 2, 0, 8] -> y=zeros[1, 2, 3, 8]
; run: q=zeros[1, 2, 0, 8] k=ones[1, 2, 3, 8] v=ones[1, 2, 3, 8] -> y=zeros[1, 2, 0, 8]
; fails: q=ones[1, 3, 1, 2] k=ones[1, 2, 1, 2] v=ones[1, 2, 1, 2] -> "heads of k must divide heads of q"

;;; boolean_mask
.input q f32[b, h, n, w]
.input k f32[b, h, m, w]
.input v f32[b, h, m, e]
.input mask bool[n, m]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, mask
ATTENTION r4, r0, r1, r2, mask=r3
STORE_TENSOR y, r4
; run: q=zeros[1, 1, 3, 2] k=zeros[1, 1, 2, 2] v=[[[[1] [3]]]] mask=[[true true] [false true] [false false]] -> y=[[[[2] [3] [0]]]]

;;; added_mask
.input q f32[b, h, n, w]
.input k f32[b, h, m, w]
.input v f32[b, h, m, e]
.input mask f32[b, 1, 1, s]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, mask
ATTENTION r4, r0, r1, r2, mask=r3
STORE_TENSOR y, r4
; run: q=zeros[1, 1, 1, 2] k=zeros[1, 1, 2, 2] v=[[[[1] [3]]]] mask=[[[[0 -inf]]]] -> y=[[[[1]]]]
; run: q=zeros[1, 1, 1, 2] k=zeros[1, 1, 2, 2] v=[[[[1] [3]]]] mask=[[[[-inf -inf]]]] -> y=[[[[0]]]]
; fails: q=zeros[1, 1, 1, 2] k=zeros[1, 1, 2, 2] v=zeros[1, 1, 2, 1] mask=zeros[1, 1, 1, 3] -> "mask [1, 1, 1, 3] does not broadcast to [1, 1, 1, 2]"

;;; causal
.input q f32[b, h, n, w]
.input k f32[b, h, m, w]
.input v f32[b, h, m, e]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
ATTENTION r3, r0, r1, r2, causal=true
STORE_TENSOR y, r3
; run: q=zeros[1, 1, 2, 2] k=zeros[1, 1, 2, 2] v=[[[[1] [3]]]] -> y=[[[[1] [2]]]]
; run: q=zeros[1, 1, 1, 2] k=zeros[1, 1, 2, 2] v=[[[[1] [3]]]] -> y=[[[[2]]]]
; run: q=zeros[1, 1, 3, 2] k=zeros[1, 1, 2, 2] v=[[[[1] [3]]]] -> y=[[[[0] [1] [2]]]]

;;; softcap_and_scale
.input q f32[b, h, n, w]
.input k f32[b, h, m, w]
.input v f32[b, h, m, e]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
ATTENTION r3, r0, r1, r2, scale=1000.0, softcap=1.0
STORE_TENSOR y, r3
; run: q=[[[[1]]]] k=[[[[-1] [1]]]] v=[[[[0] [1]]]] -> y~=[[[[0.88079708]]]]

;;; rotary_halves_and_neighbours
.input x f32[b, h, t, w]
.input cosine f32[c, t, r]
.input sine f32[c, t, r]
.output halves
.output neighbours
LOAD_TENSOR r0, x
LOAD_TENSOR r1, cosine
LOAD_TENSOR r2, sine
ROTARY r3, r0, r1, r2
STORE_TENSOR halves, r3
ROTARY r4, r0, r1, r2, interleaved=true
STORE_TENSOR neighbours, r4
; run: x=[[[[1 2 3 4]]]] cosine=[[[0 2]]] sine=[[[1 3]]] -> halves=[[[[-3 -8 1 14]]]] neighbours=[[[[-2 1 -6 17]]]]
; run: x=zeros[2, 1, 0, 4] cosine=zeros[1, 0, 2] sine=zeros[1, 0, 2] -> halves=zeros[2, 1, 0, 4] neighbours=zeros[2, 1, 0, 4]
; fails: x=ones[1, 1, 1, 3] cosine=ones[1, 1, 1] sine=ones[1, 1, 1] -> "width is 3"

;;; rotary_of_a_part_at_positions
.input x f32[b, h, t, w]
.input cosine f32[p, r]
.input sine f32[p, r]
.input positions i64[b, t]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, cosine
LOAD_TENSOR r2, sine
LOAD_TENSOR r3, positions
ROTARY r4, r0, r1, r2, positions=r3, rotated=2
STORE_TENSOR y, r4
; run: x=[[[[1 0 7] [1 0 8]]]] cosine=[[10] [20] [30]] sine=[[1] [2] [3]] positions=[[2 0]] -> y=[[[[30 3 7] [10 1 8]]]]
; fails: x=[[[[1 0 7]]]] cosine=[[10]] sine=[[1]] positions=[[1]] -> "position is 1, rows are 1"
; fails: x=[[[[1 0 7]]]] cosine=[[10]] sine=[[1]] positions=[[-1]] -> "position is -1, rows are 1"
