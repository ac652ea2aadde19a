#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"

namespace pliant::kernels {

/// How the four numbers of a box are meant.
enum class BoxForm : std::uint8_t {
  kCorners,  ///< y1 x1 y2 x2, any two opposite corners
  kCenter,   ///< x y width height
};

/// Per batch and class: boxes by falling score (the lower index first among equals), each kept
/// unless it overlaps one that was kept before by more than `overlap` (intersection over union;
/// boxes without area overlap nothing), until `limit` are kept. A NaN score is never kept.
struct NonMaxSuppressionArguments {
  const float* boxes = nullptr;    ///< [batch, boxes, 4], row-major
  const float* scores = nullptr;   ///< [batch, classes, boxes], row-major
  std::int64_t* target = nullptr;  ///< [selected, 3]: batch, class, box
  std::int64_t batch = 0;
  std::int64_t classes = 0;
  std::int64_t box_count = 0;
  std::int64_t limit = 0;
  float overlap = 0.0f;
  bool has_threshold = false;
  float threshold = 0.0f;  ///< scores must be higher
  BoxForm form = BoxForm::kCorners;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(boxes);
    visit(scores);
    visit(target);
  }
};

/// Bytes of scratch memory: an index per box, and one per kept box.
[[nodiscard]] std::size_t non_max_suppression_scratch_bytes(
    const NonMaxSuppressionArguments& arguments);

/// How many boxes will be selected; writes no result.
[[nodiscard]] std::int64_t count_selected_boxes(const NonMaxSuppressionArguments& arguments,
                                                std::byte* scratch, const ParallelFor& parallel);

/// Runs in the calling thread: each selection depends on the ones before. Errors: none.
void non_max_suppression(const NonMaxSuppressionArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
