; GELU in the forms in which exporters write it.

;;; torch_export
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_DIV r1, r0, 1.4142135381698608
ELEMENTWISE_ERF r2, r1
ELEMENTWISE_ADD r3, r2, 1.0
ELEMENTWISE_MUL r4, r0, r3
ELEMENTWISE_MUL r5, r4, 0.5
STORE_TENSOR y, r5
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = ELEMENTWISE_GELU r0
;   output y = r1
; run: x=[[-10 -1 0 1]] -> y~=[[-0 -0.15865526 0 0.8413447]]

;;; half_times_x_first
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_MUL r1, 0.5, r0
ELEMENTWISE_MUL r2, 0.7071067690849304, r0
ELEMENTWISE_ERF r3, r2
ELEMENTWISE_ADD r4, 1.0, r3
ELEMENTWISE_MUL r5, r4, r1
STORE_TENSOR y, r5
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = ELEMENTWISE_GELU r0
;   output y = r1
; run: x=[[-10 -1 0 1]] -> y~=[[-0 -0.15865526 0 0.8413447]]

;;; half_times_the_rest
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_MUL r1, r0, 0.70711
ELEMENTWISE_ERF r2, r1
ELEMENTWISE_ADD r3, r2, 1.0
ELEMENTWISE_MUL r4, r3, 0.5
ELEMENTWISE_MUL r5, r0, r4
STORE_TENSOR y, r5
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = ELEMENTWISE_GELU r0
;   output y = r1

;;; divided_by_two
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_DIV r1, r0, 1.4142135381698608
ELEMENTWISE_ERF r2, r1
ELEMENTWISE_ADD r3, r2, 1.0
ELEMENTWISE_MUL r4, r0, r3
ELEMENTWISE_DIV r5, r4, 2.0
STORE_TENSOR y, r5
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = ELEMENTWISE_GELU r0
;   output y = r1

;;; tanh_with_the_cube_by_pow
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_POW r1, r0, 3.0
ELEMENTWISE_MUL r2, r1, 0.044714998453855515
ELEMENTWISE_ADD r3, r0, r2
ELEMENTWISE_MUL r4, r3, 0.7978845834732056
ELEMENTWISE_TANH r5, r4
ELEMENTWISE_ADD r6, r5, 1.0
ELEMENTWISE_MUL r7, r0, 0.5
ELEMENTWISE_MUL r8, r7, r6
STORE_TENSOR y, r8
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = ELEMENTWISE_GELU r0, form=tanh
;   output y = r1
; run: x=[[-10 -1 0 1]] -> y~=[[-0 -0.158808 0 0.841192]]

;;; tanh_with_products
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_MUL r1, r0, r0
ELEMENTWISE_MUL r2, r1, r0
ELEMENTWISE_MUL r3, 0.044715, r2
ELEMENTWISE_ADD r4, r3, r0
ELEMENTWISE_MUL r5, 0.79788456, r4
ELEMENTWISE_TANH r6, r5
ELEMENTWISE_ADD r7, 1.0, r6
ELEMENTWISE_MUL r8, r0, r7
ELEMENTWISE_MUL r9, 0.5, r8
STORE_TENSOR y, r9
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = ELEMENTWISE_GELU r0, form=tanh
;   output y = r1
; run: x=[[-10 -1 0 1]] -> y~=[[-0 -0.158808 0 0.841192]]

;;; tanh_with_x_outside_of_the_sum
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_MUL r1, r0, 0.044715
ELEMENTWISE_MUL r2, r1, r0
ELEMENTWISE_ADD r3, r2, 1.0
ELEMENTWISE_MUL r4, r0, 0.79788456
ELEMENTWISE_MUL r5, r4, r3
ELEMENTWISE_TANH r6, r5
ELEMENTWISE_ADD r7, r6, 1.0
ELEMENTWISE_MUL r8, r0, 0.5
ELEMENTWISE_MUL r9, r8, r7
STORE_TENSOR y, r9
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = ELEMENTWISE_GELU r0, form=tanh
;   output y = r1
; run: x=[[-10 -1 0 1]] -> y~=[[-0 -0.158808 0 0.841192]]

