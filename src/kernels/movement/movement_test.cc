#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/movement/reference.h"
#include "support/against_reference.h"

// Every row of kernels.inc against the reference, on the cases of its argument struct. A kernel that is
// added to the list is tested by that.

namespace pliant::kernels {
namespace {

constexpr std::int64_t kElementSizes[] = {1, 2, 4, 8};

/// Any bytes to read, enough for every case, around an element 0 that has others before it.
const std::byte* source(std::int64_t first = 0, std::int64_t element_size = 8) {
  static const std::vector<std::byte> bytes = testing::random_bytes(1 << 20, 1);
  return bytes.data() + (std::int64_t{1} << 16) + first * element_size;
}

/// Elements from the first of a result to its last.
std::size_t span(const Shape& shape, const Strides& strides) {
  std::int64_t elements = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    elements += std::max<std::int64_t>(shape[axis] - 1, 0) * strides[axis];
  }
  return static_cast<std::size_t>(elements);
}

/// The cases of an argument struct: visit(check) calls check(name, elements of the result, arguments)
/// with arguments that have no target yet; for elements of every size.
template <class Arguments>
struct Cases;

template <class Arguments>
void check_row(CpuLevel level, void (*kernel)(const Arguments&, const KernelContext&)) {
  if (level > detected_cpu_level()) {
    GTEST_SKIP() << "this processor lacks " << name(level);
  }
  Cases<Arguments>::visit([&](const std::string& what, std::size_t elements, Arguments arguments) {
    for (const std::int64_t size : kElementSizes) {
      SCOPED_TRACE(what + ", elements of " + std::to_string(size));
      arguments.element_size = size;
      testing::expect_bytes_of_reference(
          elements * static_cast<std::size_t>(size), 0, level,
          [&](std::byte* target, const KernelContext& context) {
            arguments.target = target;
            kernel(arguments, context);
          },
          [&](std::byte* target) {
            arguments.target = target;
            run_reference(arguments);
          });
    }
  });
}

template <>
struct Cases<CopyArguments> {
  static void visit(auto check) {
    const auto copy = [&](const Shape& shape, const Strides& from, const Strides& to) {
      check(to_string(shape) + " by " + to_string(from), span(shape, to),
            CopyArguments{source(), nullptr, shape, from, to, 0});
    };
    copy({}, {}, {});
    copy({5}, {1}, {1});
    copy({1000}, {1}, {1});
    copy({5}, {-1}, {1});
    copy({100}, {0}, {1});
    copy({3, 67}, {1, 3}, {67, 1});  // too few rows for tiles
    copy({2, 33, 65}, {33 * 65, 1, 33}, {33 * 65, 65, 1});
    copy({2, 3, 34, 35}, {3570, 1, 105, 3}, {3570, 1190, 35, 1});  // channels-last to row-major
    copy({2, 3, 34, 35}, {3570, 1190, 35, 1}, {3570, 1, 105, 3});  // and back
    copy({4, 6, 5}, {5, 20, 1}, {30, 5, 1});                       // exchanged heads and rows
    copy({4, 7}, {0, 1}, {7, 1});
    copy({4, 7}, {1, 0}, {7, 1});
    copy({7, 9}, {20, 2}, {9, 1});
    copy({7, 9}, {9, 1}, {30, 3});  // gaps in the target
    copy({7, 9}, {-9, -1}, {9, 1});
    copy({1, 8, 1, 3}, {99, 3, 99, 1}, {99, 3, 99, 1});
    copy({8, 0, 3}, {0, 3, 1}, {0, 3, 1});
    copy({2, 2, 2, 2, 2, 2, 2, 2}, {1, 2, 4, 8, 16, 32, 64, 128}, {128, 64, 32, 16, 8, 4, 2, 1});
    for (std::int64_t rows = 1; rows <= 67; rows += 3) {  // sizes around the tiles of transposition
      for (const std::int64_t columns : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65}) {
        copy({rows, columns}, {1, rows}, {columns, 1});
      }
    }
    copy({100000}, {1}, {1});  // long runs are cut
    copy({2, 50000}, {0, 1}, {50000, 1});
  }
};

template <>
struct Cases<ConcatFewArguments> {
  static void visit(auto check) {
    for (const std::size_t axis : {0u, 1u, 2u}) {
      ConcatFewArguments arguments;
      arguments.axis = axis;
      arguments.shape = {3, 4, 5};
      arguments.shape[axis] = 0;
      arguments.count = ConcatFewArguments::kMaxParts;
      for (std::size_t i = 0; i < arguments.count; ++i) {
        ConcatFewArguments::Part& part = arguments.parts[i];
        part.data = source(static_cast<std::int64_t>(i) * 100);
        part.extent = static_cast<std::int64_t>(i % 3);  // 0 too
        part.strides = i % 2 == 0 ? Strides{50, 7, 1} : Strides{1, -60, 3};
        arguments.shape[axis] += part.extent;
      }
      arguments.target_strides = contiguous_strides(arguments.shape);
      check("axis " + std::to_string(axis), span(arguments.shape, arguments.target_strides),
            arguments);
      const int order[] = {1, 2, 0};
      arguments.target_strides = permuted_strides(arguments.shape, order);
      check("permuted, axis " + std::to_string(axis),
            span(arguments.shape, arguments.target_strides), arguments);
    }
  }
};

