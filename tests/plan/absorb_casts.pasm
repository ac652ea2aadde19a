; Norms and softmax of f32 between casts from and to 16 bits.

;;; softmax
.input x f16[n, m]
.output y
LOAD_TENSOR r0, x
CAST r1, r0, to=f32
SOFTMAX r2, r1
CAST r3, r2, to=f16
STORE_TENSOR y, r3
; plan absorb_casts:
;   r0 f16[n, m] = input x
;   r1 f16[n, m] = SOFTMAX r0
;   output y = r1
; run: x=[[0 0 0 0]] -> y=[[0.25 0.25 0.25 0.25]]

;;; norm_with_parameters
.const scale bf16[4] = {1, 2, 3, 4}
.const bias bf16[4] = {1, 0, 0, 2}
.input x bf16[n, 4]
.output y
LOAD_TENSOR r0, x
CAST r1, r0, to=f32
CAST r2, scale, to=f32
CAST r3, bias, to=f32
LAYER_NORM r4, r1, scale=r2, bias=r3
CAST r5, r4, to=bf16
STORE_TENSOR y, r5
; plan absorb_casts:
;   r0 bf16[n, 4] = input x
;   c0 bf16[4]
;   c1 bf16[4]
;   r1 bf16[n, 4], _, _ = LAYER_NORM r0, scale=c0, bias=c1
;   output y = r1

;;; rms_norm_of_llama_in_halves
.const scale f16[4] = {1, 2, 3, 4}
.input x f16[n, 4]
.output y
LOAD_TENSOR r0, x
CAST r1, r0, to=f32
ELEMENTWISE_POW r2, r1, 2.0
REDUCE_MEAN r3, r2, axis=[-1], keepdims=true
ELEMENTWISE_ADD r4, r3, 1e-6
ELEMENTWISE_SQRT r5, r4
ELEMENTWISE_RECIPROCAL r6, r5
ELEMENTWISE_MUL r7, r1, r6
CAST r8, r7, to=f16
ELEMENTWISE_MUL r9, scale, r8
STORE_TENSOR y, r9
; plan all:
;   r0 f16[n, 4] = input x
;   c2 f16[4]
;   r1 f16[n, 4] = RMS_NORM r0, scale=c2, axis=1, epsilon=1e-06
;   output y = r1
; run: x=[[1 1 1 1]] -> y=[[1 2 3 4]]

;;; another_reader
.input x f16[n, m]
.output y
.output z
LOAD_TENSOR r0, x
CAST r1, r0, to=f32
SOFTMAX r2, r1
CAST r3, r2, to=f16
STORE_TENSOR y, r3
STORE_TENSOR z, r2
; plan absorb_casts:
;   r0 f16[n, m] = input x
;   r1 f32[n, m] = CAST r0, to=f32
;   r2 f32[n, m] = SOFTMAX r1
;   r3 f16[n, m] = CAST r2, to=f16
;   output y = r3
;   output z = r2

;;; another_type
.input x f16[n, m]
.output y
LOAD_TENSOR r0, x
CAST r1, r0, to=f32
SOFTMAX r2, r1
CAST r3, r2, to=bf16
STORE_TENSOR y, r3
; plan absorb_casts:
;   r0 f16[n, m] = input x
;   r1 f32[n, m] = CAST r0, to=f32
;   r2 f32[n, m] = SOFTMAX r1
;   r3 bf16[n, m] = CAST r2, to=bf16
;   output y = r3

;;; computed_in_doubles
.input x f16[n, m]
.output y
LOAD_TENSOR r0, x
CAST r1, r0, to=f64
SOFTMAX r2, r1
CAST r3, r2, to=f16
STORE_TENSOR y, r3
; plan absorb_casts:
;   r0 f16[n, m] = input x
;   r1 f64[n, m] = CAST r0, to=f64
;   r2 f64[n, m] = SOFTMAX r1
;   r3 f16[n, m] = CAST r2, to=f16
;   output y = r3

;;; a_scale_that_is_no_half
.input x f16[n, m]
.input scale f32[m]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r9, scale
CAST r1, r0, to=f32
RMS_NORM r2, r1, scale=r9
CAST r3, r2, to=f16
STORE_TENSOR y, r3
; plan absorb_casts:
;   r0 f16[n, m] = input x
;   r1 f32[m] = input scale
;   r2 f32[n, m] = CAST r0, to=f32
;   r3 f32[n, m] = RMS_NORM r2, scale=r1
;   r4 f16[n, m] = CAST r3, to=f16
;   output y = r4
