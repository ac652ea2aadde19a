#include "onnx/converters.h"

// Matrix products.

namespace pliant::onnx {

void convert_matmul(Node& node) {
  node.set_output(0, node.emit<isa::MatMul>({node.input(0), node.input(1)}));
}

/// alpha * A * B + beta * C, where A and B may be given transposed and C broadcasts.
void convert_gemm(Node& node) {
  const Operand a = node.input(0);
  const Operand b = node.input(1);
  const double alpha = node.real("alpha", 1.0);
  const double beta = node.real("beta", 1.0);
  for (const Operand& matrix : {a, b}) {
    if (const auto rank = node.rank(matrix); rank && *rank != 2 && !node.emitter().failed()) {
      node.refuse(ErrorCode::kShapeMismatch, "an input is not a matrix");
    }
  }
  if (node.emitter().failed()) {
    return;
  }
  Operand result =
      node.emit<isa::MatMul>({a, b}, {{"transpose_lhs", isa::flag(node.flag("transA", false))},
                                      {"transpose_rhs", isa::flag(node.flag("transB", false))}});
  const DType dtype = node.dtype(result);
  if (alpha != 1.0) {
    result = node.emit<isa::ElementwiseMultiply>({result, node.emitter().scalar(dtype, alpha)});
  }
  if (node.has_input(2)) {
    Operand addend = node.input(2);
    if (beta != 1.0) {
      addend = node.emit<isa::ElementwiseMultiply>({addend, node.emitter().scalar(dtype, beta)});
    }
    result = node.emit<isa::ElementwiseAdd>({result, addend});
  }
  node.set_output(0, result);
}

}  // namespace pliant::onnx
