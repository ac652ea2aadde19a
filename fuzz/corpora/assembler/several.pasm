FOO
JUMP @nowhere
.input x f32[2
