#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "plan/operands.h"
#include "plan/passes.h"
#include "plan/pattern.h"
#include "plan/repeated_heads.h"
#include "plan/transposed_keys.h"
#include "tensor/dtype.h"

// softmax(scale * q k^T + mask) v as one ATTENTION.
//
// A row whose scores are all minus infinity is where ATTENTION could differ from its parts, so the
// operand `masked` is set to what the parts give:
// - SOFTMAX of minus infinities is NaN: nan, with any added mask and with none;
// - the guard of PyTorch, SELECT(IS_NAN(p), 0, p), makes that a row of zeros: zero. It also hides
//   scores that are NaN from elsewhere, which ATTENTION does not;
// - SELECT(seen, scores, fill) with a finite fill far below any score gives fully masked rows equal
//   weights: mean. Where anything is seen, the masked weights underflow to 0 in both.

namespace pliant::plan {
namespace {

using isa::Opcode;
using isa::Operand;
using semantics::Extent;
using semantics::ExtentShape;

class Attention {
 public:
  explicit Attention(Graph& graph) : graph_(graph), pattern_(graph) {}

  void run() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      Node& node = graph_.nodes[i];
      if (node.instructions.size() != 1 || node.instructions[0].opcode != Opcode::kMatMul) {
        continue;
      }
      added_here_.clear();
      conditions_.clear();
      const std::size_t value_count = graph_.values.size();
      if (auto fused = match(node.instructions[0])) {
        for (isa::Instruction& instruction : added_here_.take()) {
          added_.push_back({i, {{std::move(instruction)}, node.origin}});
        }
        graph_.conditions.insert(graph_.conditions.end(), conditions_.begin(), conditions_.end());
        node.instructions[0] = std::move(*fused);
      } else {
        graph_.values.erase(graph_.values.begin() + static_cast<std::ptrdiff_t>(value_count),
                            graph_.values.end());
      }
    }
    insert_added();
  }

 private:
  struct Parts {
    Operand q;
    Operand k;
    Operand v;
    Operand mask;
    double scale = 1;
    isa::MaskedRow masked = isa::MaskedRow::kNan;
    bool grouped = false;  ///< several heads of q share one of k
  };

  std::optional<isa::Instruction> match(const isa::Instruction& root) {
    const Operand& result = root.operands[isa::MatMul::dst];
    if (is_transposed(root, isa::MatMul::transpose_lhs) ||
        is_transposed(root, isa::MatMul::transpose_rhs) || !is_float(facts_of(result).dtype)) {
      return std::nullopt;
    }
    rank_ = shape_of(result).size();
    if (rank_ != 3 && rank_ != 4) {
      return std::nullopt;
    }
    pattern_.start(root);
    dtype_ = pattern_.facts(result).dtype;
    Parts parts;
    parts.v = root.operands[isa::MatMul::rhs];
    const Operand weights = without_guard(root.operands[isa::MatMul::lhs], parts);
    const auto* softmax = pattern_.find(weights, Opcode::kSoftmax);
    if (softmax == nullptr || !is_last_axis(*softmax) ||
        !find_scores(softmax->operands[isa::Softmax::x], parts) || !pattern_.is_closed()) {
      return std::nullopt;
    }
    without_repetition(parts);
    if (!fits(parts, result)) {
      return std::nullopt;
    }
    return rank_ == 4 ? attention_of(parts, result) : attention_of_heads(parts, result);
  }

  static isa::Instruction attention_of(const Parts& parts, const Operand& result) {
    isa::Instruction attention = with_defaults(Opcode::kAttention);
    attention.operands[isa::Attention::dst] = result;
    attention.operands[isa::Attention::q] = parts.q;
    attention.operands[isa::Attention::k] = parts.k;
    attention.operands[isa::Attention::v] = parts.v;
    attention.operands[isa::Attention::mask] = parts.mask;
    attention.operands[isa::Attention::scale] = isa::real(parts.scale);
    attention.operands[isa::Attention::masked] = isa::choice(parts.masked);
    return attention;
  }

  /// Of tensors without a batch axis: the heads of one batch entry.
  isa::Instruction attention_of_heads(Parts parts, const Operand& result) {
    for (Operand* each : {&parts.q, &parts.k, &parts.v}) {
      isa::Instruction row = with_defaults(Opcode::kUnsqueeze);
      row.operands[isa::Unsqueeze::x] = *each;
      row.operands[isa::Unsqueeze::axis] = isa::numbers(std::vector<std::int64_t>{0});
      *each = added_here_.add(graph_, std::move(row), in_a_batch(facts_of(*each)));
    }
    const Operand batch =
        added_here_.add(graph_, attention_of(parts, isa::absent()), in_a_batch(facts_of(result)));
    isa::Instruction row = with_defaults(Opcode::kSqueeze);
    row.operands[isa::Squeeze::dst] = result;
    row.operands[isa::Squeeze::x] = batch;
    row.operands[isa::Squeeze::axis] = isa::numbers(std::vector<std::int64_t>{0});
    return row;
  }