;;; half_precision
.const root f16[] = {1.4142}
.const one f16[] = {1}
.const half f16[] = {0.5}
.input x f16[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_DIV r1, r0, root
ELEMENTWISE_ERF r2, r1
ELEMENTWISE_ADD r3, r2, one
ELEMENTWISE_MUL r4, r0, r3
ELEMENTWISE_MUL r5, r4, half
STORE_TENSOR y, r5
; plan fuse_gelu:
;   r0 f16[batch, 4] = input x
;   r1 f16[batch, 4] = ELEMENTWISE_GELU r0
;   output y = r1

;;; wrong_constant_in_erf
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_DIV r1, r0, 1.5
ELEMENTWISE_ERF r2, r1
ELEMENTWISE_ADD r3, r2, 1.0
ELEMENTWISE_MUL r4, r0, r3
ELEMENTWISE_MUL r5, r4, 0.5
STORE_TENSOR y, r5
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   c0 f32[] = 1.5
;   c1 f32[] = 1
;   c2 f32[] = 0.5
;   r1 f32[batch, 4] = ELEMENTWISE_DIV r0, c0
;   r2 f32[batch, 4] = ELEMENTWISE_ERF r1
;   r3 f32[batch, 4] = ELEMENTWISE_ADD r2, c1
;   r4 f32[batch, 4] = ELEMENTWISE_MUL r0, r3
;   r5 f32[batch, 4] = ELEMENTWISE_MUL r4, c2
;   output y = r5

;;; wrong_factor
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_DIV r1, r0, 1.4142135381698608
ELEMENTWISE_ERF r2, r1
ELEMENTWISE_ADD r3, r2, 1.0
ELEMENTWISE_MUL r4, r0, r3
STORE_TENSOR y, r4
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   c0 f32[] = 1.414214
;   c1 f32[] = 1
;   r1 f32[batch, 4] = ELEMENTWISE_DIV r0, c0
;   r2 f32[batch, 4] = ELEMENTWISE_ERF r1
;   r3 f32[batch, 4] = ELEMENTWISE_ADD r2, c1
;   r4 f32[batch, 4] = ELEMENTWISE_MUL r0, r3
;   output y = r4

;;; erf_of_another_tensor
.input x f32[batch, 4]
.input z f32[batch, 4]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r9, z
ELEMENTWISE_DIV r1, r9, 1.4142135381698608
ELEMENTWISE_ERF r2, r1
ELEMENTWISE_ADD r3, r2, 1.0
ELEMENTWISE_MUL r4, r0, r3
ELEMENTWISE_MUL r5, r4, 0.5
STORE_TENSOR y, r5
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   r1 f32[batch, 4] = input z
;   c0 f32[] = 1.414214
;   c1 f32[] = 1
;   c2 f32[] = 0.5
;   r2 f32[batch, 4] = ELEMENTWISE_DIV r1, c0
;   r3 f32[batch, 4] = ELEMENTWISE_ERF r2
;   r4 f32[batch, 4] = ELEMENTWISE_ADD r3, c1
;   r5 f32[batch, 4] = ELEMENTWISE_MUL r0, r4
;   r6 f32[batch, 4] = ELEMENTWISE_MUL r5, c2
;   output y = r6

;;; another_reader_inside
.input x f32[batch, 4]
.output y
.output z
LOAD_TENSOR r0, x
ELEMENTWISE_DIV r1, r0, 1.4142135381698608
ELEMENTWISE_ERF r2, r1
ELEMENTWISE_ADD r3, r2, 1.0
ELEMENTWISE_MUL r4, r0, r3
ELEMENTWISE_MUL r5, r4, 0.5
STORE_TENSOR y, r5
STORE_TENSOR z, r2
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   c0 f32[] = 1.414214
;   c1 f32[] = 1
;   c2 f32[] = 0.5
;   r1 f32[batch, 4] = ELEMENTWISE_DIV r0, c0
;   r2 f32[batch, 4] = ELEMENTWISE_ERF r1
;   r3 f32[batch, 4] = ELEMENTWISE_ADD r2, c1
;   r4 f32[batch, 4] = ELEMENTWISE_MUL r0, r3
;   r5 f32[batch, 4] = ELEMENTWISE_MUL r4, c2
;   output y = r5
;   output z = r2

;;; a_constant_of_higher_rank_changes_the_shape
.const half f32[1, 1, 1] = {0.5}
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_DIV r1, r0, 1.4142135381698608
ELEMENTWISE_ERF r2, r1
ELEMENTWISE_ADD r3, r2, 1.0
ELEMENTWISE_MUL r4, r0, r3
ELEMENTWISE_MUL r5, r4, half
STORE_TENSOR y, r5
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   c0 f32[] = 1.414214
;   c1 f32[] = 1
;   c2 f32[1, 1, 1] = 0.5
;   r1 f32[batch, 4] = ELEMENTWISE_DIV r0, c0
;   r2 f32[batch, 4] = ELEMENTWISE_ERF r1
;   r3 f32[batch, 4] = ELEMENTWISE_ADD r2, c1
;   r4 f32[batch, 4] = ELEMENTWISE_MUL r0, r3
;   r5 f32[1, batch, 4] = ELEMENTWISE_MUL r4, c2
;   output y = r5

;;; a_true_quotient
.input x f32[batch, 4]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_DIV r1, r0, 1.4142135381698608
ELEMENTWISE_ERF r2, r1
ELEMENTWISE_ADD r3, r2, 1.0
ELEMENTWISE_MUL r4, 0.5, r3
ELEMENTWISE_DIV r5, r4, r0
STORE_TENSOR y, r5
; plan fuse_gelu:
;   r0 f32[batch, 4] = input x
;   c0 f32[] = 1.414214
;   c1 f32[] = 1
;   c2 f32[] = 0.5
;   r1 f32[batch, 4] = ELEMENTWISE_DIV r0, c0
;   r2 f32[batch, 4] = ELEMENTWISE_ERF r1
;   r3 f32[batch, 4] = ELEMENTWISE_ADD r2, c1
;   r4 f32[batch, 4] = ELEMENTWISE_MUL c2, r3
;   r5 f32[batch, 4] = ELEMENTWISE_DIV r4, r0
;   output y = r5
