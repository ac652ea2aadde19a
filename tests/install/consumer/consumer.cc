// A project of somebody else: it knows only what was installed.
#include <cstdint>
#include <cstdio>

#include <pliant/session.h>

namespace {

constexpr const char* kProgram = R"(
.input x f32[n]
.output y
LOAD_TENSOR     r0, x
ELEMENTWISE_MUL r1, r0, r0
ELEMENTWISE_ADD r2, r1, r0
STORE_TENSOR    y, r2
)";

int fail(const pliant::Error& error) {
  std::fprintf(stderr, "%s\n", error.to_string().c_str());
  return 1;
}

}  // namespace

int main() {
  auto model = pliant::Model::from_assembly(kProgram, "consumer.pasm");
  if (!model) {
    return fail(model.error());
  }
  auto session = pliant::Session::create(*model);
  if (!session) {
    return fail(session.error());
  }
  const float values[] = {1, 2, 3};
  const std::int64_t shape[] = {3};
  auto x = pliant::Tensor::copy_of<float>(pliant::DType::kF32, shape, values);
  if (!x) {
    return fail(x.error());
  }
  const pliant::NamedTensor inputs[] = {{"x", *x}};
  auto outputs = session->run(inputs);
  if (!outputs) {
    return fail(outputs.error());
  }
  for (const float value : outputs->front().values<float>()) {
    std::printf("%g ", static_cast<double>(value));
  }
  std::printf("\n");
  return 0;
}
