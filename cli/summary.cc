#include "cli/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/element_value.h"
#include "cli/terminal_text.h"

namespace pliant::cli {

std::string describe(const Tensor& tensor) {
  return fmt::format("{}[{}]", name(tensor.dtype()), fmt::join(tensor.shape(), ", "));
}

std::string summarise(const Tensor& tensor) {
  constexpr std::int64_t kMaxListed = 6;
  const std::int64_t count = tensor.element_count();
  if (count == 0) {
    return "no elements";
  }
  if (count <= kMaxListed) {
    std::vector<std::string> values;
    for (std::int64_t i = 0; i < count; ++i) {
      values.push_back(fmt::format("{:.6g}", element_value(tensor, i)));
    }
    return fmt::format("{}", fmt::join(values, " "));
  }
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  double sum = 0;
  std::int64_t finite = 0;
  std::int64_t nans = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = element_value(tensor, i);
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
      sum += value;
      ++finite;
    } else if (std::isnan(value)) {
      ++nans;
    }
  }
  std::string text;
  if (finite > 0) {
    text =
        fmt::format("{:.6g} .. {:.6g}, mean {:.6g}", low, high, sum / static_cast<double>(finite));
  }
  const std::int64_t infinities = count - finite - nans;
  if (nans > 0) {
    text += fmt::format("{}{} NaN", text.empty() ? "" : ", ", nans);
  }
  if (infinities > 0) {
    text += fmt::format("{}{} infinite", text.empty() ? "" : ", ", infinities);
  }
  return text;
}

std::string format_table(std::vector<std::vector<std::string>> rows) {
  std::vector<std::size_t> widths;
  for (auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = terminal_text(std::move(row[i]));
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool last = i + 1 == row.size();
      text += last ? row[i] : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace pliant::cli
