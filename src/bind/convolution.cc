#include "kernels/convolution/convolution.h"

#include <fmt/format.h>

#include "bind/operator.h"
#include "bind/window_binding.h"
#include "kernels/convolution/direct.h"

namespace pliant::bind {
namespace {

namespace convolution = kernels::convolution;
using convolution::ConvolutionShape;

/// Makes the packed form's name on the stack: bind runs for every instruction that is interpreted.
struct FormatName {
  char text[80];
  std::size_t size = 0;

  template <class... Values>
  explicit FormatName(fmt::format_string<Values...> pattern, Values&&... values) {
    size = fmt::format_to_n(text, sizeof text, pattern, std::forward<Values>(values)...).size;
  }
  operator std::string_view() const { return {text, size}; }  // NOLINT(google-explicit-constructor)
};

bool has_elements(const BindContext& context, int dst) {
  return context.wanted(dst) && context.output(dst).element_count() > 0;
}

/// Bias is read with stride 1 by the fast kernels.
void require_dense_bias(BindContext& context, int operand) {
  if (context.given(operand)) {
    context.require_contiguous(operand);
  }
}

const float* bias_of(const BindContext& context, int operand) {
  return context.given(operand) ? context.input(operand).as<float>() : nullptr;
}

/// Sizes of a forward convolution; all rows with one have x, weights and attributes.
template <class Row>
ConvolutionShape forward_shape(const BindContext& context) {
  const TensorView& x = context.input(Row::x);
  const TensorView& weights = context.input(Row::weights);
  const TensorView& y = context.output(Row::dst);
  const std::size_t spatial_rank = x.shape.size() - 2;
  ConvolutionShape shape;
  shape.batch = x.shape[0];
  shape.group = context.integer(Row::group);
  shape.channels = weights.shape[1];
  shape.outputs = weights.shape[0] / shape.group;
  spread_strides(x, shape.x_strides);
  spread_strides(y, shape.y_strides);
  shape.output_stride = weights.strides[0];
  shape.channel_stride = weights.strides[1];
  shape.group_stride = weights.strides[0] * shape.outputs;
  for (std::size_t axis = 0; axis < spatial_rank; ++axis) {
    const std::size_t to = 3 - spatial_rank + axis;
    shape.tap_strides[to] = weights.strides[axis + 2];
    shape.axes[to] = forward_axis(context, kWindowOperands<Row>, axis, spatial_rank,
                                  x.shape[axis + 2], y.shape[axis + 2], weights.shape[axis + 2]);
  }
  return shape;
}

template <class T>
convolution::DirectArguments<T, T, T> direct_arguments(const BindContext& context,
                                                       const ConvolutionShape& shape, int x,
                                                       int weights, int bias, int dst) {
  convolution::DirectArguments<T, T, T> arguments;
  arguments.shape = shape;
  arguments.x = context.input(x).as<T>();
  arguments.weights = context.input(weights).as<T>();
  if (context.given(bias)) {
    arguments.bias = context.input(bias).as<T>();
    arguments.shape.bias_stride = context.input(bias).strides[0];
  }
  arguments.y = context.output(dst).as<T>();
  return arguments;
}

/// Calls visit(T{}) for the float types that take the direct path.
template <class Visit>
void visit_direct_float(DType dtype, Visit visit) {
  if (dtype == DType::kF64) {
    visit(double{});
  } else if (dtype == DType::kF16) {
    visit(Half{});
  } else {
    visit(BFloat16{});
  }
}

// ---- CONV1D, CONV2D, CONV3D: one layout of operands ---------------------------------------------

using Conv = isa::Conv2d;

void layout_convolution(BindContext& context) {
  if (!context.wanted(Conv::dst) || context.input(Conv::x).dtype != DType::kF32) {
    return;
  }
  context.set_strides(Conv::dst, channels_last_strides(context.output(Conv::dst).shape));
  require_dense_bias(context, Conv::bias);
  if (context.output(Conv::dst).element_count() > 0) {
    context.set_scratch_bytes(
        convolution::scratch_bytes(forward_shape<Conv>(context), context.level(),
                                   context.keeps_packed(Conv::weights), context.worker_count()));
  }
}

void bind_convolution(BindContext& context) {
  if (!has_elements(context, Conv::dst)) {
    return;
  }
  const ConvolutionShape shape = forward_shape<Conv>(context);
  const TensorView& weights = context.input(Conv::weights);
  if (weights.dtype != DType::kF32) {
    visit_direct_float(weights.dtype, [&](auto zero) {
      using T = decltype(zero);
      context.call.set(
          convolution::convolve_direct<T, T, T>,
          direct_arguments<T>(context, shape, Conv::x, Conv::weights, Conv::bias, Conv::dst));
    });
    return;
  }
  const FormatName format("conv {} group {} depthwise {}", name(context.level()), shape.group,
                          shape.is_depthwise());
  const auto bytes =
      static_cast<std::size_t>(convolution::packed_elements(shape, context.level())) *
      sizeof(float);
  const std::byte* packed = context.packed(Conv::weights, format, bytes, [&](std::byte* target) {
    SerialFor serial;
    convolution::pack_weights(shape, weights.as<float>(), context.level(),
                              reinterpret_cast<float*>(target), serial);
  });
  context.call.set(convolution::convolve, convolution::ConvolutionArguments{
                                              .shape = shape,
                                              .x = context.input(Conv::x).as<float>(),
                                              .weights = weights.as<float>(),
                                              .packed = reinterpret_cast<const float*>(packed),
                                              .bias = bias_of(context, Conv::bias),
                                              .y = context.output(Conv::dst).as<float>()});
}

std::string describe_convolution(const BindContext& context) {
  if (!has_elements(context, Conv::dst)) {
    return {};
  }
  if (const DType dtype = context.input(Conv::x).dtype; dtype != DType::kF32) {
    return fmt::format("direct loops over taps, since tiles are for f32 and this is {}",
                       name(dtype));
  }
  const convolution::ConvolutionForm form =
      convolution::convolution_form(forward_shape<Conv>(context), context.level());
  std::string text =
      form.depthwise
          ? fmt::format(
                "{} depthwise, {} pixels at a time with channels in vector lanes, since each "
                "output looks at one channel",
                name(context.level()), form.tile_rows)
          : fmt::format(
                "{} product without a built left-hand side: tiles of {} pixels x {} outputs, "
                "{} pieces of {} elements per pixel",
                name(context.level()), form.tile_rows, form.tile_columns, form.segments,
                form.segment_length);
  if (!form.depthwise) {
    text += form.merges_taps ? " (taps of a filter row as one piece, since channels are few)"
                             : " (one piece per tap)";
  }
  text += form.copies_x ? "; x copied to channels-last" : "; x read where it lies";
  text += context.keeps_packed(Conv::weights) ? "; weights a constant, packed once"
                                              : "; weights packed in each run, being no constant";
  return text;
}

static_assert(int{isa::Conv1d::auto_pad} == int{Conv::auto_pad} &&
              int{isa::Conv3d::auto_pad} == int{Conv::auto_pad});

// ---- CONV_TRANSPOSE -----------------------------------------------------------------------------

using Transposed = isa::ConvTranspose;

/// Pads of a transposed axis follow from the size of its result unless they are explicit.
kernels::WindowAxis transposed_axis(const BindContext& context, std::size_t axis,
                                    std::size_t spatial_rank, std::int64_t input,
                                    std::int64_t output, std::int64_t window) {
  kernels::WindowAxis result =
      written_axis(context, kWindowOperands<Transposed>, axis, spatial_rank, input, output, window);
  const auto auto_pad = context.choice<isa::AutoPad>(Transposed::auto_pad);
  const bool same = auto_pad == isa::AutoPad::kSameUpper || auto_pad == isa::AutoPad::kSameLower;
  if (same || context.given(Transposed::output_shape)) {
    const std::int64_t added = list_item(context, Transposed::output_padding, axis, 0);
    const std::int64_t natural =
        (input - 1) * result.stride + added + (window - 1) * result.dilation + 1;
    set_same_pads(result, auto_pad, natural - output);
  }
  return result;
}

ConvolutionShape transposed_shape(const BindContext& context) {
  const TensorView& x = context.input(Transposed::x);
  const TensorView& weights = context.input(Transposed::weights);
  const TensorView& y = context.output(Transposed::dst);
  const std::size_t spatial_rank = x.shape.size() - 2;
  ConvolutionShape shape;
  shape.batch = x.shape[0];
  shape.group = context.integer(Transposed::group);
  shape.channels = weights.shape[0] / shape.group;
  shape.outputs = weights.shape[1];
  spread_strides(x, shape.x_strides);
  spread_strides(y, shape.y_strides);
  shape.channel_stride = weights.strides[0];
  shape.output_stride = weights.strides[1];
  shape.group_stride = weights.strides[0] * shape.channels;
  for (std::size_t axis = 0; axis < spatial_rank; ++axis) {
    const std::size_t to = 3 - spatial_rank + axis;
    shape.tap_strides[to] = weights.strides[axis + 2];
    shape.axes[to] = transposed_axis(context, axis, spatial_rank, x.shape[axis + 2],
                                     y.shape[axis + 2], weights.shape[axis + 2]);
  }
  return shape;
}

void layout_transposed(BindContext& context) {
  if (!context.wanted(Transposed::dst) || context.input(Transposed::x).dtype != DType::kF32) {
    return;
  }
  context.set_strides(Transposed::dst,
                      channels_last_strides(context.output(Transposed::dst).shape));
  require_dense_bias(context, Transposed::bias);
  if (context.output(Transposed::dst).element_count() > 0) {
    context.set_scratch_bytes(convolution::transposed_scratch_bytes(
        transposed_shape(context), context.level(), context.keeps_packed(Transposed::weights),
        context.worker_count()));
  }
}

void bind_transposed(BindContext& context) {
  if (!has_elements(context, Transposed::dst)) {
    return;
  }
  const ConvolutionShape shape = transposed_shape(context);
  const TensorView& weights = context.input(Transposed::weights);
  if (weights.dtype != DType::kF32) {
    visit_direct_float(weights.dtype, [&](auto zero) {
      using T = decltype(zero);
      context.call.set(convolution::convolve_transposed_direct<T>,
                       direct_arguments<T>(context, shape, Transposed::x, Transposed::weights,
                                           Transposed::bias, Transposed::dst));
    });
    return;
  }
  // Which taps are packed together follows from strides, dilations and pads by the stride.
  const auto phase = [](const kernels::WindowAxis& axis) {
    return fmt::format("{}.{}.{}.{}", convolution::phase_count(axis), axis.stride, axis.dilation,
                       axis.pad_begin % axis.stride);
  };
  const std::string format =
      fmt::format("conv_transpose {} group {} {} {} {}", name(context.level()), shape.group,
                  phase(shape.axes[0]), phase(shape.axes[1]), phase(shape.axes[2]));
  const auto bytes =
      static_cast<std::size_t>(convolution::transposed_packed_elements(shape, context.level())) *
      sizeof(float);
  const std::byte* packed =
      context.packed(Transposed::weights, format, bytes, [&](std::byte* target) {
        SerialFor serial;
        convolution::pack_transposed_weights(shape, weights.as<float>(), context.level(),
                                             reinterpret_cast<float*>(target), serial);
      });
  context.call.set(
      convolution::convolve_transposed,
      convolution::ConvolutionArguments{.shape = shape,
                                        .x = context.input(Transposed::x).as<float>(),
                                        .weights = weights.as<float>(),
                                        .packed = reinterpret_cast<const float*>(packed),
                                        .bias = bias_of(context, Transposed::bias),
                                        .y = context.output(Transposed::dst).as<float>()});
}

std::string describe_transposed(const BindContext& context) {
  if (!has_elements(context, Transposed::dst)) {
    return {};
  }
  if (const DType dtype = context.input(Transposed::x).dtype; dtype != DType::kF32) {
    return fmt::format("direct loops over taps, since tiles are for f32 and this is {}",
                       name(dtype));
  }
  const ConvolutionShape shape = transposed_shape(context);
  std::int64_t phases = 1;
  for (const kernels::WindowAxis& axis : shape.axes) {
    phases *= convolution::phase_count(axis);
  }
  return fmt::format("{} product without a built left-hand side, one for each of {} phases; {}",
                     name(context.level()), phases,
                     context.keeps_packed(Transposed::weights)
                         ? "weights a constant, packed once"
                         : "weights packed in each run, being no constant");
}

// ---- CONV_INTEGER -------------------------------------------------------------------------------

using Integer = isa::ConvInteger;

template <class X, class W>
void bind_integer(BindContext& context) {
  convolution::DirectArguments<X, W, std::int32_t> arguments;
  arguments.shape = forward_shape<Integer>(context);
  arguments.x = context.input(Integer::x).as<X>();
  arguments.weights = context.input(Integer::weights).as<W>();
  arguments.y = context.output(Integer::dst).as<std::int32_t>();
  if (context.given(Integer::x_zero_point)) {
    arguments.x_zero = context.input(Integer::x_zero_point).as<X>();
  }
  if (context.given(Integer::weights_zero_point)) {
    const TensorView& zero = context.input(Integer::weights_zero_point);
    arguments.weights_zero = zero.as<W>();
    arguments.weights_zero_stride = zero.element_count() > 1 ? zero.strides[0] : 0;
  }
  context.call.set(convolution::convolve_direct<X, W, std::int32_t>, arguments);
}

void bind_conv_integer(BindContext& context) {
  if (!has_elements(context, Integer::dst)) {
    return;
  }
  const bool signed_x = context.input(Integer::x).dtype == DType::kI8;
  const bool signed_weights = context.input(Integer::weights).dtype == DType::kI8;
  if (signed_x) {
    signed_weights ? bind_integer<std::int8_t, std::int8_t>(context)
                   : bind_integer<std::int8_t, std::uint8_t>(context);
  } else {
    signed_weights ? bind_integer<std::uint8_t, std::int8_t>(context)
                   : bind_integer<std::uint8_t, std::uint8_t>(context);
  }
}

}  // namespace

const Operator kConvolution{
    .layout = layout_convolution, .bind = bind_convolution, .describe = describe_convolution};
const Operator kConvTranspose{
    .layout = layout_transposed, .bind = bind_transposed, .describe = describe_transposed};
const Operator kConvInteger{.bind = bind_conv_integer};

}  // namespace pliant::bind
