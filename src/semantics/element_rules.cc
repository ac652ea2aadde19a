#include "semantics/element_rules.h"

#include <algorithm>
#include <iterator>
#include <numeric>

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

std::optional<std::vector<std::int64_t>> known_numbers(const Elements& elements) {
  return elements ? numbers_of(*elements) : std::nullopt;
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

/// The elements at the places of x that each element of a small result comes from: axis by axis,
/// where the result begins there and how far its neighbours are apart, in elements of x.
struct Walk {
  std::int64_t start = 0;
  std::vector<std::int64_t> steps;  ///< by axis of the result
};

Elements walk(const ExtentList& x, const Walk& walk, const ExtentShape& result) {
  std::int64_t count = 1;
  for (const Extent& extent : result) {
    count *= extent.number();
  }
  ExtentList elements;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i;
    std::int64_t place = walk.start;
    for (std::size_t axis = result.size(); axis-- > 0;) {
      place += rest % result[axis].number() * walk.steps[axis];
      rest /= result[axis].number();
    }
    elements.push_back(x[static_cast<std::size_t>(place)]);
  }
  return elements;
}

/// Row-major steps of a shape; empty unless all its extents are numbers.
std::optional<std::vector<std::int64_t>> row_major(const ExtentShape& shape) {
  std::vector<std::int64_t> steps(shape.size());
  std::int64_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (!shape[axis].is_number()) {
      return std::nullopt;
    }
    steps[axis] = step;
    step *= shape[axis].number();
  }
  return steps;
}

Elements slice(const InferenceContext& context) {
  const Elements x = context.elements(isa::Slice::x);
  const ExtentShape& shape = context.tensor(isa::Slice::x).shape;
  const auto numbers = [&](int operand, std::size_t count, std::int64_t otherwise) {
    return context.given(operand) ? known_numbers(context.sizes(operand))
                                  : std::optional(std::vector<std::int64_t>(count, otherwise));
  };
  const auto starts = known_numbers(context.sizes(isa::Slice::starts));
  const auto ends = known_numbers(context.sizes(isa::Slice::ends));
  auto steps = row_major(shape);
  if (!x || !starts || !ends || !steps) {
    return std::nullopt;
  }
  const auto given_steps = numbers(isa::Slice::steps, starts->size(), 1);
  auto axes = numbers(isa::Slice::axes, starts->size(), 0);
  if (!given_steps || !axes) {
    return std::nullopt;
  }
  if (!context.given(isa::Slice::axes)) {
    std::iota(axes->begin(), axes->end(), 0);
  }
  Walk places{0, *steps};
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto axis = static_cast<std::size_t>(
        (*axes)[i] < 0 ? (*axes)[i] + static_cast<std::int64_t>(shape.size()) : (*axes)[i]);
    const SliceBounds bounds =
        slice_bounds(shape[axis].number(), (*starts)[i], (*ends)[i], (*given_steps)[i]);
    places.start += bounds.start * (*steps)[axis];
    places.steps[axis] = (*given_steps)[i] * (*steps)[axis];
  }
  return walk(*x, places, context.result(0).shape);
}

Elements transpose(const InferenceContext& context) {
  const Elements x = context.elements(isa::Transpose::x);
  const ExtentShape& shape = context.tensor(isa::Transpose::x).shape;
  const auto steps = row_major(shape);
  if (!x || !steps) {
    return std::nullopt;
  }
  Walk places{0, {steps->rbegin(), steps->rend()}};
  if (context.given(isa::Transpose::perm)) {
    const std::vector<std::int64_t> perm = context.integers(isa::Transpose::perm);
    for (std::size_t axis = 0; axis < perm.size(); ++axis) {
      const std::int64_t from =
          perm[axis] < 0 ? perm[axis] + static_cast<std::int64_t>(perm.size()) : perm[axis];
      places.steps[axis] = (*steps)[static_cast<std::size_t>(from)];
    }
  }
  return walk(*x, places, context.result(0).shape);
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
     // Towards zero, which is the same as down where nothing is negative.
     [](const Extent& a, const Extent& b) {
       const bool plain = is_nonnegative(a) && is_nonnegative(b);
       return std::optional(plain ? floor_divide(a, b) : quotient(a, b));
     }},
    // Follows the divisor; the dividend only where both signs are the same.
    {isa::Opcode::kElementwiseModulo,
     [](const Extent& a, const Extent& b) {
       const bool plain = is_nonnegative(a) && b.is_number() && b.number() > 0;
       return plain ? std::optional(modulo(a, b)) : std::nullopt;
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

Elements negate(const InferenceContext& context) {
  Elements elements = context.elements(isa::ElementwiseNegate::x);
  if (elements) {
    for (Extent& element : *elements) {
      element = Extent(0) - element;
    }
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
    {isa::Opcode::kTranspose, transpose},
    {isa::Opcode::kFill, fill},
    {isa::Opcode::kBroadcastTo, broadcast_to},
    {isa::Opcode::kRange, range},
    {isa::Opcode::kReduceSum, reduce_sum},
    {isa::Opcode::kReduceProduct, reduce_product},
    {isa::Opcode::kElementwiseNegate, negate},
    {isa::Opcode::kElementwiseAdd, binary},
    {isa::Opcode::kElementwiseSubtract, binary},
    {isa::Opcode::kElementwiseMultiply, binary},
    {isa::Opcode::kElementwiseDivide, binary},
    {isa::Opcode::kElementwiseModulo, binary},
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
