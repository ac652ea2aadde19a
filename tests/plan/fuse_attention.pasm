; ATTENTION spelled out.

;;; torch_export_with_an_added_mask
.input x f32[batch, seq, 2, 4]
.input keys f32[batch, seq, 2, 4]
.input values f32[batch, 2, seq, 4]
.input mask f32[batch, 1, 1, seq]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, keys
LOAD_TENSOR r2, values
LOAD_TENSOR r3, mask
TRANSPOSE r4, r0, perm=[0, 2, 1, 3]
TRANSPOSE r5, r1, perm=[0, 2, 3, 1]
MATMUL r6, r4, r5
ELEMENTWISE_DIV r7, r6, 2.0
ELEMENTWISE_ADD r8, r7, r3
SOFTMAX r9, r8
MATMUL r10, r9, r2
TRANSPOSE r11, r10, perm=[0, 2, 1, 3]
STORE_TENSOR y, r11
; plan fuse_attention:
;   r0 f32[batch, seq, 2, 4] = input x
;   r1 f32[batch, seq, 2, 4] = input keys
;   r2 f32[batch, 2, seq, 4] = input values
;   r3 f32[batch, 1, 1, seq] = input mask
;   r4 f32[batch, 2, seq, 4] = TRANSPOSE r0, perm=[0, 2, 1, 3]
;   r5 f32[batch, 2, seq, 4] = TRANSPOSE r1, perm=[0, 2, 1, 3]
;   r6 f32[batch, 2, seq, 4] = ATTENTION r4, r5, r2, mask=r3, scale=0.5, masked=nan
;   r7 f32[batch, seq, 2, 4] = TRANSPOSE r6, perm=[0, 2, 1, 3]
;   output y = r7
; run: x=random(1)[1, 3, 2, 4] keys=random(2)[1, 3, 2, 4] values=random(3)[1, 2, 3, 4] mask=[[[[0 -1 -inf]]]] -> y~=[[[[-0.7276125 0.3722887 0.0149070425 -0.49393007] [-0.14158548 -0.46385434 0.116131 0.4743332]] [[-0.71298385 0.363188 -0.052964136 -0.37804583] [-0.15599027 -0.48305646 0.07109414 0.45688486]] [[-0.7342024 0.37638843 0.04548182 -0.5461339] [-0.14521237 -0.4686891 0.10479149 0.46994]]]]
; run: x=random(1)[1, 3, 2, 4] keys=random(2)[1, 3, 2, 4] values=random(3)[1, 2, 3, 4] mask=[[[[-inf -inf -inf]]]] -> y=full(nan)[1, 3, 2, 4]
; run: x=random(1)[1, 3, 2, 4] keys=random(2)[1, 3, 2, 4] values=random(3)[1, 2, 3, 4] mask=[[[[-1e30 -1e30 -1e30]]]] -> y~=[[[[-0.45269886 0.48336345 -0.035628915 0.115647554] [0.07042913 -0.08292921 0.04003588 0.051991537]] [[-0.45269886 0.48336345 -0.035628915 0.115647554] [0.07042913 -0.08292921 0.04003588 0.051991537]] [[-0.45269886 0.48336345 -0.035628915 0.115647554] [0.07042913 -0.08292921 0.04003588 0.051991537]]]]
; run: x=zeros[1, 0, 2, 4] keys=zeros[1, 0, 2, 4] values=zeros[1, 2, 0, 4] mask=zeros[1, 1, 1, 0] -> y=zeros[1, 0, 2, 4]

