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
