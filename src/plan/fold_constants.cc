#include <algorithm>

#include "kernels/movement/copy.h"
#include "plan/emit.h"
#include "plan/graph_facts.h"
#include "plan/operands.h"
#include "plan/passes.h"
#include "plan/run.h"
#include "tensor/dtype.h"

namespace pliant::plan {
namespace {

/// Results of kernels up to this size are kept even when their operands are smaller.
constexpr std::int64_t kSmallBytes = 64 << 10;

std::int64_t bytes_of(const semantics::TensorFacts& facts) {
  Shape shape;
  for (const semantics::Extent& extent : facts.shape) {
    shape.push_back(extent.number());
  }
  const auto count = checked_element_count(shape);
  const auto size = static_cast<std::int64_t>(byte_size(facts.dtype));
  std::int64_t bytes = INT64_MAX;
  if (!count || __builtin_mul_overflow(*count, size, &bytes)) {
    return INT64_MAX;
  }
  return bytes;
}

bool is_number(const semantics::TensorFacts& facts) {
  return std::all_of(facts.shape.begin(), facts.shape.end(),
                     [](const semantics::Extent& extent) { return extent.is_number(); });
}

/// Follows which values can be computed now.
class Folding {
 public:
  explicit Folding(const Graph& graph) : graph_(graph), known_(graph.values.size(), false) {
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
      known_[i] = graph.values[i].kind == Value::Kind::kConstant;
    }
  }

  /// Notes the results of the node when it can.
  bool visit(const Node& node) {
    if (node.instructions.size() != 1 || !can_fold(node.instructions[0])) {
      return false;
    }
    for_each_definition(node.instructions[0], [&](const isa::Operand& operand) {
      if (operand.given()) {
        known_[static_cast<std::size_t>(operand.number)] = true;
      }
    });
    return true;
  }

 private:
  bool can_fold(const isa::Instruction& instruction) const {
    if (!has_effect(instruction, isa::kPure) || has_effect(instruction, isa::kRandom)) {
      return false;
    }
    bool possible = true;
    std::int64_t operand_bytes = 0;
    for_each_use(instruction, [&](const isa::Operand& operand) {
      const int value = value_in(operand);
      possible = possible && value >= 0 && known_[static_cast<std::size_t>(value)];
      if (possible) {
        operand_bytes += bytes_of(graph_.values[static_cast<std::size_t>(value)].facts);
      }
    });
    for_each_extent(instruction, [&](const isa::Operand& operand) {
      possible = possible && graph_.extents[static_cast<std::size_t>(operand.number)].is_number();
    });
    if (!possible) {
      return false;
    }
    const bool moves_nothing =
        isa::info(instruction.opcode).instruction_class == isa::InstructionClass::kView;
    const std::int64_t limit = std::max(kSmallBytes, operand_bytes);
    for_each_definition(instruction, [&](const isa::Operand& operand) {
      if (operand.given()) {
        const auto& facts = graph_.values[static_cast<std::size_t>(operand.number)].facts;
        possible = possible && is_number(facts) && (moves_nothing || bytes_of(facts) <= limit);
      }
    });
    return possible;
  }

  const Graph& graph_;
  std::vector<bool> known_;
};

/// The value becomes a constant.
void make_value_constant(Graph& graph, int index, StoredTensor tensor) {
  Value& value = graph.values[static_cast<std::size_t>(index)];
  value.kind = Value::Kind::kConstant;
  value.index = static_cast<int>(graph.constants.size());
  value.elements = constant_elements(tensor.view);
  graph.constants.push_back(std::move(tensor));
}

/// Values whose elements are numbers although they are computed from tensors that are not constant:
/// the shape of a tensor whose extents are known.
bool write_known_elements(Graph& graph, const Node& node) {
  const int result = single_result(node.instructions[0]);
  if (result < 0 || node.instructions.size() != 1 ||
      !has_effect(node.instructions[0], isa::kPure)) {
    return false;
  }
  const Value& value = graph.values[static_cast<std::size_t>(result)];
  if (!value.elements || value.kind != Value::Kind::kComputed || !is_number(value.facts) ||
      std::any_of(value.elements->begin(), value.elements->end(),
                  [](const semantics::Extent& element) { return !element.is_number(); })) {
    return false;
  }
  Shape shape;
  for (const semantics::Extent& extent : value.facts.shape) {
    shape.push_back(extent.number());
  }
  StoredTensor tensor = make_constant(value.facts.dtype, shape);
  visit_dtype(value.facts.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      T* out = tensor.view.as<T>();
      for (const semantics::Extent& element : *value.elements) {
        *out++ = static_cast<T>(element.number());
      }
    }
  });
  make_value_constant(graph, result, std::move(tensor));
  return true;
}

/// A copy that lives as long as somebody holds it, or a view of a constant as it is.
StoredTensor as_constant(const StoredTensor& tensor, CpuLevel level) {
  if (tensor.is_constant()) {
    return tensor;
  }
  StoredTensor copy = make_constant(tensor.view.dtype, tensor.view.shape);
  TensorView target = copy.view;
  if (tensor.view.element_count() > 0) {
    SerialFor serial;
    kernels::copy_strided(kernels::copy_arguments(tensor.view, target),
                          kernels::KernelContext{serial, nullptr, level});
  }
  return copy;
}

/// The values that nodes read and that are left behind.
std::vector<bool> needed_values(const Graph& graph) {
  std::vector<bool> needed(graph.values.size(), false);
  for (const Node& node : graph.nodes) {
    for (const isa::Instruction& instruction : node.instructions) {
      for_each_use(instruction, [&](const isa::Operand& operand) {
        if (operand.form == isa::Form::kRegister) {
          needed[static_cast<std::size_t>(operand.number)] = true;
        }
      });
    }
  }
  for (const LiveOut& out : graph.live_outs) {
    if (out.kind != LiveOut::Kind::kSizeRegister) {
      needed[static_cast<std::size_t>(out.value)] = true;
    }
  }
  return needed;
}

}  // namespace

void fold_constants(Graph& graph, CpuLevel level) {
  std::erase_if(graph.nodes, [&](const Node& node) { return write_known_elements(graph, node); });

  // What can be computed now becomes a graph of its own, which is compiled and run.
  Folding folding(graph);
  Graph known;
  known.program = graph.program;
  known.pool = graph.pool;
  std::vector<Node> rest;
  for (Node& node : graph.nodes) {
    (folding.visit(node) ? known.nodes : rest).push_back(std::move(node));
  }
  graph.nodes = std::move(rest);
  if (known.nodes.empty()) {
    return;
  }
  known.values = graph.values;
  for (Value& value : known.values) {
    if (value.kind == Value::Kind::kLiveIn) {
      value.index = -1;  // there are none
    }
  }
  known.extents = graph.extents;
  known.constants = graph.constants;
  const std::vector<bool> needed = needed_values(graph);
  for (const Node& node : known.nodes) {
    for_each_definition(node.instructions[0], [&](const isa::Operand& operand) {
      if (operand.given() && needed[static_cast<std::size_t>(operand.number)]) {
        known.live_outs.push_back(
            {LiveOut::Kind::kTensorRegister, 0, static_cast<int>(operand.number)});
      }
    });
  }
  // Sizes that have become numbers may be wrong ones: the rules are asked before anything is bound.
  for (const Node& node : known.nodes) {
    known.rules.insert(known.rules.end(), node.instructions.begin(), node.instructions.end());
  }
  drop_dead(known);
  memory::Pool pool({});
  SerialFor serial;
  const Environment environment{pool, serial, level, nullptr};
  Workspace workspace;
  RunResults results;
  DeclineReason reason = DeclineReason::kNone;
  const std::vector<LiveOut> live_outs = known.live_outs;
  std::vector<Node> nodes = known.nodes;  // to put back if that fails
  const std::shared_ptr<const Plan> plan = emit(std::move(known), {}, level, reason);
  if (plan == nullptr || run(*plan, {}, environment, workspace, results) != DeclineReason::kNone) {
    // An index out of range, say: each run finds that out by itself.
    nodes.insert(nodes.end(), std::make_move_iterator(graph.nodes.begin()),
                 std::make_move_iterator(graph.nodes.end()));
    graph.nodes = std::move(nodes);
    return;
  }
  for (std::size_t i = 0; i < live_outs.size(); ++i) {
    make_value_constant(graph, live_outs[i].value, as_constant(results.tensors[i], level));
  }
}

}  // namespace pliant::plan
