; Exercises every family of kernels. Functions that the C library computes are run but not stored: the C
; library chooses its own code by CPU, so their last bits may differ.
.const w         f32[24, 40] = seeded(1)
.const filters   f32[16, 3, 3, 3] = seeded(2)
.const depthwise f32[16, 1, 3, 3] = seeded(3)
.const deconv    f32[16, 4, 2, 2] = seeded(4)
.const scale     f32[24] = seeded(5)
.const lstm_w    f32[1, 24, 8] = seeded(6)
.const lstm_r    f32[1, 24, 6] = seeded(7)
.const gru_w     f32[1, 18, 8] = seeded(8)
.const gru_r     f32[1, 18, 6] = seeded(9)
.const picks     i64[4] = {0, 3, 1, -1}
.const places    i64[1, 4] = {5, 5, 0, 23}
.input x     f32[n, 24]
.input image f32[b, 3, h, w_]
.input steps f32[n, 2, 8]
.output products
.output rows
.output elementwise
.output images
.output recurrent
.output moved
.output halves
.output integers
.output chosen

LOAD_TENSOR r0, x
LOAD_TENSOR r1, image
LOAD_TENSOR r2, steps

; products
MATMUL r3, r0, w
MATMUL r4, r0, r0, transpose_rhs=true
MATMUL r5, r4, r3
CAST r6, r0, to=f64
MATMUL r7, r6, r6, transpose_lhs=true
CAST r8, r7, to=f32
RESHAPE r9, r0, [1, n, 3, 8]
TRANSPOSE r10, r9, perm=[0, 2, 1, 3]
ATTENTION r11, r10, r10, r10, causal=true
RESHAPE r12, r5, [-1]
RESHAPE r13, r8, [-1]
RESHAPE r14, r11, [-1]
CONCAT r15, [r12, r13, r14], axis=0
STORE_TENSOR products, r15

; rows
SOFTMAX r16, r3
LAYER_NORM r17, r0, scale=scale
RMS_NORM r18, r0
REDUCE_MEAN r19, r3, axis=1
REDUCE_MAX r20, r3, axis=0
REDUCE_L2 r21, r0, axis=1
CUMSUM r22, r0, 1
ARG_MAX r23, r3, axis=1
SOFTMAX r24, r3, axis=0
CONCAT r25, [r17, r18, r22], axis=1
STORE_TENSOR rows, r25

; elementwise
ELEMENTWISE_EXP r26, r0
ELEMENTWISE_TANH r27, r0
ELEMENTWISE_SIGMOID r28, r0
ELEMENTWISE_ERF r29, r0
ELEMENTWISE_GELU r30, r0
ELEMENTWISE_ABS r31, r0
ELEMENTWISE_SQRT r32, r31
ELEMENTWISE_ADD r33, r26, r27
ELEMENTWISE_MUL r34, r33, r28
ELEMENTWISE_SUB r35, r34, r29
ELEMENTWISE_DIV r36, r35, 3.0
ELEMENTWISE_MAX r37, r36, r30
ELEMENTWISE_GREATER r38, r0, 0.0
ELEMENTWISE_SELECT r39, r38, r37, r32
ELEMENTWISE_FLOOR r40, r0
ELEMENTWISE_ROUND r41, r0
ELEMENTWISE_ADD r42, r40, r41
ELEMENTWISE_ADD r43, r39, r42
STORE_TENSOR elementwise, r43
ELEMENTWISE_SIN r44, r0
ELEMENTWISE_COS r45, r0
ELEMENTWISE_LOG r46, r31
ELEMENTWISE_ATAN r47, r0
ELEMENTWISE_ASINH r48, r0
ELEMENTWISE_POW r49, r31, 0.7
ELEMENTWISE_SOFTPLUS r50, r0
ELEMENTWISE_EXP r51, r6

; images
CONV2D r52, r1, filters, pads=[1, 1, 1, 1]
ELEMENTWISE_RELU r53, r52
CONV2D r54, r53, depthwise, group=16, strides=[2, 2]
CONV_TRANSPOSE r55, r54, deconv, strides=[2, 2]
MAX_POOL r56, r55, [2, 2]
AVERAGE_POOL r57, r56, [2, 2], strides=[2, 2]
RESIZE r58, r57, sizes=[2, 4, 5, 7], mode=linear
PAD r59, r58, [0, 0, 1, 1, 0, 0, 1, 1], mode=reflect
STORE_TENSOR images, r59

; recurrent layers
LSTM r60, r61, r62, r2, lstm_w, lstm_r
GRU r63, r64, r2, gru_w, gru_r
CONCAT r65, [r60, r63], axis=3
STORE_TENSOR recurrent, r65

; moving
GATHER r66, r0, picks, axis=1
TRANSPOSE r67, r0
SLICE r68, r67, [23], [0], axes=[0], steps=[-3]
TILE r69, r66, [1, 3]
RESHAPE r70, r68, [n, -1]
BROADCAST_TO r86, places, [n, 4]
SCATTER_ELEMENTS r72, r0, r86, r66, axis=1, reduction=add
CONCAT r71, [r66, r69, r70, r72], axis=1
STORE_TENSOR moved, r71

; small floats, integers
CAST r73, r0, to=f16
MATMUL r74, r73, r73, transpose_rhs=true
SOFTMAX r75, r74
STORE_TENSOR halves, r75
CAST r76, r0, to=bf16
ELEMENTWISE_MUL r77, r76, r76
QUANTIZE r78, r0, 0.02, to=i8
TRANSPOSE r87, r78
MATMUL_INTEGER r79, r78, r87
CAST r80, r0, to=i32
ELEMENTWISE_MUL r81, r80, r80
REDUCE_SUM r82, r81, axis=1, keepdims=true
ELEMENTWISE_ADD r88, r79, r82
STORE_TENSOR integers, r88

; choosing
TOP_K r83, r84, r3, 7
NON_ZERO r85, r38
STORE_TENSOR chosen, r85
