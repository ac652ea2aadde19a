#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include <pliant/result.h>

namespace pliant {

/// Builds an error from a format string and its values.
template <class... Values>
[[nodiscard]] Error make_error(ErrorCode code, fmt::format_string<Values...> text,
                               Values&&... values) {
  return Error{code, fmt::format(text, std::forward<Values>(values)...), {}};
}

}  // namespace pliant

#define PLIANT_CONCATENATE_INNER(a, b) a##b
#define PLIANT_CONCATENATE(a, b) PLIANT_CONCATENATE_INNER(a, b)

/// Returns from the enclosing function when `expression` holds an error.
#define PLIANT_RETURN_IF_ERROR(expression)                           \
  do {                                                               \
    auto pliant_status = (expression);                               \
    if (!pliant_status) {                                            \
      return ::pliant::Unexpected(std::move(pliant_status.error())); \
    }                                                                \
  } while (false)

#define PLIANT_ASSIGN_OR_RETURN_INNER(temporary, declaration, expression) \
  auto temporary = (expression);                                          \
  if (!temporary) {                                                       \
    return ::pliant::Unexpected(std::move(temporary.error()));            \
  }                                                                       \
  declaration = std::move(temporary).value()

/// Declares a variable from a Result, or returns its error.
#define PLIANT_ASSIGN_OR_RETURN(declaration, expression)                                   \
  PLIANT_ASSIGN_OR_RETURN_INNER(PLIANT_CONCATENATE(pliant_result_, __LINE__), declaration, \
                                expression)