  static semantics::TensorFacts in_a_batch(const semantics::TensorFacts& facts) {
    semantics::TensorFacts result = facts;
    result.shape = {1};
    for (const Extent& extent : facts.shape) {
      result.shape.push_back(extent);
    }
    return result;
  }

  // ---- from the result to q and k ----

  /// Behind SELECT(IS_NAN(p), 0, p).
  Operand without_guard(const Operand& weights, Parts& parts) {
    const std::size_t mark = pattern_.mark();
    if (const auto* select = pattern_.find(weights, Opcode::kElementwiseSelect)) {
      const Operand& guarded = select->operands[isa::ElementwiseSelect::rhs];
      const auto* test = pattern_.find(select->operands[isa::ElementwiseSelect::condition],
                                       Opcode::kElementwiseIsNan);
      if (test != nullptr && test->operands[isa::ElementwiseIsNan::x] == guarded &&
          pattern_.number(select->operands[isa::ElementwiseSelect::lhs]) == 0.0) {
        parts.masked = isa::MaskedRow::kZero;
        return guarded;
      }
      pattern_.rewind(mark);
    }
    return weights;
  }

  [[nodiscard]] bool is_last_axis(const isa::Instruction& softmax) const {
    const std::int64_t axis = softmax.operands[isa::Softmax::axis].number;
    return axis == -1 || axis == static_cast<std::int64_t>(rank_) - 1;
  }

  bool find_scores(const Operand& scores, Parts& parts) {
    if (const auto* select = pattern_.find(scores, Opcode::kElementwiseSelect)) {
      return find_selected(*select, parts);
    }
    if (const auto* sum = pattern_.find(scores, Opcode::kElementwiseAdd)) {
      return either_way(pattern_, sum->operands[isa::ElementwiseAdd::lhs],
                        sum->operands[isa::ElementwiseAdd::rhs],
                        [&, before = parts](const Operand& product, const Operand& mask) {
                          parts = before;
                          added_here_.clear();
                          if (value_in(mask) < 0) {
                            return false;
                          }
                          if (find_product(product, parts)) {
                            set_added_mask(mask, parts);
                            return true;
                          }
                          return find_selected_below(product, mask, parts) ||
                                 find_twice_masked(product, mask, parts);
                        });
    }
    return find_product(scores, parts);
  }

  /// SELECT(seen, 0, -inf) as an added mask says no more than its condition.
  void set_added_mask(const Operand& mask, Parts& parts) {
    parts.mask = mask;
    const std::size_t mark = pattern_.mark();
    const auto* select = pattern_.find(mask, Opcode::kElementwiseSelect);
    pattern_.rewind(mark);  // others may read the mask
    if (select != nullptr &&
        pattern_.number(select->operands[isa::ElementwiseSelect::lhs]) == 0.0 &&
        pattern_.number(select->operands[isa::ElementwiseSelect::rhs]) == -kInfinity) {
      parts.mask = select->operands[isa::ElementwiseSelect::condition];
    }
  }

  /// SELECT(seen, scores, fill), or SELECT(unseen, fill, scores).
  bool find_selected(const isa::Instruction& select, Parts& parts) {
    const Operand& lhs = select.operands[isa::ElementwiseSelect::lhs];
    const Operand& rhs = select.operands[isa::ElementwiseSelect::rhs];
    const auto below = pattern_.number(rhs);
    const auto fill = below ? below : pattern_.number(lhs);
    if (!fill || !find_product(below ? lhs : rhs, parts)) {
      return false;
    }
    parts.mask = select.operands[isa::ElementwiseSelect::condition];
    if (!below) {
      isa::Instruction negation = with_defaults(Opcode::kElementwiseNot);
      negation.operands[isa::ElementwiseNot::x] = parts.mask;
      parts.mask = added_here_.add(graph_, std::move(negation), facts_of(parts.mask));
    }
    if (*fill == -kInfinity) {
      return true;
    }
    // Far below: e^(fill - score) is 0 for every score that is seen.
    const double far = dtype_ == DType::kF16 ? -6e4 : -1e9;
    parts.masked = isa::MaskedRow::kMean;
    return *fill <= far;
  }

