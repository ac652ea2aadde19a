.input b i32[]
LOAD_TENSOR r1, b
BRANCH_IF r1, @end
@end:
