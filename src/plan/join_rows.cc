#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "bind/operator.h"
#include "plan/operands.h"
#include "plan/passes.h"

namespace pliant::plan {
namespace {

using semantics::ExtentShape;

/// Nodes that may run together, in order. They run where the last of them stands.
struct Run {
  std::vector<int> nodes;
  ExtentShape shape;  ///< of all results, until a kernel says what a row is
  int row_axes = -1;  ///< -1: no kernel yet
  [[nodiscard]] int position() const { return nodes.back(); }
};

/// More would make blocks small.
constexpr std::size_t kMostNodes = 8;

class Joining {
 public:
  explicit Joining(Graph& graph)
      : graph_(graph),
        producer_(graph.values.size(), -1),
        readers_(graph.values.size()),
        run_of_(graph.nodes.size(), -1) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const isa::Instruction& instruction : graph.nodes[i].instructions) {
        for_each_use(instruction, [&](const isa::Operand& operand) {
          if (const int value = value_in(operand); value >= 0) {
            readers_[static_cast<std::size_t>(value)].push_back(static_cast<int>(i));
          }
        });
        for_each_definition(instruction, [&](const isa::Operand& operand) {
          if (const int value = value_in(operand); value >= 0) {
            producer_[static_cast<std::size_t>(value)] = static_cast<int>(i);
          }
        });
      }
    }
  }

  void run() {
    for (position_ = 0; position_ < static_cast<int>(graph_.nodes.size()); ++position_) {
      const Node& node = graph_.nodes[static_cast<std::size_t>(position_)];
      if (is_elementwise(node) || row_axes(node) > 0) {
        join_a_run(node);
      }
    }
    reorder();
  }

 private:
  static bool is_elementwise(const Node& node) {
    return has_effect(node.instructions[0], isa::kElementwise) &&
           !has_effect(node.instructions[0], isa::kRandom);
  }

  /// How many axes tell the rows of a node's kernel apart; -1 if it is none that works row by row.
  [[nodiscard]] int row_axes(const Node& node) const {
    const isa::Instruction& first = node.instructions[0];
    const bind::Operator& op = bind::operator_of(first.opcode);
    const int input = kernel_input(node);  // none: a size stands there
    return op.row_axes == nullptr || op.check != nullptr || input < 0
               ? -1
               : op.row_axes(first, static_cast<int>(shape_of(input).size()));
  }
  static int kernel_input(const Node& node) {
    int input = -1;
    for_each_use(node.instructions[0], [&](const isa::Operand& operand) {
      input = input < 0 ? value_in(operand) : input;
    });
    return input;
  }

  void join_a_run(const Node& node) {
    std::vector<int> candidates;
    for (const isa::Instruction& instruction : node.instructions) {
      for_each_use(instruction, [&](const isa::Operand& operand) {
        const int producer =
            value_in(operand) < 0 ? -1 : producer_[static_cast<std::size_t>(value_in(operand))];
        const int run = producer < 0 ? -1 : run_of_[static_cast<std::size_t>(producer)];
        if (run >= 0 && std::find(candidates.begin(), candidates.end(), run) == candidates.end()) {
          candidates.push_back(run);
        }
      });
    }
    // What was computed last is most likely still in cache.
    std::sort(candidates.begin(), candidates.end(), [this](int a, int b) {
      return runs_[static_cast<std::size_t>(a)].position() >
             runs_[static_cast<std::size_t>(b)].position();
    });
    for (const int candidate : candidates) {
      if (join(node, candidate)) {
        return;
      }
    }
    Run run;
    run.nodes = {position_};
    run.row_axes = row_axes(node);
    run.shape = run.row_axes > 0 ? shape_of(kernel_input(node)) : result_shape(node);
    if (run.row_axes > 0 && !has_rows_of(node, run)) {
      return;
    }
    run_of_[static_cast<std::size_t>(position_)] = static_cast<int>(runs_.size());
    runs_.push_back(std::move(run));
  }

  bool join(const Node& node, int index) {
    const Run& candidate = runs_[static_cast<std::size_t>(index)];
    Run joined = candidate;
    if (const int axes = row_axes(node); axes > 0 && joined.row_axes < 0) {
      joined.row_axes = axes;
    } else if (axes > 0 && axes != joined.row_axes) {
      return false;
    }
    joined.nodes.push_back(position_);
    if (joined.nodes.size() > kMostNodes || !has_rows_of(node, joined) ||
        !reads_row_by_row(node, joined, index) || is_read_before(candidate, index)) {
      return false;
    }
    runs_[static_cast<std::size_t>(index)] = std::move(joined);
    run_of_[static_cast<std::size_t>(position_)] = index;
    return true;
  }

  /// Every result has the axes that tell rows apart, or, before there is a kernel, the one shape.
  [[nodiscard]] bool has_rows_of(const Node& node, const Run& run) const {
    bool fits = true;
    for (const isa::Instruction& instruction : node.instructions) {
      for_each_definition(instruction, [&](const isa::Operand& operand) {
        if (const int value = value_in(operand); value >= 0) {
          fits = fits && (run.row_axes < 0 ? shape_of(value) == run.shape
                                           : begin_alike(shape_of(value), run.shape, run.row_axes));
        }
      });
    }
    return fits && (row_axes(node) <= 0 ||
                    begin_alike(shape_of(kernel_input(node)), run.shape, run.row_axes));
  }

  static bool begin_alike(const ExtentShape& a, const ExtentShape& b, int axes) {
    const auto count = static_cast<std::size_t>(axes);
    return a.size() >= count && b.size() >= count &&
           std::equal(a.begin(), a.begin() + axes, b.begin());
  }

  /// A row of the node's results needs no other row of what the run computes.
  [[nodiscard]] bool reads_row_by_row(const Node& node, const Run& run, int index) const {
    bool by_rows = true;
    for (const isa::Instruction& instruction : node.instructions) {
      const bool is_kernel = !has_effect(instruction, isa::kElementwise);
      int position = 0;
      for_each_use(instruction, [&](const isa::Operand& operand) {
        const bool is_first = position++ == 0;
        const int value = value_in(operand);
        const int producer = value < 0 ? -1 : producer_[static_cast<std::size_t>(value)];
        if (producer < 0 || run_of_[static_cast<std::size_t>(producer)] != index) {
          return;
        }
        const ExtentShape& shape = shape_of(value);
        if (is_kernel) {
          by_rows = by_rows && is_first;
        } else {
          const ExtentShape& result = shape_of(single_result(instruction));
          by_rows =
              by_rows && (shape == result || (run.row_axes > 0 && shape.size() == result.size() &&
                                              begin_alike(shape, result, run.row_axes)));
        }
      });
    }
    return by_rows;
  }

  /// The run would move down to this node: nobody in between may wait for it.
  [[nodiscard]] bool is_read_before(const Run& run, int index) const {
    const auto reads_too_early = [&](int reader) {
      const int own = run_of_[static_cast<std::size_t>(reader)];
      if (reader == position_ || own == index) {
        return false;
      }
      return (own < 0 ? reader : runs_[static_cast<std::size_t>(own)].position()) < position_;
    };
    bool early = false;
    for (const int member : run.nodes) {
      for (const isa::Instruction& instruction :
           graph_.nodes[static_cast<std::size_t>(member)].instructions) {
        for_each_definition(instruction, [&](const isa::Operand& operand) {
          if (const int value = value_in(operand); value >= 0) {
            const std::vector<int>& readers = readers_[static_cast<std::size_t>(value)];
            early = early || std::any_of(readers.begin(), readers.end(), reads_too_early);
          }
        });
      }
    }
    return early;
  }

  void reorder() {
    std::vector<std::tuple<int, int>> order;  // where it runs, which
    for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i) {
      const int index = run_of_[static_cast<std::size_t>(i)];
      const Run* const run = index < 0 ? nullptr : &runs_[static_cast<std::size_t>(index)];
      const bool together = run != nullptr && run->row_axes > 0 && run->nodes.size() > 1;
      if (together && i != run->position()) {
        graph_.nodes[static_cast<std::size_t>(i)].rows_with_next = run->row_axes;
      }
      order.emplace_back(together ? run->position() : i, i);
    }
    std::sort(order.begin(), order.end());
    std::vector<Node> nodes;
    nodes.reserve(order.size());
    for (const auto& [position, i] : order) {
      nodes.push_back(std::move(graph_.nodes[static_cast<std::size_t>(i)]));
    }
    graph_.nodes = std::move(nodes);
  }

  [[nodiscard]] const ExtentShape& shape_of(int value) const {
    return graph_.values[static_cast<std::size_t>(value)].facts.shape;
  }
  [[nodiscard]] const ExtentShape& result_shape(const Node& node) const {
    return shape_of(single_result(node.instructions.back()));
  }

  Graph& graph_;
  std::vector<int> producer_;              ///< by value: its node, or -1
  std::vector<std::vector<int>> readers_;  ///< by value: nodes
  std::vector<int> run_of_;                ///< by node, or -1
  std::vector<Run> runs_;
  int position_ = 0;
};

}  // namespace

void join_rows(Graph& graph) {
  Joining(graph).run();
}

}  // namespace pliant::plan
