#include "kernels/selection/non_max_suppression.h"

#include <algorithm>

namespace pliant::kernels {
namespace {

struct Box {
  float top;
  float left;
  float bottom;
  float right;
  [[nodiscard]] float area() const { return (bottom - top) * (right - left); }
};

Box read_box(const float* numbers, BoxForm form) {
  if (form == BoxForm::kCenter) {
    const float half_width = numbers[2] / 2;
    const float half_height = numbers[3] / 2;
    return {numbers[1] - half_height, numbers[0] - half_width, numbers[1] + half_height,
            numbers[0] + half_width};
  }
  return {std::min(numbers[0], numbers[2]), std::min(numbers[1], numbers[3]),
          std::max(numbers[0], numbers[2]), std::max(numbers[1], numbers[3])};
}

bool overlaps(const Box& a, const Box& b, float most) {
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  if (!(height > 0) || !(width > 0) || !(a.area() > 0) || !(b.area() > 0)) {
    return false;
  }
  const float common = height * width;
  return common / (a.area() + b.area() - common) > most;
}

/// Selects among the boxes of one batch and class; returns how many. `kept` receives their numbers.
std::int64_t select(const NonMaxSuppressionArguments& arguments, const float* boxes,
                    const float* scores, std::int64_t* candidates, std::int64_t* kept,
                    const ParallelFor& parallel) {
  std::int64_t candidate_count = 0;
  for (std::int64_t i = 0; i < arguments.box_count; ++i) {
    const bool is_number = scores[i] == scores[i];
    if (is_number && (!arguments.has_threshold || scores[i] > arguments.threshold)) {
      candidates[candidate_count++] = i;
    }
  }
  std::sort(candidates, candidates + candidate_count, [&](std::int64_t a, std::int64_t b) {
    return scores[a] > scores[b] || (scores[a] == scores[b] && a < b);
  });
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < candidate_count && count < arguments.limit; ++i) {
    if (parallel.is_stopped()) {
      return count;
    }
    const Box box = read_box(boxes + candidates[i] * 4, arguments.form);
    bool stays = true;
    for (std::int64_t j = 0; j < count && stays; ++j) {
      stays = !overlaps(box, read_box(boxes + kept[j] * 4, arguments.form), arguments.overlap);
    }
    if (stays) {
      kept[count++] = candidates[i];
    }
  }
  return count;
}

/// Calls `visit(batch, class, kept, count)` for every batch and class.
template <class Visit>
void for_each_class(const NonMaxSuppressionArguments& arguments, std::byte* scratch,
                    const ParallelFor& parallel, Visit visit) {
  auto* candidates = reinterpret_cast<std::int64_t*>(scratch);
  std::int64_t* kept = candidates + arguments.box_count;
  for (std::int64_t batch = 0; batch < arguments.batch; ++batch) {
    for (std::int64_t label = 0; label < arguments.classes; ++label) {
      const std::int64_t count =
          select(arguments, arguments.boxes + batch * arguments.box_count * 4,
                 arguments.scores + (batch * arguments.classes + label) * arguments.box_count,
                 candidates, kept, parallel);
      visit(batch, label, kept, count);
    }
  }
}

}  // namespace

std::size_t non_max_suppression_scratch_bytes(const NonMaxSuppressionArguments& arguments) {
  return static_cast<std::size_t>(arguments.box_count) * 2 * sizeof(std::int64_t);
}

std::int64_t count_selected_boxes(const NonMaxSuppressionArguments& arguments, std::byte* scratch,
                                  const ParallelFor& parallel) {
  std::int64_t sum = 0;
  for_each_class(
      arguments, scratch, parallel,
      [&](std::int64_t, std::int64_t, const std::int64_t*, std::int64_t count) { sum += count; });
  return sum;
}

void non_max_suppression(const NonMaxSuppressionArguments& arguments,
                         const KernelContext& context) {
  std::int64_t* target = arguments.target;
  for_each_class(
      arguments, context.scratch, context.parallel,
      [&](std::int64_t batch, std::int64_t label, const std::int64_t* kept, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
          *target++ = batch;
          *target++ = label;
          *target++ = kept[i];
        }
      });
}

}  // namespace pliant::kernels
