; LAYER_NORM, RMS_NORM, BATCH_NORM, GROUP_NORM.

;;; layer_norm
.input x f32[n, m]
.output y
.output mean
.output inverse
LOAD_TENSOR r0, x
LAYER_NORM r1, r0, epsilon=0, mean=r2, inverse_deviation=r3
STORE_TENSOR y, r1
STORE_TENSOR mean, r2
STORE_TENSOR inverse, r3
; run: x=[[1 3] [-2 2]] -> y=[[-1 1] [-1 1]] mean=[[2] [0]] inverse=[[1] [0.5]]
; run: x=zeros[0, 2] -> y=zeros[0, 2] mean=zeros[0, 1] inverse=zeros[0, 1]
; run: x=zeros[1, 0] -> y=zeros[1, 0] mean=[[nan]] inverse=[[nan]]

;;; layer_norm_with_parameters
.input x f32[n, m]
.input scale f32[k]
.input bias f32[m]
.output y
.output only_bias
LOAD_TENSOR r0, x
LOAD_TENSOR r1, scale
LOAD_TENSOR r2, bias
LAYER_NORM r3, r0, scale=r1, bias=r2, epsilon=0
STORE_TENSOR y, r3
LAYER_NORM r4, r0, bias=r2, epsilon=0
STORE_TENSOR only_bias, r4
; run: x=[[1 3] [-2 2]] scale=[2 10] bias=[0.5 1] -> y=[[-1.5 11] [-1.5 11]] only_bias=[[-0.5 2] [-0.5 2]]
; fails: x=[[1 3 5]] scale=[2 10] bias=[1 1 1] -> "scale of shape [2] does not fit"

;;; layer_norm_over_several_axes
.input x f32[n, 2, 2]
.const scale f32[2, 1] = {1, 10}
.output y
LOAD_TENSOR r0, x
LAYER_NORM r1, r0, scale=scale, bias=3.0, axis=1, epsilon=0
STORE_TENSOR y, r1
; run: x=[[[1 1] [3 3]]] -> y=[[[2 2] [13 13]]]

;;; layer_norm_of_halves_does_not_overflow
.input x f16[n, 4]
.output y
LOAD_TENSOR r0, x
LAYER_NORM r1, r0
STORE_TENSOR y, r1
; run: x=[[800 -800 800 -800] [7600 -7600 7600 -7600]] -> y=[[1 -1 1 -1] [1 -1 1 -1]]

;;; layer_norm_of_a_transposed_tensor
.input x f32[n, m]
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0
LAYER_NORM r2, r1, epsilon=0
STORE_TENSOR y, r2
; run: x=[[1 -2] [3 2]] -> y=[[-1 1] [-1 1]]

;;; layer_norm_of_doubles
.input x f64[n, m]
.input scale f64[m]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, scale
LAYER_NORM r2, r0, scale=r1, epsilon=0
STORE_TENSOR y, r2
; run: x=[[1e9 1000000002]] scale=[1 2] -> y=[[-1 2]]

;;; rms_norm
.input x f32[n, m]
.input scale f32[m]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, scale
RMS_NORM r2, r0, scale=r1, epsilon=0
STORE_TENSOR y, r2
; run: x=[[3 -3] [0.5 0.5]] scale=[1 4] -> y=[[1 -4] [1 4]]
; run: x=zeros[0, 2] scale=[1 2] -> y=zeros[0, 2]

;;; batch_norm
.input x f32[n, c, w]
.const scale f32[2] = {1, 2}
.const bias f32[2] = {0, 1}
.const mean f32[2] = {1, 2}
.const variance f32[2] = {4, 1}
.output y
LOAD_TENSOR r0, x
BATCH_NORM r1, r0, scale, bias, mean, variance, epsilon=0
STORE_TENSOR y, r1
; run: x=[[[1 3 5] [2 3 4]]] -> y=[[[0 1 2] [1 3 5]]]
; run: x=zeros[0, 2, 4] -> y=zeros[0, 2, 4]
; run: x=zeros[1, 2, 0] -> y=zeros[1, 2, 0]
; fails: x=zeros[1, 3, 1] -> "BATCH_NORM"

;;; batch_norm_of_channels_last
.input x f32[n, w, c]
.const scale f32[2] = {1, 2}
.const bias f32[2] = {0, 1}
.const mean f32[2] = {1, 2}
.const variance f32[2] = {4, 1}
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0, perm=[0, 2, 1]
BATCH_NORM r2, r1, scale, bias, mean, variance, epsilon=0
STORE_TENSOR y, r2
; run: x=[[[1 2] [3 3] [5 4]]] -> y=[[[0 1 2] [1 3 5]]]

;;; batch_norm_of_halves
.input x f16[n, c]
.const scale f16[2] = {1, 2}
.const bias f16[2] = {0, 1}
.const mean f16[2] = {1, 2}
.const variance f16[2] = {4, 1}
.output y
LOAD_TENSOR r0, x
BATCH_NORM r1, r0, scale, bias, mean, variance, epsilon=0
STORE_TENSOR y, r1
; run: x=[[3 3]] -> y=[[1 3]]

;;; group_norm
.input x f32[n, 4, w]
.const scale f32[4] = {1, 1, 2, 2}
.const bias f32[4] = {0, 1, 0, 1}
.output two
.output instance
.output one
LOAD_TENSOR r0, x
GROUP_NORM r1, r0, scale, bias, groups=2, epsilon=0
STORE_TENSOR two, r1
GROUP_NORM r2, r0, scale, bias, epsilon=0
STORE_TENSOR instance, r2
GROUP_NORM r3, r0, scale, bias, groups=1, epsilon=0
STORE_TENSOR one, r3
; run: x=[[[0 2] [2 0] [0 2] [2 0]]] -> two=[[[-1 1] [2 0] [-2 2] [3 -1]]] instance=[[[-1 1] [2 0] [-2 2] [3 -1]]] one=[[[-1 1] [2 0] [-2 2] [3 -1]]]
; run: x=zeros[0, 4, 2] -> two=zeros[0, 4, 2] instance=zeros[0, 4, 2] one=zeros[0, 4, 2]

;;; group_norm_needs_equal_groups
.input x f32[n, 4, w]
.const ones f32[4] = full(1)
.output y
LOAD_TENSOR r0, x
GROUP_NORM r1, r0, ones, ones, groups=3
STORE_TENSOR y, r1
; fails: x=zeros[1, 4, 2] -> "4 channels cannot be divided into 3 groups"
