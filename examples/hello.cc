#include <pliant/session.h>

#include <cstdio>

int main(int, char** arguments) {
  auto session = pliant::Session::load(arguments[1]);  // .onnx, .pasm or .pbc
  if (!session) return std::puts(session.error().to_string().c_str()), 1;

  const float values[] = {1, 2, 3, 4, 5, 6};
  auto x = pliant::Tensor::copy_of<float>(pliant::DType::kF32, {{2, 3}}, values);
  auto outputs = session->run({{{"x", *x}}});  // any sizes, run after run
  if (!outputs) return std::puts(outputs.error().to_string().c_str()), 1;

  const pliant::Tensor& y = outputs->front();
  std::printf("output y: %zu numbers, the first is %g\n", y.values<float>().size(), y.values<float>()[0]);
}
