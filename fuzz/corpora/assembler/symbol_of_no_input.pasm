.dim n
.output y
FILL r0, 1.0, [n]
STORE_TENSOR y, r0
