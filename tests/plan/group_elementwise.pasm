; Elementwise instructions join the node that computes their operand.

;;; bias_and_activation_join_a_product
.const weights f32[8, 4] = seeded(1)
.const bias f32[4] = seeded(2)
.input x f32[n, 8]
.output y
LOAD_TENSOR r0, x
MATMUL r1, r0, weights
ELEMENTWISE_ADD r2, r1, bias
ELEMENTWISE_RELU r3, r2
STORE_TENSOR y, r3
; plan group_elementwise:
;   r0 f32[n, 8] = input x
;   c0 f32[8, 4]
;   c1 f32[4]
;   r1 f32[n, 4] = MATMUL r0, c0 | ELEMENTWISE_ADD c1 | ELEMENTWISE_RELU
;   output y = r1

;;; a_chain
.input x f32[n, 4]
.input z f32[n, 4]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, z
ELEMENTWISE_SIGMOID r2, r0
ELEMENTWISE_MUL r3, r1, r2
ELEMENTWISE_SUB r4, 1.0, r3
ELEMENTWISE_ADD r5, r4, r4
STORE_TENSOR y, r5
; plan group_elementwise:
;   r0 f32[n, 4] = input x
;   r1 f32[n, 4] = input z
;   c0 f32[] = 1
;   r2 f32[n, 4] = ELEMENTWISE_SIGMOID r0 | ELEMENTWISE_MUL r1, ^ | ELEMENTWISE_SUB c0, ^ | ELEMENTWISE_ADD ^
;   output y = r2
; run: x=[[0 0 0 0]] z=[[1 2 3 4]] -> y=[[1 0 -1 -2]]

;;; two_chains_meet
.input x f32[n, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_SIN r1, r0
ELEMENTWISE_COS r2, r0
ELEMENTWISE_ABS r3, r2
ELEMENTWISE_MUL r4, r1, r3
STORE_TENSOR y, r4
; plan group_elementwise:
;   r0 f32[n, 4] = input x
;   r1 f32[n, 4] = r2: ELEMENTWISE_SIN r0 | ELEMENTWISE_COS r0 | ELEMENTWISE_ABS | ELEMENTWISE_MUL r2, ^
;   output y = r1

;;; another_reader_outside
.const weights f32[8, 4] = seeded(1)
.input x f32[n, 8]
.output y
.output z
LOAD_TENSOR r0, x
MATMUL r1, r0, weights
ELEMENTWISE_RELU r2, r1
STORE_TENSOR y, r2
STORE_TENSOR z, r1
; plan group_elementwise:
;   r0 f32[n, 8] = input x
;   c0 f32[8, 4]
;   r1 f32[n, 4] = MATMUL r0, c0
;   r2 f32[n, 4] = ELEMENTWISE_RELU r1
;   output y = r2
;   output z = r1

;;; another_shape
.input x f32[n, 1]
.input z f32[n, 4]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, z
ELEMENTWISE_EXP r2, r0
ELEMENTWISE_MUL r3, r1, r2
STORE_TENSOR y, r3
; plan group_elementwise:
;   r0 f32[n, 1] = input x
;   r1 f32[n, 4] = input z
;   r2 f32[n, 1] = ELEMENTWISE_EXP r0
;   r3 f32[n, 4] = ELEMENTWISE_MUL r1, r2
;   output y = r3

;;; views_do_not_lead
.input x f32[n, 4]
.output y
LOAD_TENSOR r0, x
TRANSPOSE r1, r0
ELEMENTWISE_NEG r2, r1
STORE_TENSOR y, r2
; plan group_elementwise:
;   r0 f32[n, 4] = input x
;   r1 f32[4, n] = TRANSPOSE r0
;   r2 f32[4, n] = ELEMENTWISE_NEG r1
;   output y = r2

;;; whole_compilation
.const weights f32[8, 4] = seeded(1)
.const bias f32[4] = seeded(2)
.input x f32[n, seq, 8]
.output y
LOAD_TENSOR r0, x
CAST r1, r0, to=f32
MATMUL r2, r1, weights
ELEMENTWISE_ADD r3, bias, r2
ELEMENTWISE_TANH r4, r3
ELEMENTWISE_TANH r5, r3
ELEMENTWISE_ADD r6, r4, r5
STORE_TENSOR y, r6
; plan all:
;   r0 f32[n, seq, 8] = input x
;   c0 f32[8, 4]
;   c1 f32[4]
;   r1 f32[n, seq, 4] = MATMUL r0, c0 | ELEMENTWISE_ADD c1, ^ | ELEMENTWISE_TANH | ELEMENTWISE_ADD ^
;   output y = r1
; plan emitted:
;   box n any, seq any
;   r0 f32[n, seq, 8] = input x
;   c0 f32[8, 4]
;   c1 f32[4]
;   r1 f32[n, seq, 4] = MATMUL r0, c0 | ELEMENTWISE_ADD c1, ^ | ELEMENTWISE_TANH | ELEMENTWISE_ADD ^
;   output y = r1
