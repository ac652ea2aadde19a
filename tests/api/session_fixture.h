#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include <pliant/session.h>

namespace pliant::testing {

/// A model from assembly, ready to run.
inline Session session_of(const std::string& assembly, SessionOptions options = {}) {
  auto model = Model::from_assembly(assembly, "test.pasm");
  EXPECT_TRUE(model) << model.error().to_string();
  auto session = Session::create(*model, std::move(options));
  EXPECT_TRUE(session) << session.error().to_string();
  return std::move(*session);
}

inline Tensor floats(std::vector<std::int64_t> shape, const std::vector<float>& values) {
  auto tensor = Tensor::copy_of(DType::kF32, shape, std::span<const float>(values));
  EXPECT_TRUE(tensor) << tensor.error().to_string();
  return *tensor;
}

inline Tensor integers(std::vector<std::int64_t> shape, const std::vector<std::int64_t>& values) {
  auto tensor = Tensor::copy_of(DType::kI64, shape, std::span<const std::int64_t>(values));
  EXPECT_TRUE(tensor) << tensor.error().to_string();
  return *tensor;
}

inline std::vector<float> float_values(const Tensor& tensor) {
  EXPECT_EQ(tensor.dtype(), DType::kF32);
  const auto values = tensor.values<float>();
  return {values.begin(), values.end()};
}

/// The outputs of a run that must succeed.
inline std::vector<Tensor> run(Session& session, const std::vector<NamedTensor>& inputs) {
  auto outputs = session.run(inputs);
  EXPECT_TRUE(outputs) << outputs.error().to_string();
  return outputs ? *outputs : std::vector<Tensor>{};
}

/// The error of a run that must fail.
inline Error run_error(Session& session, const std::vector<NamedTensor>& inputs) {
  auto outputs = session.run(inputs);
  EXPECT_FALSE(outputs);
  return outputs ? Error{} : outputs.error();
}

}  // namespace pliant::testing