  /// SELECT(seen, scores, fill) + mask, as GPT-2 has it. A fill that swallows any score when one is
  /// added to it says the same in an added mask: SELECT(seen, mask, fill + mask).
  bool find_selected_below(const Operand& scores, const Operand& mask, Parts& parts) {
    constexpr double kSwallowsScores = -1e30;
    const auto* select = pattern_.find(scores, Opcode::kElementwiseSelect);
    if (select == nullptr) {
      return false;
    }
    const Operand& fill = select->operands[isa::ElementwiseSelect::rhs];
    const auto value = pattern_.number(fill);
    if (!value || *value > kSwallowsScores || dtype_ == DType::kF16 ||
        shape_of(fill).size() > shape_of(mask).size() ||
        !find_product(select->operands[isa::ElementwiseSelect::lhs], parts)) {
      return false;
    }
    isa::Instruction sum = with_defaults(Opcode::kElementwiseAdd);
    sum.operands[isa::ElementwiseAdd::lhs] = fill;
    sum.operands[isa::ElementwiseAdd::rhs] = mask;
    semantics::TensorFacts facts = facts_of(mask);
    isa::Instruction both = with_defaults(Opcode::kElementwiseSelect);
    both.operands[isa::ElementwiseSelect::condition] =
        select->operands[isa::ElementwiseSelect::condition];
    both.operands[isa::ElementwiseSelect::lhs] = mask;
    both.operands[isa::ElementwiseSelect::rhs] = added_here_.add(graph_, std::move(sum), facts);
    facts.shape =
        broadcast_shape(facts.shape, shape_of(both.operands[isa::ElementwiseSelect::condition]));
    parts.mask = added_here_.add(graph_, std::move(both), facts);
    return true;
  }

  /// (product + inner) + mask, as windows with a bias per position have it: inner + mask is one mask.
  /// In f16 that sum could overflow where the scores did not.
  bool find_twice_masked(const Operand& scores, const Operand& mask, Parts& parts) {
    const auto* sum = pattern_.find(scores, Opcode::kElementwiseAdd);
    return sum != nullptr && dtype_ != DType::kF16 &&
           either_way(pattern_, sum->operands[isa::ElementwiseAdd::lhs],
                      sum->operands[isa::ElementwiseAdd::rhs],
                      [&, before = parts](const Operand& product, const Operand& inner) {
                        parts = before;
                        added_here_.clear();
                        if (value_in(inner) < 0 || !find_product(product, parts)) {
                          return false;
                        }
                        isa::Instruction both = with_defaults(Opcode::kElementwiseAdd);
                        both.operands[isa::ElementwiseAdd::lhs] = inner;
                        both.operands[isa::ElementwiseAdd::rhs] = mask;
                        semantics::TensorFacts facts = facts_of(inner);
                        facts.shape = broadcast_shape(facts.shape, shape_of(mask));
                        parts.mask = added_here_.add(graph_, std::move(both), facts);
                        return true;
                      });
  }

