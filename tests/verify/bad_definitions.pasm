; Registers and outputs have to be written before they are needed, on every path.
;;; never_written
ELEMENTWISE_NEG r1, r0 ; error: a register may be read before it is written: r0

;;; written_on_one_path_only
.input x f32[n]
.output y
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, >, 4, @join
ELEMENTWISE_NEG r1, r0
@join:
STORE_TENSOR y, r1 ; error: a register may be read before it is written: r1

;;; written_in_a_loop_that_may_not_run
.input x f32[n]
.output y
LOAD_TENSOR r0, x
@loop:
LOOP_BEGIN r2, n, @done
ELEMENTWISE_NEG r1, r0
LOOP_END @loop
@done:
STORE_TENSOR y, r1 ; error: a register may be read before it is written: r1

;;; output_missing_on_one_path
; error: an output is not stored on every path to the end: y
.input x f32[n]
.output y
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, ==, 0, @end
STORE_TENSOR y, r0
@end:

;;; output_never_stored
; error: an output is not stored on every path to the end: y:0
.output "y:0"
HALT

;;; one_error_does_not_cause_others
.input x f32[2, 3]
LOAD_TENSOR r0, x
MATMUL r1, r0, r0 ; error: MATMUL
ELEMENTWISE_NEG r2, r1
ELEMENTWISE_NEG r3, r9 ; error: r9
