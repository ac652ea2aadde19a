; CAST between element types.

;;; floats_to_integers_truncate_and_saturate
.input x f32[n]
.output i8
.output u8
.output i32
.output i64
.output bool
LOAD_TENSOR r0, x
CAST r1, r0, to=i8
STORE_TENSOR i8, r1
CAST r2, r0, to=u8
STORE_TENSOR u8, r2
CAST r3, r0, to=i32
STORE_TENSOR i32, r3
CAST r4, r0, to=i64
STORE_TENSOR i64, r4
CAST r5, r0, to=bool
STORE_TENSOR bool, r5
; run: x=[nan inf -inf 300 -300] -> i8=[0 127 -128 127 -128] u8=[0 255 0 255 0] i32=[0 2147483647 -2147483648 300 -300] i64=[0 9223372036854775807 -9223372036854775808 300 -300] bool=[true true true true true]
; run: x=[2147483648 9223372036854775808.0 -0.9 0.5 0] -> i8=[127 127 0 0 0] u8=[255 255 0 0 0] i32=[2147483647 2147483647 0 0 0] i64=[2147483648 9223372036854775807 0 0 0] bool=[true true true true false]
; run: x=zeros[0] -> i8=zeros[0] u8=zeros[0] i32=zeros[0] i64=zeros[0] bool=zeros[0]

;;; integers_wrap
.input x i64[n]
.output i8
.output u8
.output u64
.output f32
LOAD_TENSOR r0, x
CAST r1, r0, to=i8
STORE_TENSOR i8, r1
CAST r2, r0, to=u8
STORE_TENSOR u8, r2
CAST r3, r0, to=u64
STORE_TENSOR u64, r3
CAST r4, r0, to=f32
STORE_TENSOR f32, r4
; run: x=[-1 255 300 16777217] -> i8=[-1 -1 44 1] u8=[255 255 44 1] u64=[18446744073709551615 255 300 16777217] f32=[-1 255 300 16777216]

;;; halves_round_to_even
.input x f32[n]
.output y
LOAD_TENSOR r0, x
CAST r1, r0, to=f16
CAST r2, r1, to=f32
STORE_TENSOR y, r2
; run: x=[2049 2051 65519 65520 1e-8 nan -inf] -> y=[2048 2052 65504 inf 0 nan -inf]

;;; bfloats_round_to_even
.input x f32[n]
.output y
LOAD_TENSOR r0, x
CAST r1, r0, to=bf16
CAST r2, r1, to=f32
STORE_TENSOR y, r2
; run: x=[257 259 nan inf] -> y=[256 260 nan inf]

;;; bools
.input x bool[n]
.output f32
.output i64
LOAD_TENSOR r0, x
CAST r1, r0, to=f32
STORE_TENSOR f32, r1
CAST r2, r0, to=i64
STORE_TENSOR i64, r2
; run: x=[true false] -> f32=[1 0] i64=[1 0]

;;; same_type_of_a_transposed_tensor
.input x f32[n, m]
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0
CAST r2, r1, to=f32
STORE_TENSOR y, r2
; run: x=[[1 2 3] [4 5 6]] -> y=[[1 4] [2 5] [3 6]]

;;; size_computation_through_floats
.input x f32[n, 2]
.output y
LOAD_TENSOR r0, x
SHAPE_OF r1, r0
CAST r2, r1, to=f32
ELEMENTWISE_MUL r3, r2, 0.5
ELEMENTWISE_FLOOR r4, r3
CAST r5, r4, to=i64
STORE_TENSOR y, r5
; run: x=zeros[7, 2] -> y=[3 1]