  static ExtentShape broadcast_shape(const ExtentShape& a, const ExtentShape& b) {
    const ExtentShape& longer = a.size() < b.size() ? b : a;
    const ExtentShape& shorter = a.size() < b.size() ? a : b;
    ExtentShape shape = longer;
    const std::size_t missing = longer.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i) {
      shape[missing + i] = semantics::broadcast(longer[missing + i], shorter[i]);
    }
    return shape;
  }

  /// q k^T, either of them and their product multiplied by numbers.
  bool find_product(const Operand& scores, Parts& parts) {
    const auto* product = pattern_.find(without_factor(scores, parts), Opcode::kMatMul);
    if (product == nullptr || is_transposed(*product, isa::MatMul::transpose_lhs)) {
      return false;
    }
    const Operand& rhs = product->operands[isa::MatMul::rhs];
    if (value_in(product->operands[isa::MatMul::lhs]) < 0 || value_in(rhs) < 0 ||
        shape_of(rhs).size() != rank_) {
      return false;
    }
    parts.q = without_factor(product->operands[isa::MatMul::lhs], parts);
    if (is_transposed(*product, isa::MatMul::transpose_rhs)) {
      parts.k = without_factor(rhs, parts);
      return true;
    }
    parts.k = without_factor(
        transpose_keys_back(graph_, pattern_, without_factor(rhs, parts), added_here_), parts);
    return true;
  }

  /// Behind a multiplication by a number or a division by one that nobody else reads.
  Operand without_factor(const Operand& operand, Parts& parts) {
    if (pattern_.uses(operand) != 1) {
      return operand;
    }
    if (const auto* row = pattern_.find(operand, Opcode::kElementwiseDivide)) {
      const auto divisor = pattern_.number(row->operands[isa::ElementwiseDivide::rhs]);
      const Operand& x = row->operands[isa::ElementwiseDivide::lhs];
      if (divisor && *divisor != 0 && pattern_.same_facts(x, operand)) {
        parts.scale /= *divisor;
        return x;
      }
      pattern_.rewind(pattern_.mark() - 1);
    }
    if (const auto* row = pattern_.find(operand, Opcode::kElementwiseMultiply)) {
      const Operand& lhs = row->operands[isa::ElementwiseMultiply::lhs];
      const Operand& rhs = row->operands[isa::ElementwiseMultiply::rhs];
      for (const auto& [x, factor] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
        const auto value = pattern_.number(factor);
        if (value && pattern_.same_facts(x, operand)) {
          parts.scale *= *value;
          return x;
        }
      }
      pattern_.rewind(pattern_.mark() - 1);
    }
    return operand;
  }

  // ---- repeated key heads ----

  /// Keys and values of which several query heads read the same are read once.
  void without_repetition(Parts& parts) {
    const auto k = unrepeated_heads(pattern_, parts.k);
    const auto v = unrepeated_heads(pattern_, parts.v);
    if (!k || !v) {
      return;
    }
    const Extent& heads = shape_of(parts.q)[1];
    const Extent& key_heads = shape_of(*k)[1];
    if (heads.is_number() && key_heads.is_number() && key_heads.number() > 0 &&
        heads.number() % key_heads.number() == 0 && shape_of(*v)[1] == key_heads) {
      parts.k = *k;
      parts.v = *v;
      parts.grouped = true;
    }
  }

  // ---- shapes ----

  /// Whether ATTENTION takes these shapes and gives that of the result. What does not follow from
  /// the segment's entries becomes a condition of the plan. That a mask broadcasts to the scores, and
  /// that contracted axes agree, follows from the shape rules of the parts.
  bool fits(const Parts& parts, const Operand& result) {
    for (const Operand& each : {parts.q, parts.k, parts.v}) {
      if (value_in(each) < 0 || shape_of(each).size() != rank_ || facts_of(each).dtype != dtype_) {
        return false;
      }
    }
    if (parts.mask.given()) {
      const semantics::TensorFacts& mask = facts_of(parts.mask);
      if (mask.shape.size() > rank_ || (mask.dtype != DType::kBool && mask.dtype != dtype_)) {
        return false;
      }
    }
    const ExtentShape& q = shape_of(parts.q);
    const ExtentShape& k = shape_of(parts.k);
    const ExtentShape& v = shape_of(parts.v);
    const ExtentShape& dst = shape_of(result);
    const std::size_t heads = rank_ - 3;
    const std::size_t tokens = rank_ - 2;
    const std::size_t width = rank_ - 1;
    for (std::size_t axis = 0; axis < tokens; ++axis) {
      const bool grouped = axis == heads && (parts.grouped || k[axis].is(1));
      if ((!grouped && !require_equal(q[axis], k[axis])) || !require_equal(k[axis], v[axis]) ||
          !require_equal(dst[axis], q[axis])) {
        return false;
      }
    }
    return require_equal(k[tokens], v[tokens]) && require_equal(q[width], k[width]) &&
           require_equal(dst[tokens], q[tokens]) && require_equal(dst[width], v[width]);
  }

  bool require_equal(const Extent& a, const Extent& b) {
    if (a == b) {
      return true;
    }
    // A 1 is likely to broadcast, which ATTENTION does not do.
    if ((a.is_number() && b.is_number()) || a.is(1) || b.is(1)) {
      return false;
    }
    conditions_.push_back({a - b, shapes::Interval::exactly(0)});
    return true;
  }

  void insert_added() {
    std::vector<Node> nodes;
    nodes.reserve(graph_.nodes.size() + added_.size());
    auto next = added_.begin();
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      for (; next != added_.end() && next->first == i; ++next) {
        nodes.push_back(std::move(next->second));
      }
      nodes.push_back(std::move(graph_.nodes[i]));
    }
    graph_.nodes = std::move(nodes);
  }

  // ---- reading the graph ----

  static bool is_transposed(const isa::Instruction& product, int flag) {
    return product.operands[static_cast<std::size_t>(flag)].number != 0;
  }
  [[nodiscard]] const semantics::TensorFacts& facts_of(const Operand& operand) const {
    return graph_.values[static_cast<std::size_t>(operand.number)].facts;
  }
  [[nodiscard]] const ExtentShape& shape_of(const Operand& operand) const {
    return facts_of(operand).shape;
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Graph& graph_;
  Pattern pattern_;
  DType dtype_ = DType::kF32;
  std::size_t rank_ = 4;
  AddedInstructions added_here_;                     ///< that the match needs
  std::vector<Condition> conditions_;                ///< that the match needs
  std::vector<std::pair<std::size_t, Node>> added_;  ///< nodes, and which node they go before
};

}  // namespace

void fuse_attention(Graph& graph) {
  Attention(graph).run();
  drop_dead(graph);
}

}  // namespace pliant::plan
