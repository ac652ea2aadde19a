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

/// Updates of a strip after which it asks whether to go on.
constexpr std::int64_t kStepsPerQuestion = 4 << 10;

/// One strip of the last independent axis: all ordered updates for `count` columns.
template <class Index>
struct Strip {
  std::int64_t target;  ///< number of the element
  const std::byte* updates;
  const Index* indices;
  std::int64_t count;
};

/// Calls visit(target element, target step, update, update step, count) for the updates of a strip.
template <class Index, class Visit>
void for_each_update(const ScatterArguments& arguments, const Strip<Index>& strip,
                     const ParallelFor& parallel, Visit visit) {
  const ScatterAxes& columns = arguments.independent;
  const ScatterAxes& ordered = arguments.ordered;
  const std::int64_t size = arguments.copy.element_size;
  const std::int64_t target_step = columns.target.back();
  const std::int64_t update_step = columns.updates.back();
  const std::int64_t index_step = columns.indices.back();
  IndexWalk<3> walk(ordered.shape, {ordered.target, ordered.updates, ordered.indices}, 0);
  const std::int64_t steps = element_count(ordered.shape);
  for (std::int64_t step = 0; step < steps; ++step) {
    if (step % kStepsPerQuestion == 0 && parallel.is_stopped()) {
      return;
    }
    const std::int64_t target = strip.target + walk.offset(0);
    const std::byte* update = strip.updates + walk.offset(1) * size;
    const Index* index = strip.indices + walk.offset(2);
    if (index_step == 0) {  // one tuple for the whole strip
      visit(target + tuple_offset(index, arguments.tuple), target_step, update, update_step,
            strip.count);
    } else {
      for (std::int64_t i = 0; i < strip.count; ++i) {
        visit(target + tuple_offset(index + i * index_step, arguments.tuple) + i * target_step, 1,
              update + i * update_step * size, 1, 1);
      }
    }
    walk.next();
  }
}

template <class Index>
void update_strip(const ScatterArguments& arguments, const Strip<Index>& strip, float* accumulators,
                  const ParallelFor& parallel) {
  const UpdateFunctions& functions = arguments.functions;
  const std::int64_t size = arguments.copy.element_size;
  std::byte* elements = static_cast<std::byte*>(arguments.copy.target);
  if (!functions.use_accumulators()) {
    for_each_update(arguments, strip, parallel,
                    [&](std::int64_t target, std::int64_t step, const std::byte* update,
                        std::int64_t update_step, std::int64_t count) {
                      functions.meet(elements + target * size, step, update, update_step, count);
                    });
    return;
  }
  // Only the elements that updates reach are loaded and stored; several times if several reach them.
  for_each_update(arguments, strip, parallel,
                  [&](std::int64_t target, std::int64_t step, const std::byte*, std::int64_t,
                      std::int64_t count) {
                    functions.load(accumulators + target, step, elements + target * size, step,
                                   count);
                  });
  for_each_update(arguments, strip, parallel,
                  [&](std::int64_t target, std::int64_t step, const std::byte* update,
                      std::int64_t update_step, std::int64_t count) {
                    functions.meet(accumulators + target, step, update, update_step, count);
                  });
  for_each_update(arguments, strip, parallel,
                  [&](std::int64_t target, std::int64_t step, const std::byte*, std::int64_t,
                      std::int64_t count) {
                    functions.store(elements + target * size, step, accumulators + target, step,
                                    count);
                  });
}

template <class Index>
void apply_all(const ScatterArguments& arguments, const KernelContext& context) {
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
  auto* accumulators = reinterpret_cast<float*>(context.scratch);
  context.parallel.run(count, grain, [&](std::int64_t begin, std::int64_t end, int) {
    IndexWalk<3> walk(outer.shape, {outer.target, outer.updates, outer.indices}, begin / columns);
    std::int64_t column = begin % columns;
    for (std::int64_t done = begin; done < end;) {
      const std::int64_t width = std::min({strip, columns - column, end - done});
      update_strip<Index>(
          arguments,
          {walk.offset(0) + column * column_target,
           static_cast<const std::byte*>(arguments.updates) +
               (walk.offset(1) + column * column_updates) * size,
           static_cast<const Index*>(arguments.indices) + walk.offset(2) + column * column_indices,
           width},
          accumulators, context.parallel);
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

std::size_t scatter_scratch_bytes(const UpdateFunctions& functions, std::int64_t elements) {
  return functions.use_accumulators() ? static_cast<std::size_t>(elements) * sizeof(float) : 0;
}

void scatter(const ScatterArguments& arguments, const KernelContext& context) {
  copy_strided(arguments.copy, context);
  if (element_count(arguments.independent.shape) == 0 ||
      element_count(arguments.ordered.shape) == 0) {
    return;
  }
  if (arguments.index_size == 4) {
    apply_all<std::int32_t>(arguments, context);
  } else {
    apply_all<std::int64_t>(arguments, context);
  }
}

}  // namespace pliant::kernels
