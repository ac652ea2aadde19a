#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace pliant {

/// Why a call failed. Each row of `errors.def` carries the sentence that the documentation prints.
enum class ErrorCode {
#define PLIANT_ERROR(Name, text, doc) k##Name,
#include <pliant/errors.def>
};

/// The name of a code as people read it, for example "shape mismatch".
[[nodiscard]] const char* error_code_name(ErrorCode code);

/// What went wrong, in words a user can act on: static text first, values last, no full stop.
/// `where` names the place (file:line:column, node, instruction); it is empty when there is none.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string where;

  /// "shape mismatch: extents differ in MATMUL: 64 and 32 (model.pasm:12:8)".
  [[nodiscard]] std::string to_string() const;
};

/// Wraps an error on its way into a Result (the role of std::unexpected).
class Unexpected {
 public:
  explicit Unexpected(Error error) : error_(std::move(error)) {}
  [[nodiscard]] Error& error() & { return error_; }

 private:
  Error error_;
};

/// A value or an error. The names are those of C++23's std::expected, so it can replace this. Asking
/// an error for its value, or a value for its error, is a bug of the caller.
template <class T>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): as std::expected
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): return an error as it is
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as std::expected
  Result(Unexpected unexpected) : state_(std::in_place_index<1>, std::move(unexpected.error())) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  [[nodiscard]] Error& error() & { return std::get<1>(state_); }
  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success, or an error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): return an error as it is
  Result(Error error) : error_(std::move(error)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as std::expected
  Result(Unexpected unexpected) : error_(std::move(unexpected.error())) {}

  [[nodiscard]] bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] Error& error() & { return *error_; }
  [[nodiscard]] const Error& error() const& { return *error_; }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace pliant
