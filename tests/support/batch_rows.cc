#include "support/batch_rows.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <vector>

#include "support/bit_difference.h"

namespace pliant::testing {
namespace {

constexpr Tier kPlanTiers[] = {Tier::kAny, Tier::kBucketed, Tier::kExact};

/// One row along an axis, as a batch of its own.
Tensor row_of(const Tensor& batch, std::size_t axis, std::int64_t row) {
  std::vector<std::int64_t> shape = batch.shape();
  std::size_t inner = byte_size(batch.dtype());
  for (std::size_t i = axis + 1; i < shape.size(); ++i) {
    inner *= static_cast<std::size_t>(shape[i]);
  }
  const std::size_t stride = inner * static_cast<std::size_t>(shape[axis]);
  shape[axis] = 1;
  Tensor result = Tensor::allocate(batch.dtype(), shape).value();
  const auto* from =
      static_cast<const std::byte*>(batch.data()) + static_cast<std::size_t>(row) * inner;
  auto* to = static_cast<std::byte*>(result.mutable_data());
  for (std::size_t done = 0; done < result.byte_size(); done += inner) {
    std::memcpy(to + done, from, inner);
    from += stride;
  }
  return result;
}

/// The axis in which the shape of one row differs from that of the batch.
std::optional<std::size_t> batch_axis(const Tensor& alone, const Tensor& together,
                                      std::int64_t batch) {
  std::vector<std::int64_t> shape = together.shape();
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis < alone.shape().size() && shape[axis] != alone.shape()[axis]) {
      const bool is_batch = shape[axis] == batch;
      shape[axis] = 1;
      return is_batch && shape == alone.shape() ? std::optional(axis) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::string compare_row(const std::vector<Tensor>& alone, const std::vector<Tensor>& together,
                        std::int64_t batch, std::int64_t row) {
  std::vector<Tensor> rows;
  for (std::size_t i = 0; i < together.size(); ++i) {
    const auto axis = batch_axis(alone[i], together[i], batch);
    if (!axis) {
      return fmt::format("output {} of shape [{}] is not [{}] for each of {} rows", i,
                         fmt::join(together[i].shape(), ", "), fmt::join(alone[i].shape(), ", "),
                         batch);
    }
    rows.push_back(row_of(together[i], *axis, row));
  }
  return bit_difference(alone, rows);
}

std::vector<NamedTensor> row_of(const std::vector<NamedTensor>& batch, std::int64_t row) {
  std::vector<NamedTensor> rows;
  for (const NamedTensor& input : batch) {
    rows.push_back({input.name, row_of(input.value, 0, row)});
  }
  return rows;
}

}  // namespace

BatchResult compare_rows(Session& session, const InputMaker& maker, std::int64_t batch) {
  BatchResult result;
  const auto inputs = maker.make(maker.sizes_with_batch(batch), Integers::kAll, 1);
  for (const Tier tier : kPlanTiers) {
    const auto together = session.run(inputs, {.tier = tier});
    for (std::int64_t row = 0; together && row < batch && result.complaint.empty(); ++row) {
      const auto alone = session.run(row_of(inputs, row), {.tier = tier});
      const std::string words =
          alone ? compare_row(*alone, *together, batch, row) : alone.error().to_string();
      if (!words.empty()) {
        result.complaint =
            fmt::format("tier {}: row {} of {}: {}", tier_name(tier), row, batch, words);
      }
      ++result.rows;
    }
  }
  return result;
}

}  // namespace pliant::testing
