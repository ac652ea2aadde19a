#pragma once

#include <cstdint>

namespace pliant::kernels::recurrent {

// The functions that gates may use, in the order of their words in assembly:
// ACTIVATION(Name, alpha, beta, parameters): default parameters and how many of them there are.
#define PLIANT_ACTIVATIONS(ACTIVATION) \
  ACTIVATION(Sigmoid, 0, 0, 0)         \
  ACTIVATION(Tanh, 0, 0, 0)            \
  ACTIVATION(Relu, 0, 0, 0)            \
  ACTIVATION(Affine, 1, 0, 2)          \
  ACTIVATION(LeakyRelu, 0.01, 0, 1)    \
  ACTIVATION(ThresholdedRelu, 1, 0, 1) \
  ACTIVATION(ScaledTanh, 1, 1, 2)      \
  ACTIVATION(HardSigmoid, 0.2, 0.5, 2) \
  ACTIVATION(Elu, 1, 0, 1)             \
  ACTIVATION(Softsign, 0, 0, 0)        \
  ACTIVATION(Softplus, 0, 0, 0)

enum class Activation : std::uint8_t {
#define PLIANT_ENUMERATOR(Name, ...) k##Name,
  PLIANT_ACTIVATIONS(PLIANT_ENUMERATOR)
#undef PLIANT_ENUMERATOR
};

struct ActivationFunction {
  Activation kind = Activation::kSigmoid;
  float alpha = 0.0f;
  float beta = 0.0f;
};

}  // namespace pliant::kernels::recurrent
