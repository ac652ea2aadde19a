#include "semantics/element_rules.h"

#include <algorithm>
#include <iterator>

#include "semantics/shape_lists.h"
#include "semantics/slice_bounds.h"
#include "tensor/dtype.h"

namespace pliant::semantics {
namespace {

using Elements = std::optional<ExtentList>;
using ElementRule = Elements (*)(const InferenceContext&);

/// How many elements a tensor has, if that is a small number.
std::optional<std::int64_t> small_count(const TensorFacts& facts) {
  if (!facts.rank_known) {
    return std::nullopt;
  }
  const Extent count = product(facts.shape);
  const bool small = count.is_number() && count.number() <= kMaxKnownElements;
  return small ? std::optional(count.number()) : std::nullopt;
}

bool is_vector(const TensorFacts& facts) {
  return facts.rank_known && facts.shape.size() == 1;
}

Elements shape_of(const InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::ShapeOf::x);
  if (!x.rank_known) {
    return std::nullopt;
  }
  const auto rank = static_cast<std::int64_t>(x.shape.size());
  const auto bound = [&](int operand, std::int64_t otherwise) {
    const std::int64_t axis = context.given(operand) ? context.integer(operand) : otherwise;
    return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  const std::int64_t end = bound(isa::ShapeOf::end, rank);
  ExtentList elements;
  for (std::int64_t axis = bound(isa::ShapeOf::start, 0); axis < end; ++axis) {
    elements.push_back(x.shape[static_cast<std::size_t>(axis)]);
  }
  return elements;
}

Elements rank_of(const InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::RankOf::x);
  return x.rank_known ? Elements(ExtentList{static_cast<std::int64_t>(x.shape.size())})
                      : std::nullopt;
}

Elements count_of(const InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::CountOf::x);
  return x.rank_known ? Elements(ExtentList{product(x.shape)}) : std::nullopt;
}

/// For rows whose result has the elements of operand 1 in the same order.
Elements same_elements(const InferenceContext& context) {
  return context.elements(1);
}

/// To a wider type nothing changes; to a narrower one, or bool, only numbers are followed.
Elements cast(const InferenceContext& context) {
  const DType to = context.result(0).dtype;
  if (!is_integer(context.tensor(isa::Cast::x).dtype) || !is_integer(to)) {
    return std::nullopt;
  }
  return context.elements(isa::Cast::x);
}

Elements gather(const InferenceContext& context) {
  const Elements x = context.elements(isa::Gather::x);
  const Elements indices = context.elements(isa::Gather::indices);
  if (!x || !indices || !is_vector(context.tensor(isa::Gather::x))) {
    return std::nullopt;
  }
  const auto count = static_cast<std::int64_t>(x->size());
  ExtentList elements;
  for (const Extent& index : *indices) {
    if (!index.is_number() || index.number() < -count || index.number() >= count) {
      return std::nullopt;
    }
    const std::int64_t position = index.number() < 0 ? index.number() + count : index.number();
    elements.push_back((*x)[static_cast<std::size_t>(position)]);
  }
  return elements;
}

Elements concat(const InferenceContext& context) {
  ExtentList elements;
  if (!is_vector(context.tensor(isa::Concat::parts))) {
    return std::nullopt;
  }
  const std::size_t count = context.tensors(isa::Concat::parts).size();
  for (std::size_t i = 0; i < count; ++i) {
    const Elements part = context.part_elements(isa::Concat::parts, static_cast<int>(i));
    if (!part) {
      return std::nullopt;
    }
    elements.insert(elements.end(), part->begin(), part->end());
  }
  return elements;
}

Elements slice(const InferenceContext& context) {
  const Elements x = context.elements(isa::Slice::x);
  const auto starts = context.sizes(isa::Slice::starts);
  const auto ends = context.sizes(isa::Slice::ends);
  if (!x || !starts || !ends || !is_vector(context.tensor(isa::Slice::x)) || starts->size() != 1) {
    return std::nullopt;
  }
  const auto steps = context.given(isa::Slice::steps) ? context.sizes(isa::Slice::steps)
                                                      : std::optional(ExtentList{Extent(1)});
  if (!steps || !(*starts)[0].is_number() || !(*ends)[0].is_number() || !(*steps)[0].is_number()) {
    return std::nullopt;
  }
  const std::int64_t step = (*steps)[0].number();
  const SliceBounds bounds = slice_bounds(static_cast<std::int64_t>(x->size()),
                                          (*starts)[0].number(), (*ends)[0].number(), step);
  ExtentList elements;
  for (std::int64_t i = 0; i < bounds.count; ++i) {
    elements.push_back((*x)[static_cast<std::size_t>(bounds.start + i * step)]);
  }
  return elements;
}

