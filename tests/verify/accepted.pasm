; Programs without an error: expectations are absent, so nothing may be reported.
;;; listing_of_the_design
.dim    batch
.input  input   f32[batch, seq, 64]
.const  weights f32[64, 32] = seeded(7)
.output output
LOAD_TENSOR   r0, input
QUERY_SHAPE   r1, r0.dim(1)
BROADCAST_TO  r2, r1, [1]
MATMUL        r3, r0, weights
RESHAPE       r4, r3, [batch, -1]
REDUCE_SUM    r5, r4, axis=1
STORE_TENSOR  output, r5

;;; nothing

;;; growing_in_a_loop
.input x f32[1, 4]
.input n i64[1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, n
READ_SIZE r2, r1[0]
@loop:
LOOP_BEGIN r3, r2, @done
CONCAT r0, [r0, r0], axis=0
LOOP_END @loop
@done:
STORE_TENSOR y, r0

;;; iteration_is_a_size
.input x f32[n, 4]
.output y
LOAD_TENSOR r0, x
MOVE_REG r5, 0
@loop:
LOOP_BEGIN r1, n, @done
SIZE_ADD r2, r1, 1
SLICE r3, r0, r1, r2, axes=0
SIZE_ADD r5, r5, r2
LOOP_END @loop
@done:
STORE_TENSOR y, r0

;;; written_on_both_paths
.input x f32[n]
.output y
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, >, 4, @long
ELEMENTWISE_NEG r1, r0
JUMP @join
@long:
ELEMENTWISE_EXP r1, r0
@join:
STORE_TENSOR y, r1

;;; ranks_differ_where_paths_meet
.input x f32[n, m]
.output y
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, >, 4, @long
RESHAPE r0, r0, [-1]
@long:
ELEMENTWISE_NEG r1, r0
STORE_TENSOR y, r1

;;; an_output_may_be_stored_twice_or_before_a_halt
.input x f32[n]
.output y
LOAD_TENSOR r0, x
BRANCH_ON_SHAPE n, ==, 0, @empty
STORE_TENSOR y, r0
STORE_TENSOR y, r0
HALT
@empty:
STORE_TENSOR y, 0.0

;;; code_that_is_never_reached_may_use_anything
.input x f32[n]
.output y
LOAD_TENSOR r0, x
STORE_TENSOR y, r0
HALT
ELEMENTWISE_NEG r1, r7

;;; nested_loops
.input x f32[n]
.output y
LOAD_TENSOR r0, x
@outer:
LOOP_BEGIN r1, 3, @outer_done
@inner:
LOOP_BEGIN r2, r1, @inner_done
ELEMENTWISE_ADD r0, r0, 1.0
LOOP_END @inner
@inner_done:
LOOP_END @outer
@outer_done:
STORE_TENSOR y, r0