;;; torch_2_with_both_scaled_and_a_guard
.const scale f32[] = {0.5}
.input q f32[batch, 2, n, 16]
.input k f32[batch, 2, n, 16]
.input v f32[batch, 2, n, 16]
.input seen bool[batch, 1, n, n]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, seen
RESHAPE r4, r1, [-1, n, 16]
TRANSPOSE r5, r4, perm=[0, 2, 1]
RESHAPE r6, r5, [batch, 2, 16, n]
ELEMENTWISE_MUL r7, r0, scale
ELEMENTWISE_MUL r8, r6, scale
ELEMENTWISE_SELECT r9, r3, 0.0, -inf
MATMUL r10, r7, r8
ELEMENTWISE_ADD r11, r10, r9
SOFTMAX r12, r11
ELEMENTWISE_IS_NAN r13, r12
ELEMENTWISE_SELECT r14, r13, 0.0, r12
MATMUL r15, r14, r2
STORE_TENSOR y, r15
; plan fuse_attention:
;   r0 f32[batch, 2, n, 16] = input q
;   r1 f32[batch, 2, n, 16] = input k
;   r2 f32[batch, 2, n, 16] = input v
;   r3 bool[batch, 1, n, n] = input seen
;   r4 f32[batch, 2, n, 16] = ATTENTION r0, r1, r2, mask=r3, scale=0.25
;   output y = r4
; run: q=random(1)[1, 2, 2, 16] k=random(2)[1, 2, 2, 16] v=random(3)[1, 2, 2, 16] seen=[[[[true false] [false false]]]] -> y~=[[[[-0.7730994 0.40058696 0.22594929 -0.85426664 -0.56712186 0.2724446 -0.7297083 0.77743685 -0.017875195 0.7770587 0.39687228 0.42377245 -0.039671063 -0.32799888 0.4347682 0.59778047] [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]] [[-0.62197566 0.79761183 -0.14336133 -0.5759913 -0.053144336 0.33921707 -0.2432698 -0.26062167 -0.685562 0.016002893 0.41350245 0.71262574 -0.3652922 0.14612615 0.789073 -0.9653187] [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]]]]

;;; no_mask_and_a_transposed_product
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 5]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
MATMUL r3, r0, r1, transpose_rhs=true
SOFTMAX r4, r3, axis=3
MATMUL r5, r4, r2
STORE_TENSOR y, r5
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 5] = input v
;   r3 f32[batch, 2, n, 5] = ATTENTION r0, r1, r2, scale=1, masked=nan
;   output y = r3
; run: q=random(1)[1, 2, 2, 4] k=random(2)[1, 2, 3, 4] v=random(3)[1, 2, 3, 5] -> y~=[[[[-0.13282336 0.0272651 0.34514228 -0.44348776 0.13169639] [-0.104802296 0.030351378 0.337046 -0.43168855 0.15470485]] [[0.69798684 -0.061005432 -0.40518942 -0.19700599 0.4684904] [0.6728901 0.016750956 -0.36411354 -0.33288413 0.38799852]]]]

;;; keys_given_with_their_last_axes_exchanged
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, 4, m]
.input v f32[batch, 2, m, 5]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
MATMUL r3, r0, r1
ELEMENTWISE_MUL r4, r3, 0.5
SOFTMAX r5, r4, axis=3
MATMUL r6, r5, r2
STORE_TENSOR y, r6
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, 4, m] = input k
;   r2 f32[batch, 2, m, 5] = input v
;   r3 f32[batch, 2, m, 4] = TRANSPOSE r1, perm=[0, 1, 3, 2]
;   r4 f32[batch, 2, n, 5] = ATTENTION r0, r3, r2, scale=0.5, masked=nan
;   output y = r4
; run: q=random(1)[1, 2, 2, 4] k=random(2)[1, 2, 4, 3] v=random(3)[1, 2, 3, 5] -> y~=[[[[-0.13525355 -0.0007553579 0.3648651 -0.43568403 0.14052318] [-0.14857963 0.03215906 0.3451513 -0.452231 0.11617352]] [[0.6698479 0.0033921218 -0.378832 -0.3462952 0.379274] [0.6760863 -0.015162441 -0.3883736 -0.31262353 0.39924702]]]]

