#include <algorithm>
#include <array>
#include <utility>

#include "onnx/converters.h"

// Interpolation to other sizes.

namespace pliant::onnx {
namespace {

constexpr std::array kModes = {
    std::pair{"nearest", isa::Interpolation::kNearest},
    std::pair{"linear", isa::Interpolation::kLinear},
    std::pair{"bilinear", isa::Interpolation::kLinear},  // before version 9
    std::pair{"cubic", isa::Interpolation::kCubic}};
constexpr std::array kCoordinates = {
    std::pair{"half_pixel", isa::Coordinates::kHalfPixel},
    std::pair{"half_pixel_symmetric", isa::Coordinates::kHalfPixelSymmetric},
    std::pair{"pytorch_half_pixel", isa::Coordinates::kPytorchHalfPixel},
    std::pair{"align_corners", isa::Coordinates::kAlignCorners},
    std::pair{"asymmetric", isa::Coordinates::kAsymmetric},
    std::pair{"tf_half_pixel_for_nn", isa::Coordinates::kTfHalfPixelForNn},
    std::pair{"tf_crop_and_resize", isa::Coordinates::kTfCropAndResize}};
constexpr std::array kRoundings = {
    std::pair{"round_prefer_floor", isa::NearestRounding::kRoundPreferFloor},
    std::pair{"round_prefer_ceil", isa::NearestRounding::kRoundPreferCeil},
    std::pair{"floor", isa::NearestRounding::kFloor},
    std::pair{"ceil", isa::NearestRounding::kCeil}};
constexpr std::array kPolicies = {std::pair{"stretch", isa::AspectRatio::kStretch},
                                  std::pair{"not_larger", isa::AspectRatio::kNotLarger},
                                  std::pair{"not_smaller", isa::AspectRatio::kNotSmaller}};

/// True when some scale is known to shrink.
bool shrinks(Node& node, const Operand& scales) {
  if (scales.form == isa::Form::kList) {
    return std::any_of(scales.list.begin(), scales.list.end(),
                       [](const Operand& scale) { return scale.real < 1; });
  }
  const TensorView* view = node.emitter().constant(scales);
  return view != nullptr && view->dtype == DType::kF32 &&
         std::any_of(view->as<float>(), view->as<float>() + view->element_count(),
                     [](float scale) { return scale < 1; });
}

/// Until version 10 there were no coordinate attributes: positions scale from the corner, and the
/// nearest one is rounded down when growing, up when shrinking (as that version's own examples do).
void resize_from_corner(Node& node, const Operand& scales) {
  const auto rounding =
      shrinks(node, scales) ? isa::NearestRounding::kCeil : isa::NearestRounding::kFloor;
  node.set_output(
      0, node.emit<isa::Resize>(
             {node.input(0)}, {{"scales", scales},
                               {"mode", node.choice<isa::Interpolation>("mode", "nearest", kModes)},
                               {"coordinates", isa::choice(isa::Coordinates::kAsymmetric)},
                               {"rounding", isa::choice(rounding)}}));
}

/// True for an input that holds something: exporters pass empty tensors for what is left out.
bool has_elements(Node& node, int index) {
  if (!node.has_input(index)) {
    return false;
  }
  const auto shape = node.emitter().shape(node.input(index));
  return !shape || shape->size() != 1 || !(*shape)[0].is(0);
}

}  // namespace

void convert_upsample_attribute(Node& node) {
  resize_from_corner(node, node.reals("scales"));
}

void convert_upsample_input(Node& node) {
  resize_from_corner(node, node.input(1));
}

void convert_resize_10(Node& node) {
  resize_from_corner(node, node.input(1));
}

void convert_resize(Node& node) {
  const Operand coordinates =
      node.choice<isa::Coordinates>("coordinate_transformation_mode", "half_pixel", kCoordinates);
  Emitter::Fields fields = {
      {"axes", node.integers("axes")},
      {"mode", node.choice<isa::Interpolation>("mode", "nearest", kModes)},
      {"coordinates", coordinates},
      {"rounding",
       node.choice<isa::NearestRounding>("nearest_mode", "round_prefer_floor", kRoundings)},
      {"policy", node.choice<isa::AspectRatio>("keep_aspect_ratio_policy", "stretch", kPolicies)},
      {"antialias", isa::flag(node.flag("antialias", false))},
      {"cubic_coefficient", isa::real(node.real("cubic_coeff_a", -0.75))},
      {"exclude_outside", isa::flag(node.flag("exclude_outside", false))},
      {"extrapolation", isa::real(node.real("extrapolation_value", 0.0))}};
  if (coordinates == isa::choice(isa::Coordinates::kTfCropAndResize)) {
    fields.push_back({"roi", node.input(1)});
  }
  if (has_elements(node, 3)) {
    fields.push_back({"sizes", node.sizes(3)});
  } else {
    fields.push_back({"scales", node.input(2)});
  }
  node.set_output(0, node.emit<isa::Resize>({node.input(0)}, std::move(fields)));
}

}  // namespace pliant::onnx
