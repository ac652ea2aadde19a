; RESIZE.

;;; nearest_twice
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, scales=[1.0, 1.0, 2.0, 3.0]
STORE_TENSOR y, r1
; run: x=[[[[1 2] [3 4]]]] -> y=[[[[1 1 1 2 2 2] [1 1 1 2 2 2] [3 3 3 4 4 4] [3 3 3 4 4 4]]]]
; run: x=zeros[0, 1, 2, 2] -> y=zeros[0, 1, 4, 6]
; run: x=zeros[1, 1, 0, 2] -> y=zeros[1, 1, 0, 6]

;;; linear_half_pixel
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], mode=linear, coordinates=half_pixel
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y~=[[[[1 1.3571428 1.9285715 2.5 3.0714285 3.642857 4] [3 3.357143 3.9285715 4.5 5.071429 5.642857 6] [5 5.357143 5.928571 6.5 7.071429 7.642857 8]]]]

;;; cubic_half_pixel
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 6], mode=cubic, coordinates=half_pixel
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[1.4178286 1.9108838 2.7175992 3.291672 4.098385 4.5914426] [6.9131975 7.40625 8.212967 8.78704 9.59375 10.08681] [12.408572 12.901623 13.708343 14.282415 15.089124 15.582186]]]]

;;; linear_align_corners
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], mode=linear, coordinates=align_corners
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y~=[[[[1 1.5 2 2.5 3 3.5 4] [3 3.5 4 4.5 5 5.5 6] [5 5.5 6 6.5 7 7.5 8]]]]

;;; cubic_align_corners
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 6], mode=cubic, coordinates=align_corners
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[1 1.5039997 2.2480013 2.7520006 3.4959989 4] [7 7.503998 8.248003 8.752003 9.495997 10] [13 13.503996 14.248006 14.752005 15.4959955 16]]]]

;;; linear_asymmetric
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], mode=linear, coordinates=asymmetric
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y~=[[[[1 1.5714285 2.142857 2.7142856 3.2857144 3.857143 4] [3.6666667 4.2380953 4.8095236 5.3809524 5.952381 6.5238094 6.6666665] [5 5.571429 6.142857 6.714286 7.285714 7.857143 8]]]]

;;; cubic_asymmetric
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 6], mode=cubic, coordinates=asymmetric
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[1 1.5740737 2.3703694 3 3.74074 4.1111097] [6.481478 7.05555 7.8518453 8.481478 9.222216 9.592586] [11.962961 12.537031 13.333326 13.96296 14.703697 15.074067]]]]

;;; linear_pytorch_half_pixel
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], mode=linear, coordinates=pytorch_half_pixel
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y~=[[[[1 1.3571428 1.9285715 2.5 3.0714285 3.642857 4] [3 3.357143 3.9285715 4.5 5.071429 5.642857 6] [5 5.357143 5.928571 6.5 7.071429 7.642857 8]]]]

;;; cubic_pytorch_half_pixel
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 6], mode=cubic, coordinates=pytorch_half_pixel
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[1.4178286 1.9108838 2.7175992 3.291672 4.098385 4.5914426] [6.9131975 7.40625 8.212967 8.78704 9.59375 10.08681] [12.408572 12.901623 13.708343 14.282415 15.089124 15.582186]]]]

;;; linear_half_pixel_symmetric
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], mode=linear, coordinates=half_pixel_symmetric
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y~=[[[[1 1.3571428 1.9285715 2.5 3.0714285 3.642857 4] [3 3.357143 3.9285715 4.5 5.071429 5.642857 6] [5 5.357143 5.928571 6.5 7.071429 7.642857 8]]]]

;;; cubic_half_pixel_symmetric
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 6], mode=cubic, coordinates=half_pixel_symmetric
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[1.4178286 1.9108838 2.7175992 3.291672 4.098385 4.5914426] [6.9131975 7.40625 8.212967 8.78704 9.59375 10.08681] [12.408572 12.901623 13.708343 14.282415 15.089124 15.582186]]]]

;;; nearest_half_pixel_round_prefer_floor
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], coordinates=half_pixel, rounding=round_prefer_floor
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y=[[[[1 1 2 2 3 4 4] [1 1 2 2 3 4 4] [5 5 6 6 7 8 8]]]]

;;; nearest_half_pixel_round_prefer_ceil
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], coordinates=half_pixel, rounding=round_prefer_ceil
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y=[[[[1 1 2 3 3 4 4] [5 5 6 7 7 8 8] [5 5 6 7 7 8 8]]]]

