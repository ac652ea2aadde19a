; ELEMENTWISE_… rows: values, broadcasting, types, edges.

;;; arithmetic
.input a f32[n]
.input b f32[n]
.output sum
.output difference
.output product
.output quotient
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_ADD r2, r0, r1
STORE_TENSOR sum, r2
ELEMENTWISE_SUB r3, r0, r1
STORE_TENSOR difference, r3
ELEMENTWISE_MUL r4, r0, r1
STORE_TENSOR product, r4
ELEMENTWISE_DIV r5, r0, r1
STORE_TENSOR quotient, r5
; run: a=[1 2 -3] b=[2 -4 0] -> sum=[3 -2 -3] difference=[-1 6 -3] product=[2 -8 0] quotient=[0.5 -0.5 -inf]
; run: a=zeros[0] b=zeros[0] -> sum=zeros[0] difference=zeros[0] product=zeros[0] quotient=zeros[0]
; run: a=[inf] b=[inf] -> sum=[inf] difference=[nan] product=[inf] quotient=[nan]

;;; broadcasts_both_ways
.input a f32[n, 1]
.input b f32[m]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_ADD r2, r0, r1
STORE_TENSOR y, r2
; run: a=[[1] [2]] b=[10 20 30] -> y=[[11 21 31] [12 22 32]]
; run: a=[[1] [2]] b=zeros[0] -> y=zeros[2, 0]
; run: a=zeros[0, 1] b=[1 2] -> y=zeros[0, 2]
; run: a=[[1] [2]] b=[5] -> y=[[6] [7]]

;;; one_against_zero_elements
.input a f32[n]
.input b f32[m]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_MUL r2, r0, r1
STORE_TENSOR y, r2
; run: a=[3] b=zeros[0] -> y=zeros[0]
; run: a=[1 2 3] b=[2] -> y=[2 4 6]
; fails: a=[1 2 3] b=[1 2] -> "do not broadcast"
; fails: a=[1 2 3] b=zeros[0] -> "do not broadcast"

;;; scalars
.input a f32[]
.output y
LOAD_TENSOR r0, a
ELEMENTWISE_MUL r1, r0, 2.5
ELEMENTWISE_SUB r2, 1.0, r1
STORE_TENSOR y, r2
; run: a=2 -> y=-4

;;; transposed_operand
.input a f32[n, m]
.input b f32[m, n]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
TRANSPOSE r2, r1
ELEMENTWISE_SUB r3, r0, r2
STORE_TENSOR y, r3
; run: a=[[1 2 3] [4 5 6]] b=[[1 4] [2 5] [3 6]] -> y=zeros[2, 3]

;;; reversed_operand
.input a f32[n]
.output y
LOAD_TENSOR r0, a
SLICE r1, r0, [-1], [-1000], steps=[-1]
ELEMENTWISE_ADD r2, r0, r1
STORE_TENSOR y, r2
; run: a=[1 2 3 4] -> y=[5 5 5 5]

;;; integers_wrap
.input a i32[n]
.input b i32[n]
.output sum
.output product
.output quotient
.output modulo
.output remainder
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_ADD r2, r0, r1
STORE_TENSOR sum, r2
ELEMENTWISE_MUL r3, r0, r1
STORE_TENSOR product, r3
ELEMENTWISE_DIV r4, r0, r1
STORE_TENSOR quotient, r4
ELEMENTWISE_MOD r5, r0, r1
STORE_TENSOR modulo, r5
ELEMENTWISE_MOD r6, r0, r1, sign=follows_dividend
STORE_TENSOR remainder, r6
; run: a=[2147483647 -2147483648 7 -7 7 -7] b=[1 -1 0 2 -2 -2] -> sum=[-2147483648 2147483647 7 -5 5 -9] product=[2147483647 -2147483648 0 -14 -14 14] quotient=[2147483647 -2147483648 0 -3 -3 3] modulo=[0 0 0 1 -1 -1] remainder=[0 0 0 -1 1 -1]

;;; bytes_wrap
.input a u8[n]
.input b u8[n]
.output sum
.output difference
.output negated
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_ADD r2, r0, r1
STORE_TENSOR sum, r2
ELEMENTWISE_SUB r3, r0, r1
STORE_TENSOR difference, r3
ELEMENTWISE_NEG r4, r0
STORE_TENSOR negated, r4
; run: a=[255 0 3] b=[1 1 2] -> sum=[0 1 5] difference=[254 255 1] negated=[1 0 253]

