; Element types: of operands, of results, one per register.
;;; operands_of_two_types
.input a f32[2]
.input b i32[2]
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
ELEMENTWISE_ADD r2, r0, r1 ; error: operand rhs has element type i32, expected f32

;;; type_that_the_row_does_not_take
.input b i32[2]
LOAD_TENSOR r1, b
ELEMENTWISE_EXP r2, r1 ; error: operand x has element type i32, expected T: f32, f16, bf16, f64

;;; condition_is_not_bool
.input b i32[]
LOAD_TENSOR r1, b
BRANCH_IF r1, @end ; error: operand condition has element type i32, expected bool
@end:

;;; register_changes_its_type
.input a f32[2]
LOAD_TENSOR r0, a
CAST r0, r0, to=i64 ; error: a register has one element type: r0 becomes i64 here and f32 at

;;; type_changes_around_a_loop
.input a f32[2]
LOAD_TENSOR r0, a
@loop:
LOOP_BEGIN r1, 4, @done
CAST r2, r0, to=i64
MOVE_REG r0, r2 ; error: a register has one element type: r0 becomes i64 here and f32 at
LOOP_END @loop
@done:

;;; sizes_in_a_float_tensor
.input a f32[2]
LOAD_TENSOR r0, a
RESHAPE r1, r0, r0 ; error: operand shape has element type f32, expected an integer type

;;; whole_number_beside_floats
.input a f32[2]
LOAD_TENSOR r0, a
ELEMENTWISE_ADD r1, r0, 1 ; error: operand rhs has element type i64, expected f32