;;; nearest_half_pixel_floor
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], coordinates=half_pixel, rounding=floor
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y=[[[[1 1 1 2 3 3 4] [1 1 1 2 3 3 4] [5 5 5 6 7 7 8]]]]

;;; nearest_half_pixel_ceil
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], coordinates=half_pixel, rounding=ceil
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y=[[[[1 2 2 3 4 4 4] [5 6 6 7 8 8 8] [5 6 6 7 8 8 8]]]]

;;; nearest_asymmetric_round_prefer_floor
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], coordinates=asymmetric, rounding=round_prefer_floor
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y=[[[[1 2 2 3 3 4 4] [5 6 6 7 7 8 8] [5 6 6 7 7 8 8]]]]

;;; nearest_asymmetric_round_prefer_ceil
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], coordinates=asymmetric, rounding=round_prefer_ceil
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y=[[[[1 2 2 3 3 4 4] [5 6 6 7 7 8 8] [5 6 6 7 7 8 8]]]]

;;; nearest_asymmetric_floor
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], coordinates=asymmetric, rounding=floor
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y=[[[[1 1 2 2 3 3 4] [1 1 2 2 3 3 4] [5 5 6 6 7 7 8]]]]

;;; nearest_asymmetric_ceil
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 7], coordinates=asymmetric, rounding=ceil
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y=[[[[1 2 3 3 4 4 4] [5 6 7 7 8 8 8] [5 6 7 7 8 8 8]]]]

;;; linear_scales_fractional
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, scales=[1.0, 1.0, 0.6, 0.6], mode=linear
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[2.6666665 4.333333] [9.333333 10.999999]]]]

;;; linear_scales_align_corners
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, scales=[1.0, 1.0, 1.6, 0.6], mode=linear, coordinates=align_corners
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y~=[[[[1 3.142857] [2.8181818 4.9610386] [4.6363635 6.7792206]]]]

;;; linear_symmetric_scales
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, scales=[1.0, 1.0, 2.3, 2.94], mode=linear, coordinates=half_pixel_symmetric
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[1 1.1394558 1.4795918 1.8197279 2.159864 2.5 2.840136 3.180272 3.5204082 3.8605442 4] [1.7826086 1.9220644 2.2622004 2.6023364 2.9424725 3.2826085 3.6227446 3.9628806 4.3030167 4.6431527 4.7826085] [3.521739 3.6611948 4.001331 4.341467 4.681603 5.021739 5.361875 5.702011 6.042147 6.382283 6.521739] [5.2608695 5.4003253 5.7404613 6.0805974 6.4207335 6.7608695 7.1010056 7.4411416 7.7812777 8.121414 8.26087] [7 7.139456 7.479592 7.819728 8.159864 8.5 8.840136 9.180272 9.520408 9.860544 10] [8.73913 8.878586 9.218722 9.558858 9.898994 10.23913 10.579267 10.919402 11.259539 11.599674 11.73913] [10.478261 10.617717 10.957852 11.297989 11.638124 11.978261 12.318397 12.658533 12.998669 13.338805 13.478261] [12.217391 12.356847 12.696983 13.037119 13.377255 13.717391 14.057528 14.397663 14.7378 15.077935 15.217391] [13 13.139456 13.479592 13.819728 14.159864 14.5 14.840136 15.180272 15.520408 15.860544 16]]]]

;;; linear_antialias
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, scales=[1.0, 1.0, 0.6, 0.6], mode=linear, antialias=true
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[2.875 4.5] [9.375 11]]]]

;;; cubic_antialias
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, scales=[1.0, 1.0, 0.6, 0.6], mode=cubic, antialias=true
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[2.5180695 4.285886] [9.589335 11.357152]]]]

;;; cubic_exclude_outside
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, scales=[1.0, 1.0, 2.0, 0.8], mode=cubic, cubic_coefficient=-0.5, exclude_outside=true
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[0.7206842 2.0220587 3.365894] [1.7451582 3.0465329 4.390368] [3.91332 5.2146945 6.55853] [6.0736256 7.375 8.718835] [8.073626 9.375 10.718835] [10.233931 11.535305 12.879141] [12.402093 13.703467 15.047302] [13.426566 14.7279415 16.071777]]]]

;;; crop
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 3], roi=[0.0, 0.0, 0.4, 0.6, 1.0, 1.0, 1.2, 1.7], mode=linear, coordinates=tf_crop_and_resize, extrapolation=10.0
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[7.6000004 10 10] [12.400001 10 10] [10 10 10]]]]

