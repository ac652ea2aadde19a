#include "session/segment_sizes.h"

#include <algorithm>
#include <array>

#include "isa/info.h"

namespace pliant::session {
namespace {

using isa::Opcode;

/// Shapes of the tensor operands of an instruction, by position; empty where there is none.
using OperandShapes = std::vector<std::optional<Shape>>;

double elements(const std::optional<Shape>& shape) {
  double count = shape ? 1 : 0;
  for (std::size_t i = 0; shape && i < shape->size(); ++i) {
    count *= static_cast<double>((*shape)[i]);
  }
  return count;
}

double last_extent(const std::optional<Shape>& shape) {
  return !shape || shape->empty() ? 1 : static_cast<double>((*shape)[shape->size() - 1]);
}

template <class Row>
double matrix_product(const OperandShapes& shapes) {
  return elements(shapes[Row::dst]) * last_extent(shapes[Row::lhs]);
}

/// Each result element takes the weights of its output channel.
template <class Row>
double convolution(const OperandShapes& shapes) {
  const std::optional<Shape>& weights = shapes[Row::weights];
  const double outputs = !weights || weights->empty() ? 1 : static_cast<double>((*weights)[0]);
  return elements(shapes[Row::dst]) * elements(weights) / std::max(outputs, 1.0);
}

/// Every query meets every key, twice.
double attention(const OperandShapes& shapes) {
  const std::optional<Shape>& keys = shapes[isa::Attention::k];
  const double count =
      !keys || keys->size() < 2 ? 1 : static_cast<double>((*keys)[keys->size() - 2]);
  return 2 * elements(shapes[isa::Attention::q]) * count;
}

/// Rows whose work is more than to look at each element: how many products they take.
struct Product {
  Opcode opcode;
  double (*products)(const OperandShapes&);
};
constexpr std::array kProducts = {
    Product{Opcode::kMatMul, matrix_product<isa::MatMul>},
    Product{Opcode::kMatMulInteger, matrix_product<isa::MatMulInteger>},
    Product{Opcode::kConv1d, convolution<isa::Conv1d>},
    Product{Opcode::kConv2d, convolution<isa::Conv2d>},
    Product{Opcode::kConv3d, convolution<isa::Conv3d>},
    Product{Opcode::kConvInteger, convolution<isa::ConvInteger>},
    // A result of a transposed convolution takes at most what one of a convolution does.
    Product{Opcode::kConvTranspose, convolution<isa::ConvTranspose>},
    Product{Opcode::kAttention, attention},
};

}  // namespace

SegmentSizes::SegmentSizes(const plan::Graph& graph, shapes::Signature signature)
    : graph_(graph), symbols_(static_cast<std::size_t>(graph.pool->symbol_count()), 1) {
  for (std::size_t i = 0; i < signature.size(); ++i) {
    symbols_[static_cast<std::size_t>(graph.entry_symbols[i])] = signature[i];
  }
}

std::optional<Shape> SegmentSizes::shape(int value) const {
  Shape shape;
  for (const semantics::Extent& extent :
       graph_.values[static_cast<std::size_t>(value)].facts.shape) {
    const std::optional<std::int64_t> number = semantics::evaluate(extent, symbols_);
    if (!number || *number < 0) {
      return std::nullopt;
    }
    shape.push_back(*number);
  }
  return checked_element_count(shape) ? std::optional(shape) : std::nullopt;
}

std::optional<double> SegmentSizes::cost() const {
  constexpr double kElementCost = 16;
  double cost = 0;
  OperandShapes shapes;
  for (const plan::Node& node : graph_.nodes) {
    for (const isa::Instruction& instruction : node.instructions) {
      const isa::InstructionInfo& row = isa::info(instruction.opcode);
      shapes.assign(row.operands.size(), std::nullopt);
      for (std::size_t i = 0; i < row.operands.size(); ++i) {
        const isa::Operand& operand = instruction.operands[i];
        if (operand.form != isa::Form::kRegister) {
          continue;
        }
        shapes[i] = shape(static_cast<int>(operand.number));
        if (!shapes[i]) {
          return std::nullopt;
        }
        cost += kElementCost * elements(shapes[i]);
      }
      const auto product =
          std::find_if(kProducts.begin(), kProducts.end(),
                       [&](const Product& entry) { return entry.opcode == instruction.opcode; });
      if (product != kProducts.end()) {
        cost += 2 * product->products(shapes);
      }
    }
  }
  return cost;
}

}  // namespace pliant::session
