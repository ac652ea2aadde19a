; Sums each row of a matrix of any size.
.input  x f32[rows, columns]
.output y
LOAD_TENSOR  r0, x
REDUCE_SUM   r1, r0, axis=1
STORE_TENSOR y, r1
