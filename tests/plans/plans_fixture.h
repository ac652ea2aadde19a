#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "api/session_fixture.h"

namespace pliant::testing {

/// Collects the events of a session.
class Events {
 public:
  [[nodiscard]] std::function<void(const LogEvent&)> listener() {
    return [this](const LogEvent& event) {
      const std::lock_guard lock(mutex_);
      events_.push_back(event);
    };
  }

  [[nodiscard]] std::vector<LogEvent> of(const std::string& kind) const {
    const std::lock_guard lock(mutex_);
    std::vector<LogEvent> found;
    for (const LogEvent& event : events_) {
      if (event.kind == kind) {
        found.push_back(event);
      }
    }
    return found;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<LogEvent> events_;  // guarded by mutex_
};

/// The value of a field; empty when there is none.
inline std::string field(const LogEvent& event, const std::string& name) {
  for (const auto& [key, value] : event.fields) {
    if (key == name) {
      return value;
    }
  }
  return "";
}

/// Values that differ from each other: 0, 1, 2, … less a half of something.
inline Tensor ramp(std::vector<std::int64_t> shape, float start = -1.5f) {
  auto tensor = Tensor::allocate(DType::kF32, shape);
  EXPECT_TRUE(tensor);
  auto* values = static_cast<float*>(tensor->mutable_data());
  for (std::int64_t i = 0; i < tensor->element_count(); ++i) {
    values[i] = start + static_cast<float>(i % 97) * 0.25f;
  }
  return *tensor;
}

/// True when two tensors have one type, one shape and the same bits.
inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         (a.byte_size() == 0 || std::memcmp(a.data(), b.data(), a.byte_size()) == 0);
}

inline std::vector<Tensor> run_as(Session& session, Tier tier,
                                  const std::vector<NamedTensor>& inputs,
                                  std::vector<SegmentRun>* report = nullptr) {
  auto outputs = session.run(inputs, {tier, report});
  EXPECT_TRUE(outputs) << tier_name(tier) << ": " << outputs.error().to_string();
  return outputs ? *outputs : std::vector<Tensor>{};
}

/// Runs in every tier; all have to give what the interpreter gives, bit for bit. The session was
/// made without rounding fusions.
inline std::vector<Tensor> run_everywhere(Session& session,
                                          const std::vector<NamedTensor>& inputs) {
  std::vector<Tensor> expected = run_as(session, Tier::kInterpreter, inputs);
  for (const Tier tier : {Tier::kAny, Tier::kBucketed, Tier::kExact, Tier::kAuto}) {
    const std::vector<Tensor> actual = run_as(session, tier, inputs);
    EXPECT_EQ(actual.size(), expected.size()) << tier_name(tier);
    for (std::size_t i = 0; i < actual.size() && i < expected.size(); ++i) {
      EXPECT_TRUE(same_bits(actual[i], expected[i])) << tier_name(tier) << ", output " << i;
    }
  }
  return expected;
}

/// Options whose plans agree with the interpreter bit for bit, and that check each plan.
inline SessionOptions strict_options() {
  SessionOptions options;
  options.plans.rounding_fusions = false;
  options.plans.self_check = true;
  return options;
}

}  // namespace pliant::testing
