#include "kernels/gather/scatter.h"

#include <algorithm>

#include "kernels/movement/index_walk.h"

namespace pliant::kernels {
namespace {

/// Updates below which one more thread costs more than it brings.
constexpr std::int64_t kGrain = 4 << 10;

/// Neighbours along the last independent axis that one pass over the ordered axes handles when they
/// are not neighbours in memory: few, so that the lines they touch stay in cache.
constexpr std::int64_t kStridedStrip = 8;

/// One strip of the last independent axis: all ordered updates for `count` columns.
template <class Index>
struct Strip {
  std::byte* target;
  const std::byte* updates;
  const Index* indices;
  std::int64_t count;
};

template <class Index>
void update_strip(const ScatterArguments& arguments, const Strip<Index>& strip) {
  const ScatterAxes& columns = arguments.independent;
  const ScatterAxes& ordered = arguments.ordered;
  const std::int64_t size = arguments.copy.element_size;
  const std::int64_t target_step = columns.target.back();
  const std::int64_t update_step = columns.updates.back();
  const std::int64_t index_step = columns.indices.back();
  IndexWalk<3> walk(ordered.shape, {ordered.target, ordered.updates, ordered.indices}, 0);
  const std::int64_t steps = element_count(ordered.shape);
  for (std::int64_t step = 0; step < steps; ++step) {
    std::byte* target = strip.target + walk.offset(0) * size;
    const std::byte* update = strip.updates + walk.offset(1) * size;
    const Index* index = strip.indices + walk.offset(2);
    if (index_step == 0) {  // one tuple for the whole strip
      arguments.apply(target + tuple_offset(index, arguments.tuple) * size, target_step, update,
                      update_step, strip.count);
    } else {
      for (std::int64_t i = 0; i < strip.count; ++i) {
        const std::int64_t offset =
            tuple_offset(index + i * index_step, arguments.tuple) + i * target_step;
        arguments.apply(target + offset * size, 1, update + i * update_step * size, 1, 1);
      }
    }
    walk.next();
  }
}

template <class Index>
void apply_all(const ScatterArguments& arguments, ParallelFor& parallel) {
  ScatterAxes outer = arguments.independent;
  const std::int64_t columns = outer.shape.back();
  const bool dense = outer.updates.back() == 1 && outer.target.back() == 1;
  const std::int64_t strip = dense ? std::max(columns, kStridedStrip) : kStridedStrip;
  const std::int64_t column_target = outer.target.back();
  const std::int64_t column_updates = outer.updates.back();
  const std::int64_t column_indices = outer.indices.back();
  outer.shape.erase_at(outer.shape.size() - 1);
  outer.target.erase_at(outer.target.size() - 1);
  outer.updates.erase_at(outer.updates.size() - 1);
  outer.indices.erase_at(outer.indices.size() - 1);
  const std::int64_t size = arguments.copy.element_size;
  const std::int64_t grain =
      std::max<std::int64_t>(1, kGrain / element_count(arguments.ordered.shape));
  const std::int64_t count = element_count(arguments.independent.shape);
  parallel.run(count, grain, [&](std::int64_t begin, std::int64_t end, int) {
    IndexWalk<3> walk(outer.shape, {outer.target, outer.updates, outer.indices}, begin / columns);
    std::int64_t column = begin % columns;
    for (std::int64_t done = begin; done < end;) {
      const std::int64_t width = std::min({strip, columns - column, end - done});
      update_strip<Index>(arguments, {static_cast<std::byte*>(arguments.copy.target) +
                                          (walk.offset(0) + column * column_target) * size,
                                      static_cast<const std::byte*>(arguments.updates) +
                                          (walk.offset(1) + column * column_updates) * size,
                                      static_cast<const Index*>(arguments.indices) +
                                          walk.offset(2) + column * column_indices,
                                      width});
      done += width;
      column += width;
      if (column == columns) {
        column = 0;
        walk.next();
      }
    }
  });
}

}  // namespace

void scatter(const ScatterArguments& arguments, const KernelContext& context) {
  copy_strided(arguments.copy, context);
  if (element_count(arguments.independent.shape) == 0 ||
      element_count(arguments.ordered.shape) == 0) {
    return;
  }
  if (arguments.index_size == 4) {
    apply_all<std::int32_t>(arguments, context.parallel);
  } else {
    apply_all<std::int64_t>(arguments, context.parallel);
  }
}

}  // namespace pliant::kernels
