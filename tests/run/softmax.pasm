; SOFTMAX, LOG_SOFTMAX, HARDMAX.

;;; along_the_last_axis
.input x f32[n, m]
.output softmax
.output log_softmax
.output hardmax
LOAD_TENSOR r0, x
SOFTMAX r1, r0
STORE_TENSOR softmax, r1
LOG_SOFTMAX r2, r0
STORE_TENSOR log_softmax, r2
HARDMAX r3, r0
STORE_TENSOR hardmax, r3
; run: x=[[1 2 3] [0 0 0]] -> softmax~=[[0.09003057 0.24472847 0.66524096] [0.33333333 0.33333333 0.33333333]] log_softmax~=[[-2.4076060 -1.4076060 -0.40760596] [-1.0986123 -1.0986123 -1.0986123]] hardmax=[[0 0 1] [1 0 0]]
; run: x=[[1000 1000] [-1000 0]] -> softmax=[[0.5 0.5] [0 1]] log_softmax~=[[-0.69314718 -0.69314718] [-1000 0]] hardmax=[[1 0] [0 1]]
; run: x=[[5]] -> softmax=[[1]] log_softmax=[[0]] hardmax=[[1]]
; run: x=zeros[0, 3] -> softmax=zeros[0, 3] log_softmax=zeros[0, 3] hardmax=zeros[0, 3]
; run: x=zeros[3, 0] -> softmax=zeros[3, 0] log_softmax=zeros[3, 0] hardmax=zeros[3, 0]

;;; row_of_minus_infinity
.input x f32[n, m]
.output y
LOAD_TENSOR r0, x
SOFTMAX r1, r0
STORE_TENSOR y, r1
; run: x=[[-inf -inf] [-inf 0] [1 1]] -> y=[[nan nan] [0 1] [0.5 0.5]]

;;; along_another_axis
.input x f32[n, m, k]
.output first
.output middle
LOAD_TENSOR r0, x
SOFTMAX r1, r0, axis=0
STORE_TENSOR first, r1
SOFTMAX r2, r0, axis=-2
STORE_TENSOR middle, r2
; run: x=[[[0 0 0] [0 0 0]]] -> first=[[[1 1 1] [1 1 1]]] middle=[[[0.5 0.5 0.5] [0.5 0.5 0.5]]]
; run: x=[[[0] [1]] [[0] [1]]] -> first=[[[0.5] [0.5]] [[0.5] [0.5]]] middle~=[[[0.26894142] [0.73105858]] [[0.26894142] [0.73105858]]]

;;; of_a_transposed_tensor
.input x f32[n, m]
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0
SOFTMAX r2, r1
STORE_TENSOR y, r2
; run: x=[[0 1] [0 2]] -> y~=[[0.5 0.5] [0.26894142 0.73105858]]

;;; halves
.input x f16[n]
.output y
LOAD_TENSOR r0, x
SOFTMAX r1, r0
STORE_TENSOR y, r1
; run: x=[60000 60000] -> y=[0.5 0.5]
; run: x=[0 0 0 0] -> y=[0.25 0.25 0.25 0.25]

;;; doubles
.input x f64[n]
.output y
LOAD_TENSOR r0, x
LOG_SOFTMAX r1, r0
STORE_TENSOR y, r1
; run: x=[0 0] -> y~=[-0.69314718 -0.69314718]

;;; axis_must_exist
.input x f32[...]
.output y
LOAD_TENSOR r0, x
SOFTMAX r1, r0, axis=1
STORE_TENSOR y, r1
; fails: x=[1 2] -> "axis 1 is outside"
