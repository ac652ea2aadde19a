; Extents written anew for a narrower box.

;;; exact
.input x f32[batch, seq, 8]
.output y
LOAD_TENSOR r0, x
RESHAPE r1, r0, [batch, -1]
STORE_TENSOR y, r1
; plan forward_identities:
;   r0 f32[batch, seq, 8] = input x
;   r1 f32[batch, (8 * seq)] = RESHAPE r0, [batch, -1]
;   output y = r1
; plan specialise(batch=2, seq=3):
;   r0 f32[2, 3, 8] = input x
;   r1 f32[2, 24] = RESHAPE r0, [2, -1]
;   output y = r1

;;; an_interval_keeps_the_symbol
.input x f32[batch, seq, 8]
.output y
LOAD_TENSOR r0, x
RESHAPE r1, r0, [batch, -1]
STORE_TENSOR y, r1
; plan specialise(seq=2..16):
;   r0 f32[batch, seq, 8] = input x
;   r1 f32[batch, (8 * seq)] = RESHAPE r0, [batch, -1]
;   output y = r1

;;; broadcasts_are_decided
.input x f32[n, 8]
.input z f32[m, 8]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, z
ELEMENTWISE_ADD r2, r0, r1
STORE_TENSOR y, r2
; plan forward_identities:
;   r0 f32[n, 8] = input x
;   r1 f32[m, 8] = input z
;   r2 f32[(n broadcast m), 8] = ELEMENTWISE_ADD r0, r1
;   output y = r2
; plan specialise(n=2..16):
;   r0 f32[n, 8] = input x
;   r1 f32[m, 8] = input z
;   r2 f32[n, 8] = ELEMENTWISE_ADD r0, r1
;   output y = r2
; plan specialise(m=1):
;   r0 f32[n, 8] = input x
;   r1 f32[1, 8] = input z
;   r2 f32[n, 8] = ELEMENTWISE_ADD r0, r1
;   output y = r2
; plan specialise(n=0..16):
;   r0 f32[n, 8] = input x
;   r1 f32[m, 8] = input z
;   r2 f32[(n broadcast m), 8] = ELEMENTWISE_ADD r0, r1
;   output y = r2

;;; clamps_are_decided
.input x f32[n, 8]
.output y
LOAD_TENSOR r0, x
SLICE r1, r0, [0], [16], axes=[0]
STORE_TENSOR y, r1
; plan forward_identities:
;   r0 f32[n, 8] = input x
;   r1 f32[(16 min n), 8] = SLICE r0, [0], [16], axes=[0]
;   output y = r1
; plan specialise(n=17..32):
;   r0 f32[n, 8] = input x
;   r1 f32[16, 8] = SLICE r0, [0], [16], axes=[0]
;   output y = r1
; plan specialise(n=2..16):
;   r0 f32[n, 8] = input x
;   r1 f32[n, 8] = SLICE r0, [0], [16], axes=[0]
;   output y = r1
; plan specialise(n=2..16) forward_identities drop_dead:
;   r0 f32[n, 8] = input x
;   output y = r0
