#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/kernel.h"

namespace pliant::kernels {

/// A kernel with its arguments: everything has been checked, running it cannot fail. Plain bytes,
/// cheap to copy; the arguments' pointers are borrowed.
class KernelCall {
 public:
  static constexpr std::size_t kMaxArgumentBytes = 1536;

  KernelCall() = default;
  /// Back to nothing to do. Assigning KernelCall{} would write all of the argument bytes.
  void clear() {
    invoke_ = nullptr;
    argument_bytes_ = 0;
    loop_count_ = 0;
  }

  template <class Arguments>
  void set(void (*kernel)(const Arguments&, const KernelContext&), const Arguments& arguments) {
    static_assert(std::is_trivially_copyable_v<Arguments>, "arguments are plain data");
    static_assert(sizeof(Arguments) <= kMaxArgumentBytes, "raise kMaxArgumentBytes");
    static_assert(alignof(Arguments) <= 16);
    kernel_ = reinterpret_cast<void (*)()>(kernel);
    invoke_ = [](void (*untyped)(), const void* bytes, const KernelContext& context) {
      const auto typed =
          reinterpret_cast<void (*)(const Arguments&, const KernelContext&)>(untyped);
      typed(*static_cast<const Arguments*>(bytes), context);
    };
    argument_bytes_ = sizeof arguments;
    std::memcpy(arguments_, &arguments, sizeof arguments);
    loop_count_ = 0;
  }
  /// After set(), of a kernel that is one loop over KernelContext::parallel and does next to nothing
  /// before it: how many indices the loop has. They go through every tensor that has a place per
  /// index in row-major order of dense memory, so slices of the loop (SliceFor) work on slices of
  /// those tensors.
  void is_loop(std::int64_t count) { loop_count_ = count; }

  /// False after a binding that found nothing to do (an empty result).
  [[nodiscard]] bool has_work() const { return invoke_ != nullptr; }
  void operator()(const KernelContext& context) const {
    if (invoke_ != nullptr) {
      invoke_(kernel_, arguments_, context);
    }
  }

 private:
  friend class KernelCallList;
  using Invoke = void (*)(void (*kernel)(), const void* arguments, const KernelContext&);

  Invoke invoke_ = nullptr;
  void (*kernel_)() = nullptr;
  std::size_t argument_bytes_ = 0;
  std::int64_t loop_count_ = 0;
  alignas(16) std::byte arguments_[kMaxArgumentBytes];
};

}  // namespace pliant::kernels
