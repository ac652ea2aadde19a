#pragma once

#include <cstddef>
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
  void clear() { invoke_ = nullptr; }

  template <class Arguments>
  void set(void (*kernel)(const Arguments&, const KernelContext&), const Arguments& arguments) {
    static_assert(std::is_trivially_copyable_v<Arguments>, "arguments are plain data");
    static_assert(sizeof(Arguments) <= kMaxArgumentBytes, "raise kMaxArgumentBytes");
    static_assert(alignof(Arguments) <= 16);
    kernel_ = reinterpret_cast<void (*)()>(kernel);
    invoke_ = [](const KernelCall& call, const KernelContext& context) {
      const auto typed =
          reinterpret_cast<void (*)(const Arguments&, const KernelContext&)>(call.kernel_);
      typed(*reinterpret_cast<const Arguments*>(call.arguments_), context);
    };
    std::memcpy(arguments_, &arguments, sizeof arguments);
  }

  /// False after a binding that found nothing to do (an empty result).
  [[nodiscard]] bool has_work() const { return invoke_ != nullptr; }
  void operator()(const KernelContext& context) const {
    if (invoke_ != nullptr) {
      invoke_(*this, context);
    }
  }

 private:
  void (*invoke_)(const KernelCall&, const KernelContext&) = nullptr;
  void (*kernel_)() = nullptr;
  alignas(16) std::byte arguments_[kMaxArgumentBytes];
};

}  // namespace pliant::kernels
