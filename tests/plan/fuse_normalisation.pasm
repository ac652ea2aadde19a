; LAYER_NORM and RMS_NORM spelled out.

;;; layer_norm_of_torch
.const scale f32[4] = {1, 2, 3, 4}
.const bias f32[4] = {4, 3, 2, 1}
.input x f32[batch, seq, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=[-1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_POW r3, r2, 2.0
REDUCE_MEAN r4, r3, axis=[-1], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_DIV r7, r2, r6
ELEMENTWISE_MUL r8, r7, scale
ELEMENTWISE_ADD r9, r8, bias
STORE_TENSOR y, r9
; plan fuse_normalisation:
;   r0 f32[batch, seq, 4] = input x
;   c2 f32[4]
;   c3 f32[4]
;   r1 f32[batch, seq, 4], _, _ = LAYER_NORM r0, scale=c2, bias=c3, axis=2, epsilon=1e-05
;   output y = r1
; run: x=[[[1 2 3 5]]] -> y~=[[[2.8167868 1.9858172 2.5070915 7.085097]]]

;;; two_differences_once_they_are_merged
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=[1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_SUB r10, r0, r1
ELEMENTWISE_MUL r3, r10, r10
REDUCE_MEAN r4, r3, axis=[1], keepdims=true
ELEMENTWISE_ADD r5, 1e-5, r4
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_RECIPROCAL r7, r6
ELEMENTWISE_MUL r8, r2, r7
STORE_TENSOR y, r8
; plan merge_equal drop_dead fuse_normalisation:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4], _, _ = LAYER_NORM r0, axis=1, epsilon=1e-05
;   output y = r1
; run: x=[[1 2 3 5]] -> y~=[[-1.1832132 -0.5070914 0.16903046 1.5212741]]

;;; over_two_axes
.const scale f32[3, 4] = full(2)
.input x f32[batch, 3, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=[-2, -1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_POW r3, r2, 2.0
REDUCE_MEAN r4, r3, axis=[2, 1], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_POW r6, r5, 0.5
ELEMENTWISE_DIV r7, r2, r6
ELEMENTWISE_MUL r8, scale, r7
STORE_TENSOR y, r8
; plan fuse_normalisation:
;   r0 f32[batch, 3, 4] = input x
;   c3 f32[3, 4]
;   r1 f32[batch, 3, 4], _, _ = LAYER_NORM r0, scale=c3, axis=1, epsilon=1e-05
;   output y = r1
; run: x=random(1)[1, 3, 4] -> y~=[[[-0.51671606 1.2595862 3.4918153 -1.7278982] [-1.7288352 1.4291941 2.5635836 -0.9478009] [-3.3023112 1.7374573 -2.1265008 -0.13157515]]]

;;; rms_norm_of_llama
.const scale f32[4] = {1, 2, 3, 4}
.input x f32[batch, seq, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_POW r1, r0, 2.0
REDUCE_MEAN r2, r1, axis=[-1], keepdims=true
ELEMENTWISE_ADD r3, r2, 1e-6
ELEMENTWISE_SQRT r4, r3
ELEMENTWISE_DIV r5, 1.0, r4
ELEMENTWISE_MUL r6, r0, r5
ELEMENTWISE_MUL r7, scale, r6
STORE_TENSOR y, r7
; plan fuse_normalisation:
;   r0 f32[batch, seq, 4] = input x
;   c3 f32[4]
;   r1 f32[batch, seq, 4] = RMS_NORM r0, scale=c3, axis=2, epsilon=1e-06
;   output y = r1
; run: x=[[[1 2 3 5]]] -> y~=[[[0.3202563 1.2810252 2.8823066 6.4051256]]]

;;; rms_norm_by_a_negative_power
.input x f32[batch, seq, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_MUL r1, r0, r0
REDUCE_MEAN r2, r1, axis=[-1], keepdims=true
ELEMENTWISE_ADD r3, r2, 1e-6
ELEMENTWISE_POW r4, r3, -0.5
ELEMENTWISE_MUL r5, r4, r0
STORE_TENSOR y, r5
; plan fuse_normalisation:
;   r0 f32[batch, seq, 4] = input x
;   r1 f32[batch, seq, 4] = RMS_NORM r0, axis=2, epsilon=1e-06
;   output y = r1
; run: x=[[[1 2 3 5]]] -> y~=[[[0.3202563 0.6405126 0.9607689 1.6012814]]]

;;; the_difference_has_another_reader
.input x f32[batch, 4]
.output y
.output z
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=[1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=[1], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_DIV r7, r2, r6
STORE_TENSOR y, r7
STORE_TENSOR z, r2
; plan fuse_normalisation:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 1] = REDUCE_MEAN r0, axis=[1], keepdims=true
;   r2 f32[batch, 4] = ELEMENTWISE_SUB r0, r1
;   r3 f32[batch, 4] = RMS_NORM r2, axis=1, epsilon=1e-05
;   output y = r3
;   output z = r2
; run: x=[[1 2 3 5]] -> y~=[[-1.1832132 -0.5070914 0.16903046 1.5212742]] z=[[-1.75 -0.75 0.25 2.25]]

;;; the_deviation_has_another_reader
.input x f32[batch, 4]
.output y
.output z
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=[1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=[1], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_DIV r7, r2, r6
STORE_TENSOR y, r7
STORE_TENSOR z, r6
; plan fuse_normalisation:
;   r0 f32[batch, 4] = input x
;   c0 f32[] = 1e-05
;   r1 f32[batch, 1] = REDUCE_MEAN r0, axis=[1], keepdims=true
;   r2 f32[batch, 4] = ELEMENTWISE_SUB r0, r1
;   r3 f32[batch, 4] = ELEMENTWISE_MUL r2, r2
;   r4 f32[batch, 1] = REDUCE_MEAN r3, axis=[1], keepdims=true
;   r5 f32[batch, 1] = ELEMENTWISE_ADD r4, c0
;   r6 f32[batch, 1] = ELEMENTWISE_SQRT r5
;   r7 f32[batch, 4] = ELEMENTWISE_DIV r2, r6
;   output y = r7
;   output z = r6

;;; not_the_last_axes
.input x f32[batch, 3, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=[1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=[1], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_DIV r7, r2, r6
STORE_TENSOR y, r7
; plan fuse_normalisation:
;   r0 f32[batch, 3, 4] = input x
;   c0 f32[] = 1e-05
;   r1 f32[batch, 1, 4] = REDUCE_MEAN r0, axis=[1], keepdims=true
;   r2 f32[batch, 3, 4] = ELEMENTWISE_SUB r0, r1
;   r3 f32[batch, 3, 4] = ELEMENTWISE_MUL r2, r2
;   r4 f32[batch, 1, 4] = REDUCE_MEAN r3, axis=[1], keepdims=true
;   r5 f32[batch, 1, 4] = ELEMENTWISE_ADD r4, c0
;   r6 f32[batch, 1, 4] = ELEMENTWISE_SQRT r5
;   r7 f32[batch, 3, 4] = ELEMENTWISE_DIV r2, r6
;   output y = r7

;;; means_over_different_axes
.input x f32[batch, 3, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=[1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=[2], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_DIV r7, r2, r6
STORE_TENSOR y, r7
; plan fuse_normalisation:
;   r0 f32[batch, 3, 4] = input x
;   r1 f32[batch, 1, 4] = REDUCE_MEAN r0, axis=[1], keepdims=true
;   r2 f32[batch, 3, 4] = ELEMENTWISE_SUB r0, r1
;   r3 f32[batch, 3, 4] = RMS_NORM r2, axis=2, epsilon=1e-05
;   output y = r3
; run: x=random(1)[1, 3, 4] -> y~=[[[0.9923641 -0.16072552 1.6250684 -0.5899057] [0.19103992 -0.07330317 1.9887922 -0.019100156] [-0.7596464 0.13699807 -1.796424 0.42042997]]]

;;; the_cube_is_no_square
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_POW r1, r0, 3.0
REDUCE_MEAN r2, r1, axis=[-1], keepdims=true
ELEMENTWISE_ADD r3, r2, 1e-6
ELEMENTWISE_SQRT r4, r3
ELEMENTWISE_DIV r5, r0, r4
STORE_TENSOR y, r5
; plan fuse_normalisation:
;   r0 f32[batch, 4] = input x
;   c0 f32[] = 3
;   c1 f32[] = 1e-06
;   r1 f32[batch, 4] = ELEMENTWISE_POW r0, c0
;   r2 f32[batch, 1] = REDUCE_MEAN r1, axis=[-1], keepdims=true
;   r3 f32[batch, 1] = ELEMENTWISE_ADD r2, c1
;   r4 f32[batch, 1] = ELEMENTWISE_SQRT r3
;   r5 f32[batch, 4] = ELEMENTWISE_DIV r0, r4
;   output y = r5

;;; scale_per_token_stays_outside
.const scale f32[3, 1] = {1, 2, 3}
.input x f32[batch, 3, 4]
.output y
LOAD_TENSOR r0, x
LAYER_NORM r1, r0
ELEMENTWISE_MUL r2, r1, scale
STORE_TENSOR y, r2
; plan fuse_normalisation:
;   r0 f32[batch, 3, 4] = input x
;   c0 f32[3, 1]
;   r1 f32[batch, 3, 4], _, _ = LAYER_NORM r0
;   r2 f32[batch, 3, 4] = ELEMENTWISE_MUL r1, c0
;   output y = r2

;;; bias_before_scale_stays_a_scale
.const scale f32[4] = {1, 2, 3, 4}
.input x f32[batch, 3, 4]
.output y
LOAD_TENSOR r0, x
LAYER_NORM r1, r0
ELEMENTWISE_ADD r2, r1, scale
ELEMENTWISE_MUL r3, r2, scale
STORE_TENSOR y, r3
; plan fuse_normalisation:
;   r0 f32[batch, 3, 4] = input x
;   c0 f32[4]
;   r1 f32[batch, 3, 4], _, _ = LAYER_NORM r0, bias=c0
;   r2 f32[batch, 3, 4] = ELEMENTWISE_MUL r1, c0
;   output y = r2
; run: x=random(1)[1, 3, 4] -> y~=[[[0.41843134 4.643807 13.371815 11.209574] [-0.18467772 5.2666817 12.859162 13.059796] [-0.21949077 6.7992415 7.1746945 17.71322]]]

;;; a_residual_is_no_bias
.input x f32[batch, 3, 4]
.output y
LOAD_TENSOR r0, x
LAYER_NORM r1, r0
ELEMENTWISE_ADD r2, r1, r0
STORE_TENSOR y, r2
; plan fuse_normalisation:
;   r0 f32[batch, 3, 4] = input x
;   r1 f32[batch, 3, 4], _, _ = LAYER_NORM r0
;   r2 f32[batch, 3, 4] = ELEMENTWISE_ADD r1, r0
;   output y = r2

;;; layer_norm_of_tensorflow
.const scale f32[4] = {1, 2, 3, 4}
.const bias f32[4] = {4, 3, 2, 1}
.input x f32[batch, seq, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=[-1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=[-1], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_RECIPROCAL r7, r6
ELEMENTWISE_MUL r8, r7, scale
ELEMENTWISE_MUL r9, r0, r8
ELEMENTWISE_MUL r10, r1, r8
ELEMENTWISE_SUB r11, bias, r10
ELEMENTWISE_ADD r12, r9, r11
STORE_TENSOR y, r12
; plan fuse_normalisation:
;   r0 f32[batch, seq, 4] = input x
;   c1 f32[4]
;   c2 f32[4]
;   r1 f32[batch, seq, 4], _, _ = LAYER_NORM r0, scale=c1, bias=c2, axis=2, epsilon=1e-05
;   output y = r1
; run: x=[[[1 2 3 5]]] -> y~=[[[2.8167868 1.9858172 2.5070915 7.085097]]]

;;; tensorflow_with_another_factor
.const scale f32[4] = {1, 2, 3, 4}
.const other f32[4] = {1, 2, 3, 5}
.const bias f32[4] = {4, 3, 2, 1}
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
REDUCE_MEAN r1, r0, axis=[-1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=[-1], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_RECIPROCAL r7, r6
ELEMENTWISE_MUL r8, r7, scale
ELEMENTWISE_MUL r18, r7, other
ELEMENTWISE_MUL r9, r0, r8
ELEMENTWISE_MUL r10, r1, r18
ELEMENTWISE_SUB r11, bias, r10
ELEMENTWISE_ADD r12, r9, r11
STORE_TENSOR y, r12
; plan fuse_normalisation:
;   r0 f32[batch, 4] = input x
;   c0 f32[] = 1e-05
;   c1 f32[4]
;   c2 f32[4]
;   c3 f32[4]
;   r1 f32[batch, 1] = REDUCE_MEAN r0, axis=[-1], keepdims=true
;   r2 f32[batch, 4] = ELEMENTWISE_SUB r0, r1
;   r3 f32[batch, 4] = ELEMENTWISE_MUL r2, r2
;   r4 f32[batch, 1] = REDUCE_MEAN r3, axis=[-1], keepdims=true
;   r5 f32[batch, 1] = ELEMENTWISE_ADD r4, c0
;   r6 f32[batch, 1] = ELEMENTWISE_SQRT r5
;   r7 f32[batch, 1] = ELEMENTWISE_RECIPROCAL r6
;   r8 f32[batch, 4] = ELEMENTWISE_MUL r7, c1
;   r9 f32[batch, 4] = ELEMENTWISE_MUL r7, c2
;   r10 f32[batch, 4] = ELEMENTWISE_MUL r0, r8
;   r11 f32[batch, 4] = ELEMENTWISE_MUL r1, r9
;   r12 f32[batch, 4] = ELEMENTWISE_SUB c3, r11
;   r13 f32[batch, 4] = ELEMENTWISE_ADD r10, r12
;   output y = r13

;;; tensorflow_with_the_mean_of_something_else
.const scale f32[4] = {1, 2, 3, 4}
.const bias f32[4] = {4, 3, 2, 1}
.input x f32[batch, 4]
.input z f32[batch, 1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r20, z
REDUCE_MEAN r1, r0, axis=[-1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=[-1], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_RECIPROCAL r7, r6
ELEMENTWISE_MUL r8, r7, scale
ELEMENTWISE_MUL r9, r0, r8
ELEMENTWISE_MUL r10, r20, r8
ELEMENTWISE_SUB r11, bias, r10
ELEMENTWISE_ADD r12, r9, r11
STORE_TENSOR y, r12
; plan fuse_normalisation:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 1] = input z
;   c0 f32[] = 1e-05
;   c1 f32[4]
;   c2 f32[4]
;   r2 f32[batch, 1] = REDUCE_MEAN r0, axis=[-1], keepdims=true
;   r3 f32[batch, 4] = ELEMENTWISE_SUB r0, r2
;   r4 f32[batch, 4] = ELEMENTWISE_MUL r3, r3
;   r5 f32[batch, 1] = REDUCE_MEAN r4, axis=[-1], keepdims=true
;   r6 f32[batch, 1] = ELEMENTWISE_ADD r5, c0
;   r7 f32[batch, 1] = ELEMENTWISE_SQRT r6
;   r8 f32[batch, 1] = ELEMENTWISE_RECIPROCAL r7
;   r9 f32[batch, 4] = ELEMENTWISE_MUL r8, c1
;   r10 f32[batch, 4] = ELEMENTWISE_MUL r0, r9
;   r11 f32[batch, 4] = ELEMENTWISE_MUL r1, r9
;   r12 f32[batch, 4] = ELEMENTWISE_SUB c2, r11
;   r13 f32[batch, 4] = ELEMENTWISE_ADD r10, r12
;   output y = r13

;;; tensorflow_with_a_bias_per_token
.const scale f32[4] = {1, 2, 3, 4}
.input x f32[batch, 4]
.input z f32[batch, 1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r20, z
REDUCE_MEAN r1, r0, axis=[-1], keepdims=true
ELEMENTWISE_SUB r2, r0, r1
ELEMENTWISE_MUL r3, r2, r2
REDUCE_MEAN r4, r3, axis=[-1], keepdims=true
ELEMENTWISE_ADD r5, r4, 1e-5
ELEMENTWISE_SQRT r6, r5
ELEMENTWISE_RECIPROCAL r7, r6
ELEMENTWISE_MUL r8, r7, scale
ELEMENTWISE_MUL r9, r0, r8
ELEMENTWISE_MUL r10, r1, r8
ELEMENTWISE_SUB r11, r20, r10
ELEMENTWISE_ADD r12, r9, r11
STORE_TENSOR y, r12
; plan fuse_normalisation:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 1] = input z
;   c0 f32[] = 1e-05
;   c1 f32[4]
;   r2 f32[batch, 1] = REDUCE_MEAN r0, axis=[-1], keepdims=true
;   r3 f32[batch, 4] = ELEMENTWISE_SUB r0, r2
;   r4 f32[batch, 4] = ELEMENTWISE_MUL r3, r3
;   r5 f32[batch, 1] = REDUCE_MEAN r4, axis=[-1], keepdims=true
;   r6 f32[batch, 1] = ELEMENTWISE_ADD r5, c0
;   r7 f32[batch, 1] = ELEMENTWISE_SQRT r6
;   r8 f32[batch, 1] = ELEMENTWISE_RECIPROCAL r7
;   r9 f32[batch, 4] = ELEMENTWISE_MUL r8, c1
;   r10 f32[batch, 4] = ELEMENTWISE_MUL r0, r9
;   r11 f32[batch, 4] = ELEMENTWISE_MUL r2, r9
;   r12 f32[batch, 4] = ELEMENTWISE_SUB r1, r11
;   r13 f32[batch, 4] = ELEMENTWISE_ADD r10, r12
;   output y = r13
