; Operands in the wrong form, kinds of registers, loops, symbols, defaults.
;;; size_register_where_a_tensor_is_needed
.input x f32[n]
LOAD_TENSOR r0, x
QUERY_SHAPE r1, r0.dim(0)
QUERY_SHAPE r2, r1.dim(0) ; error: operand x needs a tensor register, r1 is a size

;;; tensor_register_in_a_list_of_sizes
.input x i64[1]
LOAD_TENSOR r0, x
FILL r1, 0.0, [r0, 2] ; error: operand shape needs a size register, r0 is a tensor

;;; register_of_two_kinds
.input x f32[n]
LOAD_TENSOR r0, x
QUERY_SHAPE r0, r0.dim(0) ; error: operand dst needs a size register, r0 is a tensor

;;; tensor_moved_into_a_size
.input x f32[n]
LOAD_TENSOR r0, x
QUERY_SHAPE r1, r0.dim(0) ; error: operand dst needs a size register, r1 is a tensor
MOVE_REG r1, r0

;;; number_moved_into_a_tensor
.input x i64[n]
LOAD_TENSOR r0, x
MOVE_REG r0, 4 ; error: a size is moved into a tensor register: r0

;;; two_results_in_one_register
.input x f32[n]
LOAD_TENSOR r0, x
TOP_K r1, r1, r0, 1 ; error: two results go to one register: r1

;;; loop_begin_without_end
@loop:
LOOP_BEGIN r0, 4, @done ; error: the label must name the instruction after its LOOP_END
@done:
HALT

;;; loop_end_without_begin
@loop:
HALT
LOOP_END @loop ; error: the label must name the LOOP_BEGIN that ends here

;;; loops_that_cross
@a:
LOOP_BEGIN r0, 4, @a_done ; error: LOOP_BEGIN
@b:
LOOP_BEGIN r1, 4, @b_done
LOOP_END @b
@a_done:
@b_done:
HALT

;;; jump_into_a_loop
JUMP @inside
@loop:
LOOP_BEGIN r0, 4, @done
@inside:
LOOP_END @loop ; error: LOOP_END can be reached without its LOOP_BEGIN
@done:
HALT

;;; symbol_of_no_input
.dim n
.output y
FILL r0, 1.0, [n] ; error: a symbol is an extent of no input: n
STORE_TENSOR y, r0

;;; default_of_another_shape
; error: the default of an input has another type or shape: x is i64[1]
.const c i64[1] = {1}
.input x f32[2] = c
