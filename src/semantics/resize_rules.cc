#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "semantics/resize_extents.h"
#include "semantics/rules.h"

namespace pliant::semantics {
namespace {

using Row = isa::Resize;

/// The axes that the lists speak of, normalised and checked for repetition.
Result<std::vector<std::size_t>> resized_axes(InferenceContext& context, std::size_t rank) {
  std::vector<std::size_t> axes;
  if (!context.given(Row::axes)) {
    for (std::size_t axis = 0; axis < rank; ++axis) {
      axes.push_back(axis);
    }
    return axes;
  }
  for (const std::int64_t written : context.integers(Row::axes)) {
    PLIANT_ASSIGN_OR_RETURN(const int axis, context.normalise_axis(written, rank));
    if (std::find(axes.begin(), axes.end(), static_cast<std::size_t>(axis)) != axes.end()) {
      return context.error(fmt::format("axis {} is given twice", axis));
    }
    axes.push_back(static_cast<std::size_t>(axis));
  }
  return axes;
}

Status check_count(InferenceContext& context, std::string_view what, std::size_t count,
                   std::size_t expected) {
  if (count != expected) {
    return context.error(fmt::format("{} has {} values, expected {}", what, count, expected));
  }
  return {};
}

Status apply_scales(InferenceContext& context, const std::vector<std::size_t>& axes,
                    ExtentShape& shape) {
  const auto scales = context.numbers(Row::scales);
  if (!scales) {
    for (const std::size_t axis : axes) {
      shape[axis] = context.unknown_extent();
    }
    return {};
  }
  PLIANT_RETURN_IF_ERROR(check_count(context, "scales", scales->size(), axes.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Extent& extent = shape[axes[i]];
    const double scale = (*scales)[i];
    const auto scaled = scaled_extent(extent.is_number() ? extent.number() : 1, scale);
    if (!scaled) {
      return context.error(fmt::format("scale {} of axis {} with extent {} gives no extent", scale,
                                       axes[i], to_string(extent)));
    }
    if (extent.is_number()) {
      extent = Extent(*scaled);
    } else if (scale == std::floor(scale)) {
      extent = extent * Extent(*scaled);
    } else {
      extent = context.unknown_extent();
    }
  }
  return {};
}

Status apply_sizes(InferenceContext& context, const std::vector<std::size_t>& axes,
                   ExtentShape& shape) {
  const auto sizes = context.sizes(Row::sizes);
  if (!sizes) {
    for (const std::size_t axis : axes) {
      shape[axis] = context.unknown_extent();
    }
    return {};
  }
  PLIANT_RETURN_IF_ERROR(check_count(context, "sizes", sizes->size(), axes.size()));
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> targets;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Extent extent = shape[axes[i]];
    const Extent target = (*sizes)[i];
    if (target.is_number() && target.number() < 0) {
      return context.error(fmt::format("sizes must be at least 0, got {}", target.number()));
    }
    if (extent.is(0) && target.is_number() && target.number() > 0) {
      return context.error(
          fmt::format("axis {} has no elements to resize to {}", axes[i], target.number()));
    }
    if (extent.is_number() && target.is_number()) {
      extents.push_back(extent.number());
      targets.push_back(target.number());
    }
    shape[axes[i]] = target;
  }
  const auto policy = context.choice<isa::AspectRatio>(Row::policy);
  if (policy == isa::AspectRatio::kStretch || axes.empty()) {
    return {};
  }
  if (extents.size() < axes.size()) {
    for (const std::size_t axis : axes) {
      shape[axis] = context.unknown_extent();
    }
    return {};
  }
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) {
    return context.error("an axis without elements has no aspect ratio to keep");
  }
  const double scale = common_scale(policy, extents, targets);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const double scaled = std::floor(scale * static_cast<double>(extents[i]) + 0.5);
    if (!(scaled < 0x1p62)) {
      return context.error(
          fmt::format("extent {} of axis {} times {} is too large", extents[i], axes[i], scale));
    }
    shape[axes[i]] = Extent(static_cast<std::int64_t>(scaled));
  }
  return {};
}

}  // namespace

std::optional<std::int64_t> scaled_extent(std::int64_t extent, double scale) {
  if (!(scale > 0.0) || std::isinf(scale)) {
    return std::nullopt;
  }
  const float product = std::floor(static_cast<float>(extent) * static_cast<float>(scale));
  if (!(product < 0x1p62f)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(product);
}

double common_scale(isa::AspectRatio policy, std::span<const std::int64_t> extents,
                    std::span<const std::int64_t> targets) {
  double scale = static_cast<double>(targets[0]) / static_cast<double>(extents[0]);
  for (std::size_t i = 1; i < extents.size(); ++i) {
    const double ratio = static_cast<double>(targets[i]) / static_cast<double>(extents[i]);
    scale =
        policy == isa::AspectRatio::kNotLarger ? std::min(scale, ratio) : std::max(scale, ratio);
  }
  return scale;
}

Status infer_Resize(InferenceContext& context) {
  if (context.given(Row::sizes) == context.given(Row::scales)) {
    return context.error("expected either sizes or scales");
  }
  if (context.flag(Row::antialias) &&
      context.choice<isa::Interpolation>(Row::mode) == isa::Interpolation::kNearest) {
    return context.error("antialias needs mode=linear or mode=cubic");
  }
  const TensorFacts& x = context.tensor(Row::x);
  if (!x.rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(const auto axes, resized_axes(context, x.shape.size()));
  const bool crops =
      context.choice<isa::Coordinates>(Row::coordinates) == isa::Coordinates::kTfCropAndResize;
  if (crops) {
    if (!context.given(Row::roi)) {
      return context.error("coordinates=tf_crop_and_resize needs roi");
    }
    if (const auto roi = context.numbers(Row::roi)) {
      PLIANT_RETURN_IF_ERROR(check_count(context, "roi", roi->size(), 2 * axes.size()));
    }
  }
  ExtentShape shape = x.shape;
  PLIANT_RETURN_IF_ERROR(context.given(Row::sizes) ? apply_sizes(context, axes, shape)
                                                   : apply_scales(context, axes, shape));
  return context.set(Row::dst, shape);
}

}  // namespace pliant::semantics
