#include "kernels/quantise/quantise.h"

#include "bind/operator.h"

namespace pliant::bind {
namespace {

using kernels::quantise::DynamicQuantiseArguments;
using kernels::quantise::Granularity;
using kernels::quantise::QuantiseArguments;

/// Operands that QUANTIZE and DEQUANTIZE have in common.
struct Operands {
  int dst;
  int x;
  int scale;
  int zero_point;
  int axis;
  int block;
};
constexpr Operands operands_of(isa::Quantize) {
  using Row = isa::Quantize;
  return {Row::dst, Row::x, Row::scale, Row::zero_point, Row::axis, Row::block};
}
constexpr Operands operands_of(isa::Dequantize) {
  using Row = isa::Dequantize;
  return {Row::dst, Row::x, Row::scale, Row::zero_point, Row::axis, Row::block};
}

template <class Row>
void lay_out_quantise(BindContext& context) {
  const Operands row = operands_of(Row{});
  context.require_contiguous(row.x);
  context.require_contiguous(row.scale);
  if (context.given(row.zero_point)) {
    context.require_contiguous(row.zero_point);
  }
}

/// Splits the shape of x around the axis, unless one scale stands for everything.
void set_axis(const BindContext& context, const Operands& row, QuantiseArguments& arguments) {
  const Shape& shape = context.input(row.x).shape;
  const std::int64_t block = context.integer(row.block);
  if (block == 0 && context.input(row.scale).element_count() == 1) {
    arguments.inner = context.input(row.x).element_count();
    return;
  }
  const std::int64_t given_axis = context.integer(row.axis);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t axis = given_axis < 0 ? given_axis + rank : given_axis;
  for (std::int64_t i = 0; i < rank; ++i) {
    std::int64_t& extent = i < axis    ? arguments.outer
                           : i == axis ? arguments.axis
                                       : arguments.inner;
    extent *= shape[static_cast<std::size_t>(i)];
  }
  arguments.granularity = block == 0 ? Granularity::kAxis : Granularity::kBlocks;
  arguments.block = block;
}

template <class Row, void (*kKernel)(const QuantiseArguments&, const kernels::KernelContext&)>
void bind_quantise(BindContext& context) {
  const Operands row = operands_of(Row{});
  if (!context.wanted(row.dst) || context.input(row.x).element_count() == 0) {
    return;
  }
  QuantiseArguments arguments;
  set_axis(context, row, arguments);
  arguments.x = context.input(row.x).data;
  arguments.x_dtype = context.input(row.x).dtype;
  arguments.scale = context.input(row.scale).data;
  arguments.scale_dtype = context.input(row.scale).dtype;
  if (context.given(row.zero_point)) {
    arguments.zero_point = context.input(row.zero_point).data;
    arguments.zero_point_dtype = context.input(row.zero_point).dtype;
  }
  arguments.dst = context.output(row.dst).data;
  arguments.dst_dtype = context.output(row.dst).dtype;
  context.call.set(kKernel, arguments);
}

using DynamicRow = isa::DynamicQuantize;

void lay_out_dynamic_quantise(BindContext& context) {
  context.require_contiguous(DynamicRow::x);
  context.set_scratch_bytes(
      kernels::quantise::dynamic_quantise_scratch_bytes(context.worker_count()));
}

void bind_dynamic_quantise(BindContext& context) {
  DynamicQuantiseArguments arguments;
  arguments.count = context.input(DynamicRow::x).element_count();
  arguments.x = context.input(DynamicRow::x).as<float>();
  if (context.wanted(DynamicRow::dst)) {
    arguments.dst = context.output(DynamicRow::dst).as<std::uint8_t>();
  }
  if (context.wanted(DynamicRow::scale)) {
    arguments.scale = context.output(DynamicRow::scale).as<float>();
  }
  if (context.wanted(DynamicRow::zero_point)) {
    arguments.zero_point = context.output(DynamicRow::zero_point).as<std::uint8_t>();
  }
  arguments.worker_count = context.worker_count();
  context.call.set(kernels::quantise::dynamic_quantise, arguments);
}

}  // namespace

const Operator kQuantize{.layout = lay_out_quantise<isa::Quantize>,
                         .bind = bind_quantise<isa::Quantize, kernels::quantise::quantise>};
const Operator kDequantize{.layout = lay_out_quantise<isa::Dequantize>,
                           .bind = bind_quantise<isa::Dequantize, kernels::quantise::dequantise>};
const Operator kDynamicQuantize{.layout = lay_out_dynamic_quantise, .bind = bind_dynamic_quantise};

}  // namespace pliant::bind
