#include <cstdio>

#include <pliant/session.h>

int main(int argc, char** argv) {
  // .onnx, .pasm or .pbc
  auto session = pliant::Session::load(argc > 1 ? argv[1] : "row_sums.pasm");
  if (!session) {
    return std::puts(session.error().to_string().c_str()), 1;
  }
  const float values[] = {1, 2, 3, 4, 5, 6};
  auto x = pliant::Tensor::copy_of<float>(pliant::DType::kF32, {{2, 3}}, values);
  auto outputs = session->run({{{"x", *x}}});  // other sizes in the next run, if you like
  if (!outputs) {
    return std::puts(outputs.error().to_string().c_str()), 1;
  }
  for (const float sum : outputs->front().values<float>()) {
    std::printf("%g\n", static_cast<double>(sum));
  }
}
