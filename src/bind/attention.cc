#include "kernels/attention/attention.h"

#include <fmt/format.h>

#include <cmath>

#include "bind/operator.h"

namespace pliant::bind {
namespace {

using kernels::attention::AttentionArguments;
using kernels::attention::MaskKind;
using Row = isa::Attention;

void copy_strides(const TensorView& view, std::int64_t (&strides)[4]) {
  for (std::size_t axis = 0; axis < 4; ++axis) {
    strides[axis] = view.strides[axis];
  }
}

void set_mask(const BindContext& context, AttentionArguments& arguments) {
  if (!context.given(Row::mask)) {
    return;
  }
  const TensorView& mask = context.input(Row::mask);
  arguments.mask = mask.data;
  arguments.mask_kind = mask.dtype == DType::kBool ? MaskKind::kBool : MaskKind::kAdded;
  const std::size_t missing = 4 - mask.shape.size();
  for (std::size_t axis = 0; axis < mask.shape.size(); ++axis) {
    arguments.mask_strides[missing + axis] = mask.shape[axis] == 1 ? 0 : mask.strides[axis];
  }
}

// Both say what a row without a visible key is, in the same order.
static_assert(static_cast<int>(isa::MaskedRow::kMean) ==
              static_cast<int>(kernels::attention::MaskedRow::kMean));

AttentionArguments attention_arguments(const BindContext& context) {
  const TensorView& q = context.input(Row::q);
  const TensorView& k = context.input(Row::k);
  const TensorView& v = context.input(Row::v);
  const TensorView& dst = context.output(Row::dst);
  AttentionArguments arguments;
  arguments.batch = q.shape[0];
  arguments.heads = q.shape[1];
  arguments.key_heads = k.shape[1];
  arguments.queries = q.shape[2];
  arguments.keys = k.shape[2];
  arguments.width = q.shape[3];
  arguments.value_width = v.shape[3];
  arguments.q = q.data;
  arguments.k = k.data;
  arguments.v = v.data;
  arguments.dst = dst.data;
  copy_strides(q, arguments.q_strides);
  copy_strides(k, arguments.k_strides);
  copy_strides(v, arguments.v_strides);
  copy_strides(dst, arguments.dst_strides);
  set_mask(context, arguments);
  arguments.scale = context.given(Row::scale)
                        ? context.real(Row::scale)
                        : 1.0 / std::sqrt(static_cast<double>(arguments.width));
  arguments.softcap = context.real(Row::softcap);
  arguments.masked =
      static_cast<kernels::attention::MaskedRow>(context.choice<isa::MaskedRow>(Row::masked));
  arguments.last_seen =
      context.flag(Row::causal) ? arguments.keys - arguments.queries : arguments.keys;
  arguments.worker_count = context.worker_count();
  return arguments;
}

bool has_work(const BindContext& context) {
  return context.wanted(Row::dst) && context.output(Row::dst).element_count() != 0;
}

void lay_out_attention(BindContext& context) {
  if (has_work(context)) {
    context.set_scratch_bytes(kernels::attention::attention_scratch_bytes(
        attention_arguments(context), context.input(Row::q).dtype, context.level()));
  }
}

void bind_attention(BindContext& context) {
  if (has_work(context)) {
    context.call.set(kernels::attention::attention_kernel(context.input(Row::q).dtype),
                     attention_arguments(context));
  }
}

std::string describe_attention(const BindContext& context) {
  if (!has_work(context)) {
    return {};
  }
  const DType dtype = context.input(Row::q).dtype;
  if (dtype == DType::kF64) {
    return "the definition row by row, since strips are for f32, f16 and bf16";
  }
  const AttentionArguments arguments = attention_arguments(context);
  const kernels::attention::AttentionForm form = kernels::attention::attention_form(arguments);
  std::string text =
      fmt::format("{} strips of {} query rows x {} keys; {} heads", name(context.level()),
                  form.block_rows, arguments.keys, form.heads);
  text += form.parts > 1 ? fmt::format(", each in {} parts, being too few for {} threads",
                                       form.parts, arguments.worker_count)
                         : fmt::format(" over {} thread{}", arguments.worker_count,
                                       arguments.worker_count == 1 ? "" : "s");
  text += context.flag(Row::causal) ? "; keys behind a query are skipped" : "";
  return text;
}

}  // namespace

const Operator kAttention{
    .layout = lay_out_attention, .bind = bind_attention, .describe = describe_attention};

}  // namespace pliant::bind
