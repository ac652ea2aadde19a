; MAX_POOL, AVERAGE_POOL.

;;; maximum
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
MAX_POOL r1, r0, [2, 2], strides=[2, 2]
STORE_TENSOR y, r1
; run: x=[[[[-0.125 0.5 -1 -0.375] [-0.75 -0.875 -0.625 -0.25] [-0.25 0.125 -0.125 0.375] [-0.625 0.75 -1 0.375]] [[-0.125 0.125 -0.75 -0.625] [0.625 0.875 -0.375 0.375] [0.75 0.75 -0.875 -0.875] [-0.625 0.75 -0.75 -0.125]]]] -> y=[[[[0.5 -0.25] [0.75 0.375]] [[0.875 0.375] [0.75 -0.125]]]]
; run: x=zeros[0, 2, 4, 4] -> y=zeros[0, 2, 2, 2]
; run: x=zeros[1, 0, 4, 4] -> y=zeros[1, 0, 2, 2]
; run: x=[[[[nan 1] [2 inf]] [[-inf -inf] [-inf -inf]]]] -> y=[[[[nan]] [[-inf]]]]

;;; maximum_pads_dilations
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
MAX_POOL r1, r0, [3, 2], strides=[2, 1], pads=[1, 1, 2, 0], dilations=[1, 2]
STORE_TENSOR y, r1
; run: x=[[[[-0.125 -1 0.125 -0.125 -0.125] [-0.375 -0.625 0.25 -0.375 -0.5] [0.25 0 -0.75 0 -0.625] [0.625 0.75 -0 0.75 -0.875] [0 -0.875 -0.125 -0.75 -0.75]]]] -> y=[[[[-0.625 0.25 -0.125 0.25] [0.75 0.625 0.75 0.25] [0.75 0.625 0.75 -0]]]]

;;; maximum_indices
.input x f32[n, c, h, w]
.output y
.output where
LOAD_TENSOR r0, x
MAX_POOL r1, r0, [2, 2], indices=r2
STORE_TENSOR y, r1
STORE_TENSOR where, r2
; run: x=[[[[0.125 0.375 -0.375 0] [0.75 0.75 -0.75 -0.625] [-0.875 -0.125 -1 -0.125]] [[0.25 -0.5 0.375 0.125] [-1 0.125 -0.5 -0.125] [-0.375 0.375 -0.125 -0.625]]]] -> y=[[[[0.75 0.75 0] [0.75 0.75 -0.125]] [[0.25 0.375 0.375] [0.375 0.375 -0.125]]]] where=[[[[4 5 3] [4 5 11]] [[12 14 14] [21 21 19]]]]

;;; maximum_indices_column_major
.input x f32[n, c, h, w]
.output y
.output where
LOAD_TENSOR r0, x
MAX_POOL r1, r0, [2, 2], column_major=true, indices=r2
STORE_TENSOR y, r1
STORE_TENSOR where, r2
; run: x=[[[[0.125 0.375 -0.375 0] [0.75 0.75 -0.75 -0.625] [-0.875 -0.125 -1 -0.125]] [[0.25 -0.5 0.375 0.125] [-1 0.125 -0.5 -0.125] [-0.375 0.375 -0.125 -0.625]]]] -> y=[[[[0.75 0.75 0] [0.75 0.75 -0.125]] [[0.25 0.375 0.375] [0.375 0.375 -0.125]]]] where=[[[[1 4 9] [1 4 11]] [[12 18 18] [17 17 22]]]]

;;; maximum_one_axis
.input x f32[n, c, t]
.output y
LOAD_TENSOR r0, x
MAX_POOL r1, r0, [3], strides=[2], pads=[1, 1]
STORE_TENSOR y, r1
; run: x=[[[0.875 0.125 1 0.375 0.375 -0.625 1]] [[-1 -0.5 -0.125 0.5 -0.625 0.75 1]]] -> y=[[[0.875 1 0.375 1]] [[-0.5 0.5 0.75 1]]]

;;; maximum_same_upper
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
MAX_POOL r1, r0, [3, 2], strides=[2, 2], auto_pad=same_upper
STORE_TENSOR y, r1
; run: x=[[[[-0.5 0.75 -0.625 0.875 -0] [0.25 0.5 0 -0.375 -0.625] [-0.875 0.5 -0.125 -0.625 0.75] [-0.5 -0.125 -0.375 0.25 0.125]]]] -> y=[[[[0.75 0.875 0.75] [0.5 0.25 0.75]]]]

;;; maximum_same_lower
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
MAX_POOL r1, r0, [3, 2], strides=[2, 2], auto_pad=same_lower
STORE_TENSOR y, r1
; run: x=[[[[-0.5 0.75 -0.625 0.875 -0] [0.25 0.5 0 -0.375 -0.625] [-0.875 0.5 -0.125 -0.625 0.75] [-0.5 -0.125 -0.375 0.25 0.125]]]] -> y=[[[[0.25 0.75 0.875] [0.25 0.5 0.75]]]]

;;; ceil_mode_three_axes
.input x f32[n, c, d, h, w]
.output y
LOAD_TENSOR r0, x
MAX_POOL r1, r0, [3, 3, 3], strides=[3, 3, 3], pads=[1, 1, 1, 1, 1, 1], ceil_mode=true
STORE_TENSOR y, r1
; run: x=ones[1, 2, 3, 6, 5] -> y=ones[1, 2, 2, 3, 2]

;;; ceil_mode_window_of_one
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
MAX_POOL r1, r0, [1, 1], strides=[2, 2], ceil_mode=true
STORE_TENSOR y, r1
; run: x=ones[1, 1, 12, 12] -> y=ones[1, 1, 6, 6]