;;; selected_scores_with_a_finite_fill
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 4]
.input seen bool[n, m]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, seen
TRANSPOSE r4, r1, perm=[0, 1, 3, 2]
MATMUL r5, r0, r4
ELEMENTWISE_MUL r6, r5, 0.5
ELEMENTWISE_SELECT r7, r3, r6, -3.4028234e38
SOFTMAX r8, r7
MATMUL r9, r8, r2
STORE_TENSOR y, r9
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 4] = input v
;   r3 bool[n, m] = input seen
;   r4 f32[batch, 2, n, 4] = ATTENTION r0, r1, r2, mask=r3, scale=0.5, masked=mean
;   output y = r4
; run: q=random(1)[1, 2, 2, 4] k=random(2)[1, 2, 3, 4] v=random(3)[1, 2, 3, 4] seen=[[true true false] [false false false]] -> y~=[[[[-0.6757192 0.34000498 -0.22585784 -0.08284467] [-0.45269886 0.48336345 -0.035628915 0.115647554]] [[-0.23582843 -0.5894835 -0.17852116 0.3601783] [0.07042913 -0.08292921 0.04003588 0.051991537]]]]

;;; masked_fill_with_minus_infinity
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 4]
.input hidden bool[n, m]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, hidden
TRANSPOSE r4, r1, perm=[0, 1, 3, 2]
MATMUL r5, r0, r4
ELEMENTWISE_SELECT r7, r3, -inf, r5
SOFTMAX r8, r7
MATMUL r9, r8, r2
STORE_TENSOR y, r9
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 4] = input v
;   r3 bool[n, m] = input hidden
;   r4 bool[n, m] = ELEMENTWISE_NOT r3
;   r5 f32[batch, 2, n, 4] = ATTENTION r0, r1, r2, mask=r4, scale=1, masked=nan
;   output y = r5
; run: q=random(1)[1, 2, 2, 4] k=random(2)[1, 2, 3, 4] v=random(3)[1, 2, 3, 4] hidden=[[true true false] [true true true]] -> y~=[[[[-0.017875195 0.7770587 0.39687228 0.42377245] [nan nan nan nan]] [[0.6388502 0.8714005 0.3392893 -0.61779225] [nan nan nan nan]]]]

;;; a_fill_that_scores_may_reach
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 4]
.input seen bool[n, m]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, seen
MATMUL r5, r0, r1, transpose_rhs=true
ELEMENTWISE_SELECT r7, r3, r5, -100.0
SOFTMAX r8, r7
MATMUL r9, r8, r2
STORE_TENSOR y, r9
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 4] = input v
;   r3 bool[n, m] = input seen
;   c0 f32[] = -100
;   r4 f32[batch, 2, n, m] = MATMUL r0, r1, transpose_rhs=true
;   r5 f32[batch, 2, n, m] = ELEMENTWISE_SELECT r3, r4, c0
;   r6 f32[batch, 2, n, m] = SOFTMAX r5
;   r7 f32[batch, 2, n, 4] = MATMUL r6, r2
;   output y = r7

;;; repeated_key_heads
.input q f32[batch, 4, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 4]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
UNSQUEEZE r3, r1, axis=[2]
BROADCAST_TO r4, r3, [batch, 2, 2, m, 4]
RESHAPE r5, r4, [batch, 4, m, 4]
UNSQUEEZE r6, r2, axis=[2]
BROADCAST_TO r7, r6, [batch, 2, 2, m, 4]
RESHAPE r8, r7, [batch, 4, m, 4]
TRANSPOSE r9, r5, perm=[0, 1, 3, 2]
MATMUL r10, r0, r9
ELEMENTWISE_MUL r11, r10, 0.5
SOFTMAX r12, r11
MATMUL r13, r12, r8
STORE_TENSOR y, r13
; plan fuse_attention:
;   r0 f32[batch, 4, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 4] = input v
;   r3 f32[batch, 4, n, 4] = ATTENTION r0, r1, r2, scale=0.5, masked=nan
;   output y = r3
; run: q=random(1)[1, 4, 1, 4] k=random(2)[1, 2, 2, 4] v=random(3)[1, 2, 2, 4] -> y~=[[[[-0.6757192 0.34000498 -0.22585784 -0.08284467]] [[-0.67438436 0.33917454 -0.23205116 -0.07227008]] [[-0.026093224 0.36040193 0.41116074 0.48938134]] [[-0.028944312 0.21585089 0.41611788 0.51214314]]]]