;;; crop_of_listed_axes
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[3, 3], roi=[0.6, 0.4, 0.9, 0.8], axes=[3, 2], mode=linear, coordinates=tf_crop_and_resize
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8] [9 10 11 12] [13 14 15 16]]]] -> y~=[[[[7.6000004 8.05 8.5] [10 10.45 10.900001] [12.400001 12.85 13.3]]]]

;;; listed_axes
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[5, 3], axes=[-1, 2], mode=linear
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y~=[[[[1 1.7 2.5 3.3 4] [3 3.7 4.5 5.3 6] [5 5.7 6.5 7.3 8]]]]

;;; not_larger
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[7, 8], axes=[2, 3], policy=not_larger
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y=[[[[1 1 2 2 3 3 4 4] [1 1 2 2 3 3 4 4] [5 5 6 6 7 7 8 8] [5 5 6 6 7 7 8 8]]]]

;;; not_smaller
.input x f32[n, c, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[7, 8], axes=[2, 3], policy=not_smaller
STORE_TENSOR y, r1
; run: x=[[[[1 2 3 4] [5 6 7 8]]]] -> y=[[[[1 1 1 1 2 2 2 3 3 3 3 4 4 4] [1 1 1 1 2 2 2 3 3 3 3 4 4 4] [1 1 1 1 2 2 2 3 3 3 3 4 4 4] [1 1 1 1 2 2 2 3 3 3 3 4 4 4] [5 5 5 5 6 6 6 7 7 7 7 8 8 8] [5 5 5 5 6 6 6 7 7 7 7 8 8 8] [5 5 5 5 6 6 6 7 7 7 7 8 8 8]]]]

;;; linear_one_axis
.input x f32[n, c, t]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 2, 5], mode=linear
STORE_TENSOR y, r1
; run: x=[[[-0.125 0.5 -1] [-0.375 -0.75 -0.875]]] -> y~=[[[-0.125 0.125 0.5 -0.4 -1] [-0.375 -0.525 -0.75 -0.825 -0.875]]]

;;; linear_three_axes
.input x f32[n, c, d, h, w]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 1, 3, 2, 4], mode=linear
STORE_TENSOR y, r1
; run: x=[[[[[-0.125 -1] [0.125 -0.125]] [[-0.125 -0.375] [-0.625 0.25]]]]] -> y~=[[[[[-0.125 -0.34375 -0.78125 -1] [0.125 0.0625 -0.0625 -0.125]] [[-0.125 -0.265625 -0.546875 -0.6875] [-0.25 -0.171875 -0.015625 0.0625]] [[-0.125 -0.1875 -0.3125 -0.375] [-0.625 -0.40625 0.03125 0.25]]]]]

;;; all_axes
.input x f32[a, b]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[3, 5], mode=linear
STORE_TENSOR y, r1
; run: x=[[0.125 0.375 -0.375] [0 0.75 0.75]] -> y~=[[0.125 0.225 0.375 -0.075 -0.375] [0.0625 0.2625 0.5625 0.3375 0.1875] [0 0.3 0.75 0.75 0.75]]

;;; sizes_at_run_time
.input x f32[n, c, h, w]
.input sizes i64[4]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, sizes
RESIZE r2, r0, sizes=r1, mode=linear
STORE_TENSOR y, r2
; run: x=[[[[1 3]]]] sizes=[1 1 2 4] -> y=[[[[1 1.5 2.5 3] [1 1.5 2.5 3]]]]
; run: x=[[[[1 3]]]] sizes=[1 1 1 2] -> y=[[[[1 3]]]]
; run: x=[[[[1 3]]]] sizes=[1 1 0 2] -> y=zeros[1, 1, 0, 2]
; fails: x=zeros[0, 1, 1, 1] sizes=[1 1 1 1] -> "axis 0 has no elements to resize to 1"
; fails: x=[[[[1]]]] sizes=[1 1 -1 1] -> "sizes must be at least 0, got -1"

;;; scales_at_run_time
.input x f32[n]
.input scales f32[1]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, scales
RESIZE r2, r0, scales=r1
STORE_TENSOR y, r2
; run: x=[1 2] scales=[2.5] -> y=[1 1 1 2 2]
; fails: x=[1 2] scales=[0] -> "scale 0 of axis 0"

;;; bytes
.input x u8[n, 2]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[1, 4], mode=linear
STORE_TENSOR y, r1
; run: x=[[0 255]] -> y=[[0 63 191 255]]

;;; halves
.input x f16[2]
.output y
LOAD_TENSOR r0, x
RESIZE r1, r0, sizes=[4], mode=linear
STORE_TENSOR y, r1
; run: x=[0 1] -> y=[0 0.25 0.75 1]
