#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pliant/session.h>

#include "session/planned_program.h"

namespace pliant::session {

/// Sizes and values of inputs that a caller has named, for a segment that asks which it may hold
/// for. The sizes must outlive this.
class NamedValues {
 public:
  explicit NamedValues(std::span<const NamedSize> sizes) : sizes_(sizes) {}

  /// What the caller says; nothing for an extent that could not be.
  [[nodiscard]] std::optional<std::int64_t> of(const plan::DecidingEntry& entry);

  /// What was asked for, each once, and
  [[nodiscard]] const std::vector<std::string>& asked() const { return asked_; }
  /// what of it the caller has not said.
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  std::span<const NamedSize> sizes_;
  std::vector<std::string> asked_;
  std::vector<std::string> missing_;
};

/// Puts sizes that are given by name into the order of a segment's entries; further ones may be of
/// the names in `others`. Errors: kInvalidArgument (a name is missing, unknown or doubled, an extent
/// is negative).
[[nodiscard]] Result<std::vector<std::int64_t>> signature_of(
    std::span<const shapes::Entry> entries, std::span<const NamedSize> sizes,
    std::span<const std::string> others = {});

/// "'n', 'target[0]'".
[[nodiscard]] std::string quoted_list(std::span<const std::string> names);

}  // namespace pliant::session