;;; extents_that_only_a_run_shows_to_be_equal
.input q f32[batch, 2, n, 4]
.input k f32[b, 2, m, 4]
.input v f32[b, 2, m, 4]
.input mask f32[rows, m]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, mask
MATMUL r4, r0, r1, transpose_rhs=true
ELEMENTWISE_ADD r5, r3, r4
SOFTMAX r6, r5
MATMUL r7, r6, r2
STORE_TENSOR y, r7
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[b, 2, m, 4] = input k
;   r2 f32[b, 2, m, 4] = input v
;   r3 f32[rows, m] = input mask
;   r4 f32[((batch broadcast b) broadcast b), 2, (rows broadcast n), 4] = ATTENTION r0, r1, r2, mask=r3, scale=1, masked=nan
;   output y = r4
; run: q=random(1)[1, 2, 2, 4] k=random(2)[1, 2, 2, 4] v=random(3)[1, 2, 2, 4] mask=zeros[2, 2] -> y~=[[[[-0.6812946 0.34347352 -0.19999008 -0.12701164] [-0.67864335 0.34182414 -0.21229099 -0.10600891]] [[-0.023718953 0.48077822 0.40703267 0.47042626] [-0.029115409 0.20717616 0.41641536 0.51350904]]]]
; run: q=random(1)[1, 2, 1, 4] k=random(2)[2, 2, 2, 4] v=random(3)[2, 2, 2, 4] mask=zeros[2, 2] -> y~=[[[[-0.6812946 0.34347352 -0.19999008 -0.12701164] [-0.6812946 0.34347352 -0.19999008 -0.12701164]] [[-0.031094002 0.10686087 0.41985548 0.5293052] [-0.031094002 0.10686087 0.41985548 0.5293052]]] [[[0.15090871 0.08080803 -0.13273056 -0.24056257] [0.15090871 0.08080803 -0.13273056 -0.24056257]] [[0.266028 0.7597679 -0.028447447 -0.07814632] [0.266028 0.7597679 -0.028447447 -0.07814632]]]]

;;; a_batch_of_one_that_broadcasts
.input q f32[1, 2, n, 4]
.input k f32[b, 2, m, 4]
.input v f32[b, 2, m, 4]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
MATMUL r4, r0, r1, transpose_rhs=true
SOFTMAX r6, r4
MATMUL r7, r6, r2
STORE_TENSOR y, r7
; plan fuse_attention:
;   r0 f32[1, 2, n, 4] = input q
;   r1 f32[b, 2, m, 4] = input k
;   r2 f32[b, 2, m, 4] = input v
;   r3 f32[b, 2, n, m] = MATMUL r0, r1, transpose_rhs=true
;   r4 f32[b, 2, n, m] = SOFTMAX r3
;   r5 f32[b, 2, n, 4] = MATMUL r4, r2
;   output y = r5

;;; weights_are_an_output
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 4]
.output y
.output weights
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
MATMUL r3, r0, r1, transpose_rhs=true
SOFTMAX r4, r3
MATMUL r5, r4, r2
STORE_TENSOR y, r5
STORE_TENSOR weights, r4
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 4] = input v
;   r3 f32[batch, 2, n, m] = MATMUL r0, r1, transpose_rhs=true
;   r4 f32[batch, 2, n, m] = SOFTMAX r3
;   r5 f32[batch, 2, n, 4] = MATMUL r4, r2
;   output y = r5
;   output weights = r4