;;; shifts
.input a u32[n]
.input b u32[n]
.output left
.output right
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_SHIFT_LEFT r2, r0, r1
STORE_TENSOR left, r2
ELEMENTWISE_SHIFT_RIGHT r3, r0, r1
STORE_TENSOR right, r3
; run: a=[1 1 4294967295 16] b=[31 32 4 2] -> left=[2147483648 0 4294967280 64] right=[0 0 268435455 4]

;;; bits
.input a i8[n]
.input b i8[n]
.output and
.output or
.output xor
.output not
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_BITWISE_AND r2, r0, r1
STORE_TENSOR and, r2
ELEMENTWISE_BITWISE_OR r3, r0, r1
STORE_TENSOR or, r3
ELEMENTWISE_BITWISE_XOR r4, r0, r1
STORE_TENSOR xor, r4
ELEMENTWISE_BITWISE_NOT r5, r0
STORE_TENSOR not, r5
; run: a=[12 -1] b=[10 7] -> and=[8 7] or=[14 -1] xor=[6 -8] not=[-13 0]

;;; logic
.input a bool[n]
.input b bool[n]
.output and
.output or
.output xor
.output not
.output equal
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_AND r2, r0, r1
STORE_TENSOR and, r2
ELEMENTWISE_OR r3, r0, r1
STORE_TENSOR or, r3
ELEMENTWISE_XOR r4, r0, r1
STORE_TENSOR xor, r4
ELEMENTWISE_NOT r5, r0
STORE_TENSOR not, r5
ELEMENTWISE_EQUAL r6, r0, r1
STORE_TENSOR equal, r6
; run: a=[false false true true] b=[false true false true] -> and=[false false false true] or=[false true true true] xor=[false true true false] not=[true true false false] equal=[true false false true]

;;; comparisons
.input a f32[n]
.input b f32[n]
.output equal
.output greater
.output greater_or_equal
.output less
.output less_or_equal
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_EQUAL r2, r0, r1
STORE_TENSOR equal, r2
ELEMENTWISE_GREATER r3, r0, r1
STORE_TENSOR greater, r3
ELEMENTWISE_GREATER_OR_EQUAL r4, r0, r1
STORE_TENSOR greater_or_equal, r4
ELEMENTWISE_LESS r5, r0, r1
STORE_TENSOR less, r5
ELEMENTWISE_LESS_OR_EQUAL r6, r0, r1
STORE_TENSOR less_or_equal, r6
; run: a=[1 2 3 nan] b=[2 2 2 nan] -> equal=[false true false false] greater=[false false true false] greater_or_equal=[false true true false] less=[true false false false] less_or_equal=[true true false false]

;;; comparison_of_large_integers
.input a i64[n]
.output y
LOAD_TENSOR r0, a
ELEMENTWISE_GREATER r1, r0, 9007199254740992
STORE_TENSOR y, r1
; run: a=[9007199254740992 9007199254740993] -> y=[false true]

;;; minimum_and_maximum
.input a f32[n]
.input b f32[n]
.output smaller
.output larger
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_MIN r2, r0, r1
STORE_TENSOR smaller, r2
ELEMENTWISE_MAX r3, r0, r1
STORE_TENSOR larger, r3
; run: a=[1 nan 5 -inf] b=[2 1 nan inf] -> smaller=[1 nan nan -inf] larger=[2 nan nan inf]

;;; select
.input condition bool[n, 1]
.input a f32[m]
.input b f32[]
.output y
LOAD_TENSOR r0, condition
LOAD_TENSOR r1, a
LOAD_TENSOR r2, b
ELEMENTWISE_SELECT r3, r0, r1, r2
STORE_TENSOR y, r3
; run: condition=[[true] [false]] a=[1 2 nan] b=7 -> y=[[1 2 nan] [7 7 7]]
; run: condition=zeros[0, 1] a=[1 2] b=7 -> y=zeros[0, 2]