;;; ceil_mode_mean_17
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
AVERAGE_POOL r1, r0, [2, 2], strides=[2, 2], pads=[0, 0, 1, 1], ceil_mode=true
STORE_TENSOR y, r1
; run: x=ones[1, 1, 17, 17] -> y=ones[1, 1, 9, 9]

;;; ceil_mode_mean
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
AVERAGE_POOL r1, r0, [3, 3], strides=[2, 2], pads=[1, 1, 2, 2], ceil_mode=true
STORE_TENSOR y, r1
; run: x=ones[1, 1, 5, 5] -> y=ones[1, 1, 3, 3]

;;; ceil_mode_mean_counts_padding
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
AVERAGE_POOL r1, r0, [3, 3], strides=[2, 2], pads=[1, 1, 2, 2], ceil_mode=true, count_padding=true
STORE_TENSOR y, r1
; run: x=ones[1, 1, 5, 5] -> y~=[[[[0.44444445 0.6666667 0.44444445] [0.6666667 1 0.6666667] [0.44444445 0.6666667 0.44444445]]]]

;;; window_beyond_all_padding_counts_what_is_there
.input x f32[n, c, t]
.output y
LOAD_TENSOR r0, x
AVERAGE_POOL r1, r0, [3], strides=[2], pads=[0, 1], ceil_mode=true, count_padding=true
STORE_TENSOR y, r1
; run: x=[[[3 3 3 3 6 6]]] -> y=[[[3 4 4]]]

;;; mean
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
AVERAGE_POOL r1, r0, [2, 3], strides=[1, 2], pads=[1, 1, 0, 1]
STORE_TENSOR y, r1
; run: x=[[[[0.75 -0.375 0.625 -0.875 -0.75] [0.25 0 -0.125 -0.375 0.25] [-0.125 0.5 0 0.125 0.25] [1 0.625 -0.125 0.75 0.625]] [[-0.875 0.375 0.625 0.5 0.375] [0.125 -0.75 0.875 -0.25 -0.625] [0.375 1 -0.5 0.375 0.25] [0.375 0.875 -0.25 -0.5 -0.25]]]] -> y~=[[[[0.1875 -0.20833333 -0.8125] [0.15625 -0.1875 -0.4375] [0.15625 0.020833334 0.0625] [0.5 0.3125 0.4375]] [[-0.25 0.5 0.4375] [-0.28125 0.22916667 0] [0.1875 0.125 -0.0625] [0.65625 0.16666667 -0.03125]]]]
; run: x=zeros[0, 2, 4, 5] -> y=zeros[0, 2, 4, 3]

;;; mean_counts_padding
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
AVERAGE_POOL r1, r0, [2, 3], strides=[1, 2], pads=[1, 1, 0, 1], count_padding=true
STORE_TENSOR y, r1
; run: x=[[[[0.75 -0.375 0.625 -0.875 -0.75] [0.25 0 -0.125 -0.375 0.25] [-0.125 0.5 0 0.125 0.25] [1 0.625 -0.125 0.75 0.625]]]] -> y~=[[[[0.0625 -0.104166664 -0.27083334] [0.104166664 -0.1875 -0.29166666] [0.104166664 0.020833334 0.041666668] [0.33333334 0.3125 0.29166666]]]]

;;; mean_dilations
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
AVERAGE_POOL r1, r0, [2, 2], dilations=[2, 3], pads=[1, 0, 0, 1]
STORE_TENSOR y, r1
; run: x=[[[[-0.875 0.5 -0.125 0.5 1] [0.125 0 -0.875 -0.5 -0] [0.375 0.625 -0.25 -0.875 -0.375] [0.875 -0.625 -0.125 0.875 -1] [0.25 0.875 -0.5 0.125 0.875]]]] -> y~=[[[[-0.1875 0 -0.875] [-0.21875 0.4375 -0.1875] [0.34375 -0.40625 -0.5] [-0.03125 0.5 -0.375]]]]

;;; mean_same_lower
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
AVERAGE_POOL r1, r0, [2, 2], auto_pad=same_lower
STORE_TENSOR y, r1
; run: x=[[[[0.75 0.875 0.75 0] [-0.5 -1 -0.125 -0.25] [0 -0 0.125 0.125]]]] -> y~=[[[[0.75 0.8125 0.8125 0.375] [0.125 0.03125 0.125 0.09375] [-0.25 -0.375 -0.25 -0.03125]]]]

;;; integers
.input x i8[n, c, t]
.output y
.output where
LOAD_TENSOR r0, x
MAX_POOL r1, r0, [2], pads=[1, 0], indices=r2
STORE_TENSOR y, r1
STORE_TENSOR where, r2
; run: x=[[[-5 -5 3]] [[-128 -128 -128]]] -> y=[[[-5 -5 3]] [[-128 -128 -128]]] where=[[[0 0 2]] [[3 3 4]]]

;;; half_mean
.input x f16[n, c, t]
.output y
LOAD_TENSOR r0, x
AVERAGE_POOL r1, r0, [2]
STORE_TENSOR y, r1
; run: x=[[[1 2 4]]] -> y=[[[1.5 3]]]

;;; window_larger_than_x_is_clipped
.input x f32[n, c, t]
.output y
.output m
LOAD_TENSOR r0, x
AVERAGE_POOL r1, r0, [2], strides=[2]
MAX_POOL r2, r0, [2], strides=[2]
STORE_TENSOR y, r1
STORE_TENSOR m, r2
; run: x=[[[3]]] -> y=[[[3]]] m=[[[3]]]
; run: x=[[[3 5 9]]] -> y=[[[4]]] m=[[[5]]]
; run: x=zeros[1, 2, 0] -> y=zeros[1, 2, 0] m=zeros[1, 2, 0]
