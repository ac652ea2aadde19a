; Row-wise kernels and the elementwise nodes around them run block of rows by block of rows: "&"
; stands before a step that runs together with the one above.

;;; a_sum_and_its_norm
.const scale f32[8] = seeded(1)
.const bias f32[8] = seeded(2)
.input x f32[n, m, 8]
.input z f32[n, m, 8]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, z
ELEMENTWISE_ADD r2, r0, r1
LAYER_NORM r3, r2, scale=scale, bias=bias
STORE_TENSOR y, r3
; plan group_elementwise join_rows:
;   r0 f32[n, m, 8] = input x
;   r1 f32[n, m, 8] = input z
;   c0 f32[8]
;   c1 f32[8]
;   r2 f32[n, m, 8] = ELEMENTWISE_ADD r0, r1
;   & r3 f32[n, m, 8], _, _ = LAYER_NORM r2, scale=c0, bias=c1
;   output y = r3

;;; a_stream_that_goes_on
.const scale f32[8] = seeded(1)
.const weights f32[8, 8] = seeded(2)
.input x f32[n, 8]
.input z f32[n, 8]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, z
ELEMENTWISE_ADD r2, r0, r1
RMS_NORM r3, r2, scale=scale
MATMUL r4, r3, weights
ELEMENTWISE_ADD r5, r4, r2
STORE_TENSOR y, r5
; plan group_elementwise join_rows:
;   r0 f32[n, 8] = input x
;   r1 f32[n, 8] = input z
;   c0 f32[8]
;   c1 f32[8, 8]
;   r2 f32[n, 8] = ELEMENTWISE_ADD r0, r1
;   & r3 f32[n, 8] = RMS_NORM r2, scale=c0
;   r4 f32[n, 8] = MATMUL r3, c1 | ELEMENTWISE_ADD r2
;   output y = r4

;;; scale_mask_softmax
.input x f32[b, h, s, t]
.input mask f32[b, 1, 1, t]
.output y
.output total
LOAD_TENSOR r0, x
LOAD_TENSOR r1, mask
ELEMENTWISE_MUL r2, r0, 0.125
ELEMENTWISE_ADD r3, r2, r1
SOFTMAX r4, r3
REDUCE_SUM r5, r4, axis=-1, keepdims=true
ELEMENTWISE_DIV r6, r4, r5
STORE_TENSOR y, r6
STORE_TENSOR total, r5
; plan group_elementwise join_rows:
;   r0 f32[b, h, s, t] = input x
;   r1 f32[b, 1, 1, t] = input mask
;   c0 f32[] = 0.125
;   r2 f32[b, h, s, t] = ELEMENTWISE_MUL r0, c0 | ELEMENTWISE_ADD r1
;   & r3 f32[b, h, s, t] = SOFTMAX r2
;   & r4 f32[b, h, s, 1] = REDUCE_SUM r3, axis=[-1], keepdims=true
;   & r5 f32[b, h, s, t] = ELEMENTWISE_DIV r3, r4
;   output y = r5
;   output total = r4

;;; a_norm_in_parts
.input x f32[n, m]
.output y
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=1, keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=1, keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_DIV r7, r2, r6
STORE_TENSOR y, r7
; plan group_elementwise join_rows:
;   r0 f32[n, m] = input x
;   c0 f32[] = 1e-05
;   r1 f32[n, 1] = REDUCE_MEAN r0, axis=[1], keepdims=true
;   & r2 f32[n, m] = ELEMENTWISE_SUB r0, r1
;   & r3 f32[n, m] = ELEMENTWISE_MUL r2, r2
;   & r4 f32[n, 1] = REDUCE_MEAN r3, axis=[1], keepdims=true | ELEMENTWISE_ADD c0 | ELEMENTWISE_SQRT
;   & r5 f32[n, m] = ELEMENTWISE_DIV r2, r4
;   output y = r5

;;; what_is_read_in_between
.const weights f32[8, 8] = seeded(2)
.input x f32[n, 8]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_EXP r1, r0
MATMUL r2, r1, weights
ELEMENTWISE_SIN r3, r1
MATMUL r4, r3, r2
SOFTMAX r5, r1
ELEMENTWISE_ADD r6, r5, r4
STORE_TENSOR y, r6
; plan group_elementwise join_rows:
;   r0 f32[n, 8] = input x
;   c0 f32[8, 8]
;   r1 f32[n, 8] = ELEMENTWISE_EXP r0
;   r2 f32[n, 8] = MATMUL r1, c0
;   r3 f32[n, 8] = ELEMENTWISE_SIN r1
;   r4 f32[n, 8] = MATMUL r3, r2
;   r5 f32[n, 8] = SOFTMAX r1 | ELEMENTWISE_ADD r4
;   output y = r5

;;; columns
.input x f32[n, m]
.output y
.output z
LOAD_TENSOR r0, x
ELEMENTWISE_EXP r1, r0
SOFTMAX r2, r1, axis=0
STORE_TENSOR y, r2
REDUCE_SUM r3, r1, axis=0
STORE_TENSOR z, r3
; plan group_elementwise join_rows:
;   r0 f32[n, m] = input x
;   r1 f32[n, m] = ELEMENTWISE_EXP r0
;   r2 f32[n, m] = SOFTMAX r1, axis=0
;   r3 f32[m] = REDUCE_SUM r1, axis=[0]
;   output y = r2
;   output z = r3

;;; a_scale_is_no_row
.input x f32[n, 4]
.input w f32[4]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, w
ELEMENTWISE_EXP r2, r1
RMS_NORM r3, r0, scale=r2
STORE_TENSOR y, r3
; plan group_elementwise join_rows:
;   r0 f32[n, 4] = input x
;   r1 f32[4] = input w
;   r2 f32[4] = ELEMENTWISE_EXP r1
;   r3 f32[n, 4] = RMS_NORM r0, scale=r2
;   output y = r3

;;; rows_that_meet_in_another_order
.input x f32[n, 4]
.output y
LOAD_TENSOR r0, x
SOFTMAX r1, r0
REDUCE_MAX r2, r1, axis=-1
ELEMENTWISE_ADD r3, r1, r2
STORE_TENSOR y, r3
; plan group_elementwise join_rows:
;   r0 f32[n, 4] = input x
;   r1 f32[n, 4] = SOFTMAX r0
;   & r2 f32[n] = REDUCE_MAX r1, axis=[-1]
;   r3 f32[n, 4] = ELEMENTWISE_ADD r1, r2
;   output y = r3