;;; select_of_integers
.input condition bool[n]
.input a i64[n]
.output y
LOAD_TENSOR r0, condition
LOAD_TENSOR r1, a
ELEMENTWISE_SELECT r2, r0, r1, -1
STORE_TENSOR y, r2
; run: condition=[true false true] a=[9223372036854775807 2 3] -> y=[9223372036854775807 -1 3]

;;; clip
.input x f32[n]
.output both
.output crossed
.output low
.output high
.output neither
LOAD_TENSOR r0, x
ELEMENTWISE_CLIP r1, r0, low=-1.0, high=2.0
STORE_TENSOR both, r1
ELEMENTWISE_CLIP r2, r0, low=3.0, high=1.0
STORE_TENSOR crossed, r2
ELEMENTWISE_CLIP r3, r0, low=0.0
STORE_TENSOR low, r3
ELEMENTWISE_CLIP r4, r0, high=0.0
STORE_TENSOR high, r4
ELEMENTWISE_CLIP r5, r0
STORE_TENSOR neither, r5
; run: x=[-5 0.5 5 nan] -> both=[-1 0.5 2 nan] crossed=[1 1 1 nan] low=[0 0.5 5 nan] high=[-5 0 0 nan] neither=[-5 0.5 5 nan]

;;; clip_needs_one_element
.input x f32[n]
.input low f32[m]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, low
ELEMENTWISE_CLIP r2, r0, low=r1
STORE_TENSOR y, r2
; run: x=[-5 5] low=[0] -> y=[0 5]
; fails: x=[-5 5] low=[0 1] -> "a bound must have one element"

;;; power
.input x f32[n]
.output square
.output cube
.output root
.output inverse
LOAD_TENSOR r0, x
ELEMENTWISE_POW r1, r0, 2.0
STORE_TENSOR square, r1
ELEMENTWISE_POW r2, r0, 3
STORE_TENSOR cube, r2
ELEMENTWISE_POW r3, r0, 0.5
STORE_TENSOR root, r3
ELEMENTWISE_POW r4, r0, -1
STORE_TENSOR inverse, r4
; run: x=[-3 0.5 4 0] -> square~=[9 0.25 16 0] cube~=[-27 0.125 64 0] root~=[nan 0.70710678 2 0] inverse~=[-0.33333333 2 0.25 inf]

;;; power_of_integers
.input x i64[n]
.input e f32[n]
.output whole
.output real
LOAD_TENSOR r0, x
LOAD_TENSOR r1, e
ELEMENTWISE_POW r2, r0, 3
STORE_TENSOR whole, r2
ELEMENTWISE_POW r3, r0, r1
STORE_TENSOR real, r3
; run: x=[2 -3 10] e=[0.5 2 -1] -> whole=[8 -27 1000] real=[1 9 0]

;;; activations
.input x f32[n]
.output relu
.output leaky
.output hard_sigmoid
.output hard_swish
.output elu
.output selu
.output celu
.output softsign
.output thresholded
.output shrink
LOAD_TENSOR r0, x
ELEMENTWISE_RELU r1, r0
STORE_TENSOR relu, r1
ELEMENTWISE_LEAKY_RELU r2, r0, alpha=0.5
STORE_TENSOR leaky, r2
ELEMENTWISE_HARD_SIGMOID r3, r0
STORE_TENSOR hard_sigmoid, r3
ELEMENTWISE_HARD_SWISH r4, r0
STORE_TENSOR hard_swish, r4
ELEMENTWISE_ELU r5, r0, alpha=2
STORE_TENSOR elu, r5
ELEMENTWISE_SELU r6, r0
STORE_TENSOR selu, r6
ELEMENTWISE_CELU r7, r0, alpha=2
STORE_TENSOR celu, r7
ELEMENTWISE_SOFTSIGN r8, r0
STORE_TENSOR softsign, r8
ELEMENTWISE_THRESHOLDED_RELU r9, r0, alpha=1
STORE_TENSOR thresholded, r9
ELEMENTWISE_SHRINK r10, r0, alpha=1, beta=0.5
STORE_TENSOR shrink, r10
; run: x=[-2 0 0.5 3] -> relu=[0 0 0.5 3] leaky=[-1 0 0.5 3] hard_sigmoid~=[0.1 0.5 0.6 1] hard_swish~=[-0.3333333 0 0.2916667 3] elu~=[-1.7293294 0 0.5 3] selu~=[-1.5201665 0 0.52535050 3.1521030] celu~=[-1.2642411 0 0.5 3] softsign~=[-0.6666667 0 0.3333333 0.75] thresholded=[0 0 0 3] shrink=[-1.5 0 0 2.5]
; run: x=[nan] -> relu=[nan] leaky=[nan] hard_sigmoid=[nan] hard_swish=[nan] elu=[nan] selu=[nan] celu=[nan] softsign=[nan] thresholded=[nan] shrink=[nan]