/// One element, repeated to the shape of the result.
Elements repeated(const InferenceContext& context, const Elements& value) {
  const auto count = small_count(context.result(0));
  if (!count || !value || value->size() != 1) {
    return std::nullopt;
  }
  return ExtentList(static_cast<std::size_t>(*count), (*value)[0]);
}

Elements fill(const InferenceContext& context) {
  return repeated(context, context.elements(isa::Fill::value));
}

Elements broadcast_to(const InferenceContext& context) {
  return repeated(context, context.elements(isa::BroadcastTo::x));
}

Elements range(const InferenceContext& context) {
  const auto count = small_count(context.result(0));
  const auto start = context.integer_value(isa::Range::start);
  const auto step = context.integer_value(isa::Range::step);
  if (!count || !start || !step) {
    return std::nullopt;
  }
  ExtentList elements;
  for (std::int64_t i = 0; i < *count; ++i) {
    elements.push_back(*start + *step * Extent(i));
  }
  return elements;
}

Elements reduce(const InferenceContext& context, Extent start, Extent (*combine)(Extent, Extent)) {
  const Elements x = context.elements(isa::ReduceSum::x);
  const auto count = small_count(context.result(0));
  if (!x || count != 1) {
    return std::nullopt;
  }
  Extent value = start;
  for (const Extent& element : *x) {
    value = combine(value, element);
  }
  return ExtentList{value};
}

Elements reduce_sum(const InferenceContext& context) {
  return reduce(context, 0, [](Extent a, Extent b) { return a + b; });
}

Elements reduce_product(const InferenceContext& context) {
  return reduce(context, 1, [](Extent a, Extent b) { return a * b; });
}

/// Whether two integers are equal, where that is decided for every run.
std::optional<bool> equal(const Extent& a, const Extent& b) {
  if (a.is_number() && b.is_number()) {
    return a.number() == b.number();
  }
  if (a == b && !a.is_overflow()) {
    return true;
  }
  const bool apart = (a.is_number() && a.number() < 0 && is_nonnegative(b)) ||
                     (b.is_number() && b.number() < 0 && is_nonnegative(a));
  return apart ? std::optional(false) : std::nullopt;
}

std::optional<Extent> as_element(std::optional<bool> truth) {
  return truth ? std::optional(Extent(*truth ? 1 : 0)) : std::nullopt;
}

/// Elements of a binary row, one by one; operands have as many elements as the result, or one.
using Binary = std::optional<Extent> (*)(const Extent&, const Extent&);
struct BinaryRow {
  isa::Opcode opcode;
  Binary function;
};
constexpr BinaryRow kBinaryRows[] = {
    {isa::Opcode::kElementwiseAdd,
     [](const Extent& a, const Extent& b) { return std::optional(a + b); }},
    {isa::Opcode::kElementwiseSubtract,
     [](const Extent& a, const Extent& b) { return std::optional(a - b); }},
    {isa::Opcode::kElementwiseMultiply,
     [](const Extent& a, const Extent& b) { return std::optional(a * b); }},
    {isa::Opcode::kElementwiseDivide,
     // Truncated towards zero, which is the same as rounded down where nothing is negative.
     [](const Extent& a, const Extent& b) {
       const bool plain = is_nonnegative(a) && b.is_number() && b.number() > 0;
       return plain ? std::optional(floor_divide(a, b)) : std::nullopt;
     }},
    {isa::Opcode::kElementwiseMinimum,
     [](const Extent& a, const Extent& b) { return std::optional(minimum(a, b)); }},
    {isa::Opcode::kElementwiseMaximum,
     [](const Extent& a, const Extent& b) { return std::optional(maximum(a, b)); }},
    {isa::Opcode::kElementwiseEqual,
     [](const Extent& a, const Extent& b) { return as_element(equal(a, b)); }},
};

