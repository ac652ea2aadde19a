; QUANTIZE, DEQUANTIZE, DYNAMIC_QUANTIZE.

;;; one_scale
.input x f32[n]
.input scale f32[]
.input zero u8[]
.output y
.output back
LOAD_TENSOR r0, x
LOAD_TENSOR r1, scale
LOAD_TENSOR r2, zero
QUANTIZE r3, r0, r1, zero_point=r2, to=u8
STORE_TENSOR y, r3
DEQUANTIZE r4, r3, r1, zero_point=r2
STORE_TENSOR back, r4
; run: x=[0 1 3 5 -1 254 1000 -1000] scale=2 zero=128 -> y=[128 128 130 130 128 255 255 0] back=[0 0 4 4 0 254 254 -256]
; run: x=[inf -inf nan] scale=1 zero=7 -> y=[255 0 0] back=[248 -7 -7]
; run: x=zeros[0] scale=1 zero=0 -> y=zeros[0] back=zeros[0]

;;; without_a_zero_point
.input x f32[n]
.output y
LOAD_TENSOR r0, x
QUANTIZE r1, r0, 0.5, to=i8
STORE_TENSOR y, r1
; run: x=[1 -1 0.25 0.75 100 -100] -> y=[2 -2 0 2 127 -128]

;;; scale_per_channel
.input x f32[n, c, w]
.input scale f32[s]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, scale
QUANTIZE r2, r0, r1, to=i16
STORE_TENSOR y, r2
; run: x=[[[1 2] [3 4] [5 6]]] scale=[1 2 4] -> y=[[[1 2] [2 2] [1 2]]]
; run: x=zeros[0, 3, 2] scale=[1 2 4] -> y=zeros[0, 3, 2]
; fails: x=ones[1, 3, 2] scale=[1 2] -> "scale axis 0 is 2, x axis 1 is 3"

;;; blocks
.input x i8[n, m]
.input scale f32[n, s]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, scale
DEQUANTIZE r2, r0, r1, axis=-1, block=2
STORE_TENSOR y, r2
; run: x=[[1 1 1 1 1] [2 2 2 2 2]] scale=[[1 2 3] [4 5 6]] -> y=[[1 1 2 2 3] [8 8 10 10 12]]
; fails: x=[[1 1 1]] scale=[[1]] -> "scale axis 1 is 1"

;;; dynamic
.input x f32[n]
.output y
.output scale
.output zero
LOAD_TENSOR r0, x
DYNAMIC_QUANTIZE r1, r2, r3, r0
STORE_TENSOR y, r1
STORE_TENSOR scale, r2
STORE_TENSOR zero, r3
; run: x=[0 2 -3 -2.5 1.34 0.5] -> y=[153 255 0 26 221 179] scale~=0.019607844 zero=153
; run: x=[0 0] -> y=[0 0] scale=1 zero=0
; run: x=zeros[0] -> y=zeros[0] scale=1 zero=0

;;; dynamic_without_the_quantised_tensor
.input x f32[n]
.output scale
LOAD_TENSOR r0, x
DYNAMIC_QUANTIZE _, r1, _, r0
STORE_TENSOR scale, r1
; run: x=[255] -> scale=1
