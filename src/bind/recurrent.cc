#include "kernels/recurrent/recurrent.h"

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "bind/operator.h"

namespace pliant::bind {
namespace {

namespace recurrent = kernels::recurrent;
using recurrent::Cell;

/// Where a row has the operands that not all of them have; -1: it has none.
struct RowOperands {
  Cell cell;
  int y_c, initial_c, peephole, coupled, linear_before_reset;
};
template <class Row>
constexpr RowOperands kRowOperands{};
template <>
constexpr RowOperands kRowOperands<isa::Lstm>{
    Cell::kLstm, isa::Lstm::y_c, isa::Lstm::initial_c, isa::Lstm::peephole, isa::Lstm::coupled, -1};
template <>
constexpr RowOperands kRowOperands<isa::Gru>{Cell::kGru, -1, -1,
                                             -1,         -1, isa::Gru::linear_before_reset};
template <>
constexpr RowOperands kRowOperands<isa::Rnn>{Cell::kRnn, -1, -1, -1, -1, -1};

struct ActivationRow {
  recurrent::ActivationFunction usual;
  int parameters;
};
constexpr ActivationRow kActivations[] = {
#define PLIANT_ROW(Name, alpha, beta, parameters)                                         \
  {{recurrent::Activation::k##Name, static_cast<float>(alpha), static_cast<float>(beta)}, \
   parameters},
    PLIANT_ACTIVATIONS(PLIANT_ROW)
#undef PLIANT_ROW
};
// The words of assembly are in the same order.
#define PLIANT_SAME(Name, ...)                                \
  static_assert(static_cast<int>(isa::Activation::k##Name) == \
                static_cast<int>(recurrent::Activation::k##Name));
PLIANT_ACTIVATIONS(PLIANT_SAME)
#undef PLIANT_SAME

/// Activations of all directions; parameters are consumed in order by those that have some.
template <class Row, class T>
void set_functions(const BindContext& context, recurrent::RecurrentArguments<T>& arguments) {
  const auto& words = context.operand(Row::activations).list;
  const auto& alphas = context.operand(Row::alphas).list;
  const auto& betas = context.operand(Row::betas).list;
  const int count = recurrent::function_count(arguments.cell);
  std::size_t next_alpha = 0;
  std::size_t next_beta = 0;
  for (int direction = 0; direction < static_cast<int>(arguments.directions); ++direction) {
    for (int i = 0; i < count; ++i) {
      // Usual: sigmoid for gates, tanh for what goes through them.
      const bool is_gate = i == 0 && arguments.cell != Cell::kRnn;
      const std::size_t word = static_cast<std::size_t>(direction * count + i);
      const std::size_t kind =
          words.empty() ? (is_gate ? 0 : 1) : static_cast<std::size_t>(words[word].number);
      recurrent::ActivationFunction function = kActivations[kind].usual;
      if (kActivations[kind].parameters >= 1 && next_alpha < alphas.size()) {
        function.alpha = static_cast<float>(alphas[next_alpha++].real);
      }
      if (kActivations[kind].parameters >= 2 && next_beta < betas.size()) {
        function.beta = static_cast<float>(betas[next_beta++].real);
      }
      arguments.functions[direction][i] = function;
    }
  }
}

template <class T>
void set_matrix(const TensorView& view, recurrent::GateMatrix<T>& matrix) {
  matrix.data = view.as<T>();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    matrix.strides[axis] = view.strides[axis];
  }
}

template <class T>
const T* given_data(const BindContext& context, int operand) {
  return operand >= 0 && context.given(operand) ? context.input(operand).as<T>() : nullptr;
}

template <class T>
T* wanted_data(const BindContext& context, int operand) {
  return operand >= 0 && context.wanted(operand) ? context.output(operand).as<T>() : nullptr;
}

template <class Row, class T>
recurrent::RecurrentArguments<T> arguments_of(const BindContext& context) {
  constexpr RowOperands kOperands = kRowOperands<Row>;
  recurrent::RecurrentArguments<T> arguments;
  const TensorView& x = context.input(Row::x);
  arguments.cell = kOperands.cell;
  arguments.steps = x.shape[0];
  arguments.batch = x.shape[1];
  arguments.inputs = x.shape[2];
  arguments.hidden = context.input(Row::recurrence).shape[2];
  const auto direction = context.template choice<isa::Direction>(Row::direction);
  arguments.directions = direction == isa::Direction::kBoth ? 2 : 1;
  arguments.first_is_reverse = direction == isa::Direction::kReverse;
  if constexpr (kOperands.coupled >= 0) {
    arguments.coupled = context.flag(kOperands.coupled);
  }
  if constexpr (kOperands.linear_before_reset >= 0) {
    arguments.linear_before_reset = context.flag(kOperands.linear_before_reset);
  }
  arguments.clip = context.given(Row::clip) ? static_cast<float>(context.real(Row::clip)) : 0.0f;
  set_functions<Row>(context, arguments);
  arguments.x = x.as<T>();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    arguments.x_strides[axis] = x.strides[axis];
  }
  set_matrix(context.input(Row::weights), arguments.weights);
  set_matrix(context.input(Row::recurrence), arguments.recurrence);
  arguments.bias = given_data<T>(context, Row::bias);
  arguments.lengths = given_data<std::int32_t>(context, Row::lengths);
  arguments.initial_h = given_data<T>(context, Row::initial_h);
  arguments.initial_c = given_data<T>(context, kOperands.initial_c);
  arguments.peephole = given_data<T>(context, kOperands.peephole);
  arguments.y = wanted_data<T>(context, Row::y);
  arguments.y_h = wanted_data<T>(context, Row::y_h);
  arguments.y_c = wanted_data<T>(context, kOperands.y_c);
  return arguments;
}

/// Calls visit(T{}) for the element type of the row.
template <class Row, class Visit>
void visit_type(const BindContext& context, Visit visit) {
  switch (context.input(Row::x).dtype) {
    case DType::kF64:
      return visit(double{});
    case DType::kF16:
      return visit(Half{});
    case DType::kBF16:
      return visit(BFloat16{});
    default:
      return visit(float{});
  }
}

template <class Row>
void layout_recurrent(BindContext& context) {
  constexpr RowOperands kOperands = kRowOperands<Row>;
  for (const int operand : {int{Row::bias}, int{Row::lengths}, int{Row::initial_h},
                            kOperands.initial_c, kOperands.peephole}) {
    if (operand >= 0 && context.given(operand)) {
      context.require_contiguous(operand);
    }
  }
  const TensorView& x = context.input(Row::x);
  visit_type<Row>(context, [&](auto zero) {
    using T = decltype(zero);
    recurrent::RecurrentArguments<T> arguments = arguments_of<Row, T>(context);
    if constexpr (std::is_same_v<T, float>) {
      if (x.shape[2] > 1 && x.strides[2] != 1) {
        context.require_contiguous(Row::x);
      }
      // Only whether these are null matters here: forms that are kept need no scratch memory.
      static const float kKept = 0.0f;
      arguments.packed_weights = context.keeps_packed(Row::weights) ? &kKept : nullptr;
      arguments.packed_recurrence = context.keeps_packed(Row::recurrence) ? &kKept : nullptr;
      context.set_scratch_bytes(recurrent::scratch_bytes(arguments, context.level()));
    } else {
      context.set_scratch_bytes(recurrent::reference_scratch_bytes(arguments));
    }
  });
}

template <class Row>
void set_packed(BindContext& context, recurrent::RecurrentArguments<float>& arguments) {
  const CpuLevel level = context.level();
  const auto keep = [&](int operand, std::string_view form, std::int64_t elements, auto pack) {
    char format[48];
    char* end = std::copy(form.begin(), form.end(), format);
    end = std::copy(name(level).begin(), name(level).end(), end);
    return reinterpret_cast<const float*>(context.packed(
        operand, std::string_view(format, static_cast<std::size_t>(end - format)),
        static_cast<std::size_t>(elements) * sizeof(float),
        [&](std::byte* target) { pack(arguments, level, reinterpret_cast<float*>(target)); }));
  };
  // Gates differ from row to row, but a matrix [directions, gates * hidden, …] of one shape could be any.
  const auto form = [&](std::string_view lstm, std::string_view gru, std::string_view rnn) {
    return arguments.cell == Cell::kLstm ? lstm : arguments.cell == Cell::kGru ? gru : rnn;
  };
  arguments.packed_weights =
      keep(Row::weights, form("lstm weights ", "gru weights ", "rnn weights "),
           recurrent::packed_weight_elements(arguments, level), recurrent::pack_weights);
  arguments.packed_recurrence =
      keep(Row::recurrence, form("lstm recurrence ", "gru recurrence ", "rnn recurrence "),
           recurrent::packed_recurrence_elements(arguments, level), recurrent::pack_recurrence);
}

template <class Row>
void bind_recurrent(BindContext& context) {
  visit_type<Row>(context, [&](auto zero) {
    using T = decltype(zero);
    recurrent::RecurrentArguments<T> arguments = arguments_of<Row, T>(context);
    if (arguments.batch == 0 || arguments.hidden == 0) {
      return;
    }
    if constexpr (std::is_same_v<T, float>) {
      set_packed<Row>(context, arguments);
      context.call.set(recurrent::run_f32, arguments);
    } else {
      context.call.set(recurrent::run_reference<T>, arguments);
    }
  });
}

}  // namespace

const Operator kLstm{.layout = layout_recurrent<isa::Lstm>, .bind = bind_recurrent<isa::Lstm>};
const Operator kGru{.layout = layout_recurrent<isa::Gru>, .bind = bind_recurrent<isa::Gru>};
const Operator kRnn{.layout = layout_recurrent<isa::Rnn>, .bind = bind_recurrent<isa::Rnn>};

}  // namespace pliant::bind
