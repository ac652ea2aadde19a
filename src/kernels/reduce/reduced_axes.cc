#include "kernels/reduce/reduced_axes.h"

namespace pliant::kernels {
namespace {

using Axis = ReducedAxes::Axis;

void append(Axis (&axes)[kMaxRank], int& rank, const Axis& axis) {
  if (rank > 0) {
    Axis& last = axes[rank - 1];
    if (last.stride == axis.stride * axis.extent &&
        last.result_stride == axis.result_stride * axis.extent) {
      last = {last.extent * axis.extent, axis.stride, axis.result_stride};
      return;
    }
  }
  axes[rank++] = axis;
}

}  // namespace

ReducedAxes make_reduced_axes(const TensorView& x, const bool (&reduced)[kMaxRank],
                              const Strides& result) {
  ReducedAxes axes;
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    const std::int64_t extent = x.shape[i];
    (reduced[i] ? axes.reduced_count : axes.result_count) *= extent;
    if (extent == 1) {
      continue;
    }
    if (reduced[i]) {
      append(axes.reduced, axes.reduced_rank, {extent, x.strides[i], 0});
    } else {
      append(axes.kept, axes.kept_rank, {extent, x.strides[i], result[i]});
    }
  }
  for (int i = 0; i < axes.kept_rank; ++i) {
    if (axes.kept[i].stride == 1) {
      const Axis columns = axes.kept[i];
      for (; i + 1 < axes.kept_rank; ++i) {
        axes.kept[i] = axes.kept[i + 1];
      }
      axes.kept[i] = columns;
      axes.has_columns = true;
    }
  }
  return axes;
}

ResultPosition position_of_result(const ReducedAxes& axes, std::int64_t index) {
  ResultPosition position;
  for (int i = axes.kept_rank - 1; i > 0; --i) {
    const Axis& axis = axes.kept[i];
    const std::int64_t along = index % axis.extent;
    index /= axis.extent;
    position.input += along * axis.stride;
    position.result += along * axis.result_stride;
  }
  position.input += index * axes.kept[0].stride;
  position.result += index * axes.kept[0].result_stride;
  return position;
}

void offsets_of_elements(const ReducedAxes& axes, std::int64_t first, std::int64_t count,
                         std::int64_t* offsets) {
  std::int64_t index[kMaxRank] = {};
  std::int64_t offset = 0;
  for (int i = axes.reduced_rank - 1; i >= 0; --i) {
    const Axis& axis = axes.reduced[i];
    index[i] = first % axis.extent;
    first /= axis.extent;
    offset += index[i] * axis.stride;
  }
  for (std::int64_t k = 0; k < count; ++k) {
    offsets[k] = offset;
    for (int i = axes.reduced_rank - 1; i >= 0; --i) {
      offset += axes.reduced[i].stride;
      if (++index[i] < axes.reduced[i].extent) {
        break;
      }
      offset -= index[i] * axes.reduced[i].stride;
      index[i] = 0;
    }
  }
}

}  // namespace pliant::kernels
