#include "shapes/bounded_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "shapes/profile_name.h"

namespace pliant::shapes {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 8;
constexpr std::size_t kMaxValues = 4'000'000;
constexpr std::size_t kMaxKeys = 64;  // of one object
constexpr std::size_t kShownBytes = 40;

/// Walks through the text without keeping its values, and stops where a limit is passed: only text
/// that comes through is worth the memory of its values. The names of its functions are the
/// library's.
class StructureCheck : public json::json_sax_t {
 public:
  explicit StructureCheck(std::string_view text) : text_(text) {}

  [[nodiscard]] std::optional<Error>& error() { return error_; }

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(json::number_integer_t) override { return value(); }
  bool number_unsigned(json::number_unsigned_t) override { return value(); }
  bool number_float(json::number_float_t, const std::string&) override { return value(); }
  bool string(std::string&) override { return value(); }
  bool binary(json::binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    Level& level = levels_.back();
    level.key = profile_name(name).substr(0, kShownBytes);
    if (!level.keys.insert(name).second) {
      return fail(ErrorCode::kCorrupt, "profile: an object names a key twice");
    }
    if (level.keys.size() > kMaxKeys) {
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("profile: an object may have {} keys at most", kMaxKeys));
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    const std::string_view before = text_.substr(0, std::min(position, text_.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    // What was read last is where it went wrong; past the end there is nothing to show.
    error_ = Error{ErrorCode::kCorrupt,
                   position > text_.size() || before.empty()
                       ? std::string("profile: the text ends too early to be JSON")
                       : std::string("profile: the text is no JSON"),
                   fmt::format("line {}, column {}", line,
                               std::max<std::size_t>(before.size() - line_start, 1))};
    return false;
  }

 private:
  struct Level {
    std::size_t items = 0;                 // of a list, begun so far
    std::string key;                       // of an object, the last one
    std::unordered_set<std::string> keys;  // of an object, all so far
  };

  bool value() {
    if (!levels_.empty()) {
      ++levels_.back().items;
    }
    if (++values_ > kMaxValues) {
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("profile: there may be {} values at most", kMaxValues));
    }
    return true;
  }

  bool open() {
    if (!value()) {
      return false;
    }
    if (levels_.size() >= kMaxDepth) {
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("profile: lists and objects may be nested {} deep", kMaxDepth));
    }
    levels_.emplace_back();
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  bool fail(ErrorCode code, std::string message) {
    std::string place;
    for (const Level& level : levels_) {
      if (!level.key.empty()) {
        place += (place.empty() ? "" : ".") + level.key;
      } else if (level.items > 0) {
        place += fmt::format("[{}]", level.items - 1);
      }
    }
    error_ = Error{code, std::move(message), std::move(place)};
    return false;
  }

  std::string_view text_;
  std::vector<Level> levels_;
  std::size_t values_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<json> parse_bounded_json(std::string_view text) {
  StructureCheck check(text);
  if (!json::sax_parse(text, &check)) {
    return *std::move(check.error());
  }
  return json::parse(text, nullptr, false);
}

}  // namespace pliant::shapes