;;; softmax_over_the_queries
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 4]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
MATMUL r3, r0, r1, transpose_rhs=true
SOFTMAX r4, r3, axis=2
MATMUL r5, r4, r2
STORE_TENSOR y, r5
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 4] = input v
;   r3 f32[batch, 2, n, m] = MATMUL r0, r1, transpose_rhs=true
;   r4 f32[batch, 2, n, m] = SOFTMAX r3, axis=2
;   r5 f32[batch, 2, n, 4] = MATMUL r4, r2
;   output y = r5

;;; heads_without_a_batch
.input q f32[n, heads, 4]
.input k f32[m, heads, 4]
.input v f32[heads, m, 4]
.input mask f32[n, m]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, mask
TRANSPOSE r4, r0, perm=[1, 0, 2]
TRANSPOSE r5, r1, perm=[1, 2, 0]
ELEMENTWISE_DIV r6, r4, 2.0
MATMUL r7, r6, r5
ELEMENTWISE_ADD r8, r7, r3
SOFTMAX r9, r8
MATMUL r10, r9, r2
STORE_TENSOR y, r10
; plan fuse_attention:
;   r0 f32[n, heads, 4] = input q
;   r1 f32[m, heads, 4] = input k
;   r2 f32[heads, m, 4] = input v
;   r3 f32[n, m] = input mask
;   r4 f32[heads, n, 4] = TRANSPOSE r0, perm=[1, 0, 2]
;   r5 f32[heads, m, 4] = TRANSPOSE r1, perm=[1, 0, 2]
;   r6 f32[1, heads, n, 4] = UNSQUEEZE r4, axis=[0]
;   r7 f32[1, heads, m, 4] = UNSQUEEZE r5, axis=[0]
;   r8 f32[1, heads, m, 4] = UNSQUEEZE r2, axis=[0]
;   r9 f32[1, heads, n, 4] = ATTENTION r6, r7, r8, mask=r3, scale=0.5, masked=nan
;   r10 f32[heads, n, 4] = SQUEEZE r9, axis=[0]
;   output y = r10
; run: q=random(1)[2, 2, 4] k=random(2)[3, 2, 4] v=random(3)[2, 3, 4] mask=[[0 -1 -2] [-inf -inf -inf]] -> y~=[[[-0.6800815 0.3993961 0.040487178 -0.4324717] [nan nan nan nan]] [[-0.08245505 -0.36268756 0.1330388 0.39158726] [nan nan nan nan]]]

;;; selected_scores_and_an_added_mask
.const least f32[] = {-3.4028234e38}
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 4]
.input seen bool[1, 1, n, m]
.input mask f32[batch, 1, 1, m]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, seen
LOAD_TENSOR r4, mask
MATMUL r5, r0, r1, transpose_rhs=true
ELEMENTWISE_DIV r6, r5, 2.0
ELEMENTWISE_SELECT r7, r3, r6, least
ELEMENTWISE_ADD r8, r7, r4
SOFTMAX r9, r8
MATMUL r10, r9, r2
STORE_TENSOR y, r10
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 4] = input v
;   r3 bool[1, 1, n, m] = input seen
;   r4 f32[batch, 1, 1, m] = input mask
;   c1 f32[] = -3.402823e+38
;   r5 f32[batch, 1, 1, m] = ELEMENTWISE_ADD c1, r4
;   r6 f32[batch, 1, n, m] = ELEMENTWISE_SELECT r3, r4, r5
;   r7 f32[batch, 2, n, 4] = ATTENTION r0, r1, r2, mask=r6, scale=0.5, masked=nan
;   output y = r7
; run: q=random(1)[1, 2, 2, 4] k=random(2)[1, 2, 3, 4] v=random(3)[1, 2, 3, 4] seen=[[[[true false true] [false false false]]]] mask=[[[[0 -1 -3.4028234e38]]]] -> y~=[[[[-0.7730994 0.40058696 0.22594929 -0.85426664] [-0.67011064 0.33651578 -0.2518795 -0.038414896]] [[-0.039671063 -0.32799888 0.4347682 0.59778047] [-0.21378142 -0.56009406 -0.10959083 0.38688344]]]]
; run: q=random(1)[1, 2, 2, 4] k=random(2)[1, 2, 3, 4] v=random(3)[1, 2, 3, 4] seen=[[[[true true true] [false false false]]]] mask=[[[[-3.4028234e38 -3.4028234e38 -3.4028234e38]]]] -> y~=[[[[-0.45269886 0.48336345 -0.035628915 0.115647554] [nan nan nan nan]] [[0.07042913 -0.08292921 0.04003588 0.051991537] [nan nan nan nan]]]]

