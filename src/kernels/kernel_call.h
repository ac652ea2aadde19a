#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/function_ref.h"
#include "kernels/kernel.h"

namespace pliant::kernels {

/// A kernel with its arguments: everything has been checked, running it cannot fail. Plain bytes,
/// cheap to copy; the arguments' pointers are borrowed.
///
/// Arguments name every pointer to elements of tensors that they hold, so that a call can be bound
/// before its tensors have a place, and can move with them:
///
///   template <class Visit> void each_address(Visit visit) { visit(x); visit(y); }
///
/// Kernels are chosen by shapes and strides, never by addresses. Arguments whose last bytes are not
/// always in use may say so by `std::size_t used_bytes() const`.
class KernelCall {
 public:
  static constexpr std::size_t kMaxArgumentBytes = 1536;

  KernelCall() = default;
  /// Back to nothing to do. Assigning KernelCall{} would write all of the argument bytes.
  void clear() {
    kind_ = nullptr;
    loop_count_ = 0;
  }

  template <class Arguments>
  void set(void (*kernel)(const Arguments&, const KernelContext&), const Arguments& arguments) {
    static_assert(std::is_trivially_copyable_v<Arguments>, "arguments are plain data");
    static_assert(sizeof(Arguments) <= kMaxArgumentBytes, "raise kMaxArgumentBytes");
    static_assert(alignof(Arguments) <= 16);
    kernel_ = reinterpret_cast<void (*)()>(kernel);
    kind_ = &kKind<Arguments>;
    if constexpr (requires { arguments.used_bytes(); }) {
      argument_bytes_ = arguments.used_bytes();
    } else {
      argument_bytes_ = sizeof arguments;
    }
    std::memcpy(arguments_, &arguments, argument_bytes_);
    loop_count_ = 0;
  }
  /// After set(), of a kernel that is one loop over KernelContext::parallel and does next to nothing
  /// before it: how many indices the loop has. They go through every tensor that has a place per
  /// index in row-major order of dense memory, so slices of the loop (SliceFor) work on slices of
  /// those tensors.
  void is_loop(std::int64_t count) { loop_count_ = count; }

  /// False after a binding that found nothing to do (an empty result).
  [[nodiscard]] bool has_work() const { return kind_ != nullptr; }
  void operator()(const KernelContext& context) const {
    if (kind_ != nullptr) {
      kind_->run(kernel_, arguments_, context);
    }
  }

 private:
  friend class KernelCallList;

  /// What all calls with one type of arguments share.
  struct Kind {
    void (*run)(void (*kernel)(), const void* arguments, const KernelContext&);
    /// Where in the arguments the addresses stand.
    void (*each_address)(void* arguments, FunctionRef<void(std::byte*)> visit);
  };

  template <class Arguments>
  static constexpr Kind kKind = {
      [](void (*kernel)(), const void* arguments, const KernelContext& context) {
        const auto typed =
            reinterpret_cast<void (*)(const Arguments&, const KernelContext&)>(kernel);
        typed(*static_cast<const Arguments*>(arguments), context);
      },
      [](void* arguments, FunctionRef<void(std::byte*)> visit) {
        static_cast<Arguments*>(arguments)->each_address(
            [&](auto*& address) { visit(reinterpret_cast<std::byte*>(&address)); });
      }};

  const Kind* kind_ = nullptr;
  void (*kernel_)() = nullptr;
  std::size_t argument_bytes_ = 0;
  std::int64_t loop_count_ = 0;
  alignas(16) std::byte arguments_[kMaxArgumentBytes];
};

}  // namespace pliant::kernels