;;; smooth_activations
.input x f32[n]
.output sigmoid
.output tanh
.output gelu
.output gelu_tanh
.output softplus
.output mish
.output swish
.output erf
LOAD_TENSOR r0, x
ELEMENTWISE_SIGMOID r1, r0
STORE_TENSOR sigmoid, r1
ELEMENTWISE_TANH r2, r0
STORE_TENSOR tanh, r2
ELEMENTWISE_GELU r3, r0
STORE_TENSOR gelu, r3
ELEMENTWISE_GELU r4, r0, form=tanh
STORE_TENSOR gelu_tanh, r4
ELEMENTWISE_SOFTPLUS r5, r0
STORE_TENSOR softplus, r5
ELEMENTWISE_MISH r6, r0
STORE_TENSOR mish, r6
ELEMENTWISE_SWISH r7, r0
STORE_TENSOR swish, r7
ELEMENTWISE_ERF r8, r0
STORE_TENSOR erf, r8
; run: x=[-1 0 1 2] -> sigmoid~=[0.26894142 0.5 0.73105858 0.88079708] tanh~=[-0.76159416 0 0.76159416 0.96402758] gelu~=[-0.15865525 0 0.84134475 1.9544997] gelu_tanh~=[-0.15880801 0 0.84119199 1.9545977] softplus~=[0.31326169 0.69314718 1.3132617 2.1269280] mish~=[-0.30340146 0 0.86509839 1.9439590] swish~=[-0.26894142 0 0.73105858 1.7615942] erf~=[-0.84270079 0 0.84270079 0.99532227]
; run: x=[-1000 1000 inf] -> sigmoid=[0 1 1] tanh=[-1 1 1] gelu=[0 1000 inf] gelu_tanh=[0 1000 inf] softplus=[0 1000 inf] mish=[0 1000 inf] swish=[0 1000 inf] erf=[-1 1 1]

;;; exponential_and_logarithm
.input x f32[n]
.output exp
.output log
.output sqrt
.output reciprocal
LOAD_TENSOR r0, x
ELEMENTWISE_EXP r1, r0
STORE_TENSOR exp, r1
ELEMENTWISE_LOG r2, r0
STORE_TENSOR log, r2
ELEMENTWISE_SQRT r3, r0
STORE_TENSOR sqrt, r3
ELEMENTWISE_RECIPROCAL r4, r0
STORE_TENSOR reciprocal, r4
; run: x=[0 1 4 -1] -> exp~=[1 2.7182818 54.598150 0.36787944] log~=[-inf 0 1.3862944 nan] sqrt=[0 1 2 nan] reciprocal=[inf 1 0.25 -1]
; run: x=[inf -inf nan 100] -> exp=[inf 0 nan inf] log~=[inf nan nan 4.6051702] sqrt=[inf nan nan 10] reciprocal~=[0 0 nan 0.01]