;;; another_factor_per_key
.const scale f32[4] = {1, 2, 3, 4}
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 4]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
ELEMENTWISE_MUL r3, r1, scale
MATMUL r4, r0, r3, transpose_rhs=true
ELEMENTWISE_MUL r5, r4, 0.25
SOFTMAX r6, r5
MATMUL r7, r6, r2
STORE_TENSOR y, r7
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 4] = input v
;   c0 f32[4]
;   r3 f32[batch, 2, m, 4] = ELEMENTWISE_MUL r1, c0
;   r4 f32[batch, 2, n, 4] = ATTENTION r0, r3, r2, scale=0.25, masked=nan
;   output y = r4
; run: q=random(1)[1, 2, 1, 4] k=random(2)[1, 2, 2, 4] v=random(3)[1, 2, 2, 4] -> y~=[[[[-0.67144513 0.337346 -0.2456882 -0.04898605]] [[-0.031164242 0.10329975 0.4199776 0.529866]]]]

;;; a_guard_that_puts_in_something_else
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 4]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
MATMUL r3, r0, r1, transpose_rhs=true
SOFTMAX r4, r3
ELEMENTWISE_IS_NAN r5, r4
ELEMENTWISE_SELECT r6, r5, 1.0, r4
MATMUL r7, r6, r2
STORE_TENSOR y, r7
; plan fuse_attention:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 4] = input v
;   c0 f32[] = 1
;   r3 f32[batch, 2, n, m] = MATMUL r0, r1, transpose_rhs=true
;   r4 f32[batch, 2, n, m] = SOFTMAX r3
;   r5 bool[batch, 2, n, m] = ELEMENTWISE_IS_NAN r4
;   r6 f32[batch, 2, n, m] = ELEMENTWISE_SELECT r5, c0, r4
;   r7 f32[batch, 2, n, 4] = MATMUL r6, r2
;   output y = r7

;;; attention_from_softmax_spelled_out
.input q f32[batch, 2, n, 4]
.input k f32[batch, 2, m, 4]
.input v f32[batch, 2, m, 4]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
MATMUL r3, r0, r1, transpose_rhs=true
REDUCE_MAX r4, r3, axis=[3], keepdims=true
ELEMENTWISE_SUB r5, r3, r4
ELEMENTWISE_EXP r6, r5
REDUCE_SUM r7, r6, axis=[3], keepdims=true
ELEMENTWISE_DIV r8, r6, r7
MATMUL r9, r8, r2
STORE_TENSOR y, r9
; plan all:
;   r0 f32[batch, 2, n, 4] = input q
;   r1 f32[batch, 2, m, 4] = input k
;   r2 f32[batch, 2, m, 4] = input v
;   r3 f32[batch, 2, n, 4] = ATTENTION r0, r1, r2, scale=1, masked=nan
;   output y = r3
; run: q=random(1)[1, 2, 1, 4] k=random(2)[1, 2, 2, 4] v=random(3)[1, 2, 2, 4] -> y~=[[[[-0.6812946 0.34347352 -0.19999008 -0.12701164]] [[-0.031094002 0.10686087 0.41985548 0.5293052]]]]