template <>
struct Cases<ConcatManyArguments> {
  static void visit(auto check) {
    for (const std::size_t axis : {0u, 1u}) {
      ConcatManyArguments arguments;
      arguments.axis = axis;
      arguments.shape = {2, 3};
      arguments.shape[axis] = 0;
      arguments.count = ConcatManyArguments::kMaxParts;
      for (std::size_t i = 0; i < arguments.count; ++i) {
        arguments.parts[i] = {source(static_cast<std::int64_t>(i) * 10),
                              static_cast<std::int64_t>(i % 4)};
        arguments.shape[axis] += arguments.parts[i].extent;
      }
      arguments.target_strides = contiguous_strides(arguments.shape);
      check("axis " + std::to_string(axis), span(arguments.shape, arguments.target_strides),
            arguments);
    }
  }
};

template <>
struct Cases<PadArguments> {
  static void visit(auto check) {
    for (const BorderRule rule :
         {BorderRule::kConstant, BorderRule::kReflect, BorderRule::kEdge, BorderRule::kWrap}) {
      const std::string name = "rule " + std::to_string(static_cast<int>(rule));
      PadArguments arguments;
      arguments.x = source();
      arguments.value = source(-1);
      arguments.rule = rule;
      arguments.shape = {6, 9, 40};
      arguments.axes = {{{2, 0, 3}, {0, 1, 8}, {3, 2, 33}}};  // the middle axis is cropped too
      for (const Strides& strides : {Strides{400, 40, 1}, Strides{1, 3, 40}, Strides{0, -40, -1}}) {
        arguments.x_strides = strides;
        check(name + " by " + to_string(strides), 6 * 9 * 40, arguments);
      }
      arguments.shape = {1};
      arguments.x_strides = {1};
      arguments.axes[0] = {0, 0, 1};
      check(name + ", one element", 1, arguments);
    }
    PadArguments nothing_left;
    nothing_left.shape = {2, 5};
    nothing_left.x_strides = {1, 1};
    nothing_left.axes = {{{0, 0, 2}, {4, 0, 0}}};
    check("zeros around nothing", 10, nothing_left);
  }
};

template <>
struct Cases<TileArguments> {
  static void visit(auto check) {
    struct Layout {
      Shape shape;
      Strides strides;
      Shape repeats;
    };
    const Layout layouts[] = {
        {{1}, {1}, {1}},
        {{1}, {5}, {1000}},
        {{3, 7}, {7, 1}, {2, 5}},
        {{3, 7}, {1, 3}, {1, 9}},
        {{3, 1}, {-1, 1}, {4, 33}},
        {{2, 3, 4}, {0, 4, 1}, {3, 1, 2}},
        {{2, 300}, {300, 1}, {3, 30}},
    };
    for (const Layout& layout : layouts) {
      check(to_string(layout.shape) + " times " + to_string(layout.repeats),
            static_cast<std::size_t>(element_count(layout.shape) * element_count(layout.repeats)),
            TileArguments{source(), nullptr, layout.shape, layout.strides, layout.repeats, 0});
    }
  }
};

template <>
struct Cases<TriangularArguments> {
  static void visit(auto check) {
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 5, 7}, Shape{2, 7, 5}, Shape{33, 34}}) {
      const std::int64_t columns = shape.back();
      const std::int64_t rows = shape[shape.size() - 2];
      Strides transposed = contiguous_strides(shape);
      transposed[shape.size() - 2] = 1;
      transposed[shape.size() - 1] = -rows;
      for (const Strides& strides : {contiguous_strides(shape), transposed}) {
        for (const std::int64_t diagonal :
             {-rows, std::int64_t{-1}, std::int64_t{0}, std::int64_t{2}, columns}) {
          for (const KeptSide side : {KeptSide::kUpper, KeptSide::kLower}) {
            check(to_string(shape) + ", diagonal " + std::to_string(diagonal),
                  static_cast<std::size_t>(element_count(shape)),
                  TriangularArguments{source(), nullptr, shape, strides, diagonal, side, 0});
          }
        }
      }
    }
  }
};

#define MOVEMENT_KERNEL(Level, function, Arguments)  \
  TEST(MovementKernels, Level##_##function) {        \
    check_row<Arguments>(CpuLevel::Level, function); \
  }
#include "kernels/movement/kernels.inc"

TEST(CopyStrided, EmptyTensorsMayHaveNoMemory) {
  SerialFor serial;
  copy_strided(CopyArguments{nullptr, nullptr, {2, 0, 3}, {3, 3, 1}, {3, 3, 1}, 4},
               KernelContext{serial});
}

}  // namespace
}  // namespace pliant::kernels