Elements binary(const InferenceContext& context) {
  const BinaryRow& row =
      *std::find_if(std::begin(kBinaryRows), std::end(kBinaryRows),
                    [&](const BinaryRow& entry) { return entry.opcode == context.row().opcode; });
  using Add = isa::ElementwiseAdd;  // all binary rows have these positions
  const auto count = small_count(context.result(0));
  const Elements lhs = context.elements(Add::lhs);
  const Elements rhs = context.elements(Add::rhs);
  const auto fits = [&](const Elements& elements) {
    return elements &&
           (elements->size() == 1 || static_cast<std::int64_t>(elements->size()) == *count);
  };
  if (!count || !fits(lhs) || !fits(rhs)) {
    return std::nullopt;
  }
  ExtentList elements;
  for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
    const auto element =
        row.function((*lhs)[lhs->size() == 1 ? 0 : i], (*rhs)[rhs->size() == 1 ? 0 : i]);
    if (!element) {
      return std::nullopt;
    }
    elements.push_back(*element);
  }
  return elements;
}

Elements select(const InferenceContext& context) {
  using Row = isa::ElementwiseSelect;
  const auto count = small_count(context.result(0));
  const Elements condition = context.elements(Row::condition);
  const Elements chosen = context.elements(Row::lhs);
  const Elements other = context.elements(Row::rhs);
  const auto fits = [&](const Elements& elements) {
    return elements &&
           (elements->size() == 1 || static_cast<std::int64_t>(elements->size()) == *count);
  };
  if (!count || !fits(condition) || !fits(chosen) || !fits(other)) {
    return std::nullopt;
  }
  ExtentList elements;
  for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
    const auto at = [&](const ExtentList& list) { return list[list.size() == 1 ? 0 : i]; };
    if (!at(*condition).is_number()) {
      return std::nullopt;
    }
    elements.push_back(at(*condition).number() != 0 ? at(*chosen) : at(*other));
  }
  return elements;
}

struct RuleRow {
  isa::Opcode opcode;
  ElementRule rule;
};
constexpr RuleRow kRules[] = {
    {isa::Opcode::kShapeOf, shape_of},
    {isa::Opcode::kRankOf, rank_of},
    {isa::Opcode::kCountOf, count_of},
    {isa::Opcode::kReshape, same_elements},
    {isa::Opcode::kFlatten, same_elements},
    {isa::Opcode::kSqueeze, same_elements},
    {isa::Opcode::kUnsqueeze, same_elements},
    {isa::Opcode::kCast, cast},
    {isa::Opcode::kGather, gather},
    {isa::Opcode::kConcat, concat},
    {isa::Opcode::kSlice, slice},
    {isa::Opcode::kFill, fill},
    {isa::Opcode::kBroadcastTo, broadcast_to},
    {isa::Opcode::kRange, range},
    {isa::Opcode::kReduceSum, reduce_sum},
    {isa::Opcode::kReduceProduct, reduce_product},
    {isa::Opcode::kElementwiseAdd, binary},
    {isa::Opcode::kElementwiseSubtract, binary},
    {isa::Opcode::kElementwiseMultiply, binary},
    {isa::Opcode::kElementwiseDivide, binary},
    {isa::Opcode::kElementwiseMinimum, binary},
    {isa::Opcode::kElementwiseMaximum, binary},
    {isa::Opcode::kElementwiseEqual, binary},
    {isa::Opcode::kElementwiseSelect, select},
};

bool is_followed(DType dtype) {
  return is_integer(dtype) || dtype == DType::kBool;
}

}  // namespace

Elements result_elements(const InferenceContext& context) {
  const RuleRow* const found =
      std::find_if(std::begin(kRules), std::end(kRules),
                   [&](const RuleRow& row) { return row.opcode == context.row().opcode; });
  if (found == std::end(kRules) || !is_followed(context.result(0).dtype) ||
      !small_count(context.result(0))) {
    return std::nullopt;
  }
  Elements elements = found->rule(context);
  const bool usable =
      elements && static_cast<std::int64_t>(elements->size()) == *small_count(context.result(0)) &&
      std::none_of(elements->begin(), elements->end(),
                   [](const Extent& element) { return element.is_overflow(); });
  return usable ? elements : std::nullopt;
}

}  // namespace pliant::semantics
