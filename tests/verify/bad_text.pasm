; What the assembler itself refuses, and where.
;;; unknown_instruction
MATMULL r0, r1, r2 ; error: there is no instruction MATMULL

;;; missing_operand
MATMUL r0, r1 ; error: MATMUL needs rhs

;;; several
FOO ; error: there is no instruction FOO
JUMP @nowhere ; error: label @nowhere is not set
.input x f32[2 ; error: expected `]`
