#include "kernels/attention/rotary.h"

#include "base/result.h"
#include "bind/operator.h"

namespace pliant::bind {
namespace {

using kernels::attention::RotaryArguments;
using Row = isa::Rotary;

/// Strides of [batch or 1, tokens, half], or of [positions, half] with a leading 0.
void set_table_strides(const TensorView& table, std::int64_t (&strides)[3]) {
  const std::size_t missing = 3 - table.shape.size();
  for (std::size_t axis = 0; axis < table.shape.size(); ++axis) {
    strides[missing + axis] =
        missing + axis == 0 && table.shape[axis] == 1 ? 0 : table.strides[axis];
  }
}

void bind_rotary(BindContext& context) {
  const TensorView& x = context.input(Row::x);
  if (!context.wanted(Row::dst) || x.element_count() == 0) {
    return;
  }
  const TensorView& dst = context.output(Row::dst);
  RotaryArguments arguments;
  arguments.batch = x.shape[0];
  arguments.heads = x.shape[1];
  arguments.tokens = x.shape[2];
  arguments.width = x.shape[3];
  arguments.rotated =
      context.integer(Row::rotated) == 0 ? arguments.width : context.integer(Row::rotated);
  arguments.x = x.data;
  arguments.dst = dst.data;
  for (std::size_t axis = 0; axis < 4; ++axis) {
    arguments.x_strides[axis] = x.strides[axis];
    arguments.dst_strides[axis] = dst.strides[axis];
  }
  arguments.cosine = context.input(Row::cosine).data;
  arguments.sine = context.input(Row::sine).data;
  set_table_strides(context.input(Row::cosine), arguments.cosine_strides);
  set_table_strides(context.input(Row::sine), arguments.sine_strides);
  if (context.given(Row::positions)) {
    const TensorView& positions = context.input(Row::positions);
    arguments.positions = positions.as<std::int64_t>();
    arguments.position_strides[0] = positions.strides[0];
    arguments.position_strides[1] = positions.strides[1];
  }
  arguments.interleaved = context.flag(Row::interleaved);
  context.call.set(kernels::attention::rotary_kernel(x.dtype), arguments);
}

Status check_positions(const BindContext& context) {
  if (!context.given(Row::positions) || context.input(Row::x).element_count() == 0) {
    return {};
  }
  const TensorView& positions = context.input(Row::positions);
  const std::int64_t rows = context.input(Row::cosine).shape[0];
  for (std::int64_t b = 0; b < positions.shape[0]; ++b) {
    for (std::int64_t t = 0; t < positions.shape[1]; ++t) {
      const std::int64_t position =
          positions.as<std::int64_t>()[b * positions.strides[0] + t * positions.strides[1]];
      if (position < 0 || position >= rows) {
        return make_error(ErrorCode::kInvalidArgument,
                          "ROTARY: a position is outside the rows of cosine and sine: position is "
                          "{}, rows are {}",
                          position, rows);
      }
    }
  }
  return {};
}

}  // namespace

const Operator kRotary{.bind = bind_rotary, .check = check_positions};

}  // namespace pliant::bind