;;; trigonometry
.input x f32[n]
.output sin
.output cos
.output tan
.output asin
.output acos
.output atan
.output sinh
.output cosh
.output asinh
.output acosh
.output atanh
LOAD_TENSOR r0, x
ELEMENTWISE_SIN r1, r0
STORE_TENSOR sin, r1
ELEMENTWISE_COS r2, r0
STORE_TENSOR cos, r2
ELEMENTWISE_TAN r3, r0
STORE_TENSOR tan, r3
ELEMENTWISE_ASIN r4, r0
STORE_TENSOR asin, r4
ELEMENTWISE_ACOS r5, r0
STORE_TENSOR acos, r5
ELEMENTWISE_ATAN r6, r0
STORE_TENSOR atan, r6
ELEMENTWISE_SINH r7, r0
STORE_TENSOR sinh, r7
ELEMENTWISE_COSH r8, r0
STORE_TENSOR cosh, r8
ELEMENTWISE_ASINH r9, r0
STORE_TENSOR asinh, r9
ELEMENTWISE_ACOSH r10, r0
STORE_TENSOR acosh, r10
ELEMENTWISE_ATANH r11, r0
STORE_TENSOR atanh, r11
; run: x=[0.5 1] -> sin~=[0.47942554 0.84147098] cos~=[0.87758256 0.54030231] tan~=[0.54630249 1.5574077] asin~=[0.52359878 1.5707963] acos~=[1.0471976 0] atan~=[0.46364761 0.78539816] sinh~=[0.52109531 1.1752012] cosh~=[1.1276260 1.5430806] asinh~=[0.48121183 0.88137359] acosh=[nan 0] atanh~=[0.54930614 inf]
; run: x=[100000] -> sin~=[0.035748798] cos~=[-0.99936081] tan~=[-0.035771664] asin=[nan] acos=[nan] atan~=[1.5707863] sinh=[inf] cosh=[inf] asinh~=[12.206073] acosh~=[12.206073] atanh=[nan]

;;; rounding
.input x f32[n]
.output floor
.output ceil
.output round
.output sign
.output abs
LOAD_TENSOR r0, x
ELEMENTWISE_FLOOR r1, r0
STORE_TENSOR floor, r1
ELEMENTWISE_CEIL r2, r0
STORE_TENSOR ceil, r2
ELEMENTWISE_ROUND r3, r0
STORE_TENSOR round, r3
ELEMENTWISE_SIGN r4, r0
STORE_TENSOR sign, r4
ELEMENTWISE_ABS r5, r0
STORE_TENSOR abs, r5
; run: x=[-1.5 -0.5 0.5 1.5 2.5 1e20] -> floor=[-2 -1 0 1 2 1e20] ceil=[-1 0 1 2 3 1e20] round=[-2 0 0 2 2 1e20] sign=[-1 -1 1 1 1 1] abs=[1.5 0.5 0.5 1.5 2.5 1e20]
; run: x=[nan inf -inf 0] -> floor=[nan inf -inf 0] ceil=[nan inf -inf 0] round=[nan inf -inf 0] sign=[nan 1 -1 0] abs=[nan inf inf 0]

;;; tests_of_floats
.input x f32[n]
.output "nan"
.output both
.output positive
.output negative
.output neither
LOAD_TENSOR r0, x
ELEMENTWISE_IS_NAN r1, r0
STORE_TENSOR "nan", r1
ELEMENTWISE_IS_INF r2, r0
STORE_TENSOR both, r2
ELEMENTWISE_IS_INF r3, r0, sign=positive
STORE_TENSOR positive, r3
ELEMENTWISE_IS_INF r4, r0, sign=negative
STORE_TENSOR negative, r4
ELEMENTWISE_IS_INF r5, r0, sign=neither
STORE_TENSOR neither, r5
; run: x=[nan inf -inf 1] -> nan=[true false false false] both=[false true true false] positive=[false true false false] negative=[false false true false] neither=[false false false false]

;;; prelu
.input x f32[n, c]
.input slope f32[c]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, slope
ELEMENTWISE_PRELU r2, r0, r1
STORE_TENSOR y, r2
; run: x=[[-2 -2] [3 -1]] slope=[0.5 0.25] -> y=[[-1 -0.5] [3 -0.25]]

;;; modulo_of_floats
.input a f32[n]
.input b f32[n]
.output modulo
.output remainder
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_MOD r2, r0, r1
STORE_TENSOR modulo, r2
ELEMENTWISE_MOD r3, r0, r1, sign=follows_dividend
STORE_TENSOR remainder, r3
; run: a=[-7 7 5.5 1] b=[3 -3 2 0] -> modulo=[2 -2 1.5 nan] remainder=[-1 1 1.5 nan]

;;; halves_round_once
.input a f16[n]
.input b f16[n]
.output y
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_ADD r2, r0, r1
STORE_TENSOR y, r2
; run: a=[2048 1 65504] b=[1 0.5 65504] -> y=[2048 1.5 inf]

;;; doubles_keep_their_precision
.input a f64[n]
.output y
LOAD_TENSOR r0, a
ELEMENTWISE_MUL r1, r0, r0
STORE_TENSOR y, r1
; run: a=[134217729] -> y=[18014398777917441]
