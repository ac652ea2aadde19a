// smoke PROGRAM.pasm [LEVEL]: runs a program on fixed inputs, at two sizes, and prints a digest of
// each output.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include <pliant/session.h>

namespace {

[[noreturn]] void fail(const pliant::Error& error) {
  std::fprintf(stderr, "%s\n", error.to_string().c_str());
  std::exit(1);
}

/// An f32 tensor of numbers in [-2, 2) that look random.
pliant::Tensor numbers(const std::vector<std::int64_t>& shape, std::uint32_t seed) {
  auto tensor = pliant::Tensor::allocate(pliant::DType::kF32, shape);
  if (!tensor) {
    fail(tensor.error());
  }
  auto* elements = static_cast<float*>(tensor->mutable_data());
  for (std::int64_t i = 0; i < tensor->element_count(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    elements[i] = static_cast<float>(seed >> 8) * 0x1p-22f - 2.0f;
  }
  return *tensor;
}

/// FNV-1a over the bytes.
std::uint64_t digest(const pliant::Tensor& tensor) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto* bytes = static_cast<const unsigned char*>(tensor.data());
  for (std::size_t i = 0; i < tensor.byte_size(); ++i) {
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  }
  return hash;
}

void run(pliant::Session& session, std::int64_t rows, std::int64_t height) {
  const pliant::NamedTensor inputs[] = {{"x", numbers({rows, 24}, 1)},
                                        {"image", numbers({2, 3, height, height + 1}, 2)},
                                        {"steps", numbers({rows, 2, 8}, 3)}};
  auto outputs = session.run(inputs);
  if (!outputs) {
    fail(outputs.error());
  }
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    const pliant::Tensor& output = (*outputs)[i];
    std::printf("%s: %lld elements, digest %016llx\n", session.model().outputs()[i].name.c_str(),
                static_cast<long long>(output.element_count()),
                static_cast<unsigned long long>(digest(output)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: smoke PROGRAM.pasm [LEVEL]\n");
    return 1;
  }
  pliant::SessionOptions options;
  options.threads = 2;
  std::string level;
  options.log = [&level](const pliant::LogEvent& event) {
    for (const auto& [key, value] : event.fields) {
      if (key == "cpu_level") {
        level = value;
      }
    }
  };
  if (argc > 2) {
    options.cpu_level = argv[2];
  }
  auto session = pliant::Session::load(argv[1], options);
  if (!session) {
    fail(session.error());
  }
  std::printf("level %s\n", level.c_str());
  run(*session, 5, 9);
  run(*session, 33, 16);
  return 0;
}