;;; two_added_masks
.input q f32[windows, 1, n, 2]
.input k f32[windows, 1, n, 2]
.input v f32[windows, 1, n, 2]
.input bias f32[1, n, n]
.input mask f32[windows, 1, n, n]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, bias
LOAD_TENSOR r4, mask
MATMUL r5, r0, r1, transpose_rhs=true
ELEMENTWISE_ADD r6, r5, r3
ELEMENTWISE_ADD r7, r4, r6
SOFTMAX r8, r7
MATMUL r9, r8, r2
STORE_TENSOR y, r9
; plan fuse_attention:
;   r0 f32[windows, 1, n, 2] = input q
;   r1 f32[windows, 1, n, 2] = input k
;   r2 f32[windows, 1, n, 2] = input v
;   r3 f32[1, n, n] = input bias
;   r4 f32[windows, 1, n, n] = input mask
;   r5 f32[windows, 1, n, n] = ELEMENTWISE_ADD r3, r4
;   r6 f32[windows, 1, n, 2] = ATTENTION r0, r1, r2, mask=r5, scale=1, masked=nan
;   output y = r6
; run: q=[[[[0 0] [0 0]]]] k=[[[[1 2] [3 4]]]] v=[[[[1 5] [3 7]]]] bias=[[[0 -1e9] [0 0.6931472]]] mask=[[[[0 0] [0 0.4054651]]]] -> y~=[[[[1 5] [2.5 6.5]]]]

;;; two_added_masks_of_halves
.input q f16[windows, 3, n, 8]
.input k f16[windows, 3, n, 8]
.input v f16[windows, 3, n, 8]
.input bias f16[3, n, n]
.input mask f16[windows, 1, n, n]
.output y
LOAD_TENSOR r0, q
LOAD_TENSOR r1, k
LOAD_TENSOR r2, v
LOAD_TENSOR r3, bias
LOAD_TENSOR r4, mask
MATMUL r5, r0, r1, transpose_rhs=true
ELEMENTWISE_ADD r6, r5, r3
ELEMENTWISE_ADD r7, r6, r4
SOFTMAX r8, r7
MATMUL r9, r8, r2
STORE_TENSOR y, r9
; plan fuse_attention:
;   r0 f16[windows, 3, n, 8] = input q
;   r1 f16[windows, 3, n, 8] = input k
;   r2 f16[windows, 3, n, 8] = input v
;   r3 f16[3, n, n] = input bias
;   r4 f16[windows, 1, n, n] = input mask
;   r5 f16[windows, 3, n, n] = MATMUL r0, r1, transpose_rhs=true
;   r6 f16[windows, 3, n, n] = ELEMENTWISE_ADD r5, r3
;   r7 f16[windows, 3, n, n] = ELEMENTWISE_ADD r6, r4
;   r8 f16[windows, 3, n, n] = SOFTMAX r7
;   r9 f16[windows, 3, n, 8] = MATMUL r8, r2
;   output y = r9

;;; the_sum_with_the_inner_mask_has_another_reader
.input q f32[windows, 3, n, 8]
.input bias f32[3, n, n]
.input mask f32[windows, 1, n, n]
.output y
.output z
LOAD_TENSOR r0, q
LOAD_TENSOR r3, bias
LOAD_TENSOR r4, mask
MATMUL r5, r0, r0, transpose_rhs=true
ELEMENTWISE_ADD r6, r5, r3
STORE_TENSOR z, r6
ELEMENTWISE_ADD r7, r6, r4
SOFTMAX r8, r7
MATMUL r9, r8, r0
STORE_TENSOR y, r9
; plan fuse_attention:
;   r0 f32[windows, 3, n, 8] = input q
;   r1 f32[3, n, n] = input bias
;   r2 f32[windows, 1, n, n] = input mask
;   r3 f32[windows, 3, n, n] = MATMUL r0, r0, transpose_rhs=true
;   r4 f32[windows, 3, n, n] = ELEMENTWISE_ADD r3, r1
;   r5 f32[windows, 3, n, n] = ELEMENTWISE_ADD r4, r2
;   r6 f32[windows, 3, n, n] = SOFTMAX r5
;   r7 f32[windows, 3, n, 8] = MATMUL r6, r0
;   output y = r7
;   output z = r4
