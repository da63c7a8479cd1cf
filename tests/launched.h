// The shapes and arguments of the launches in a source, as text.
#pragma once
#include "read_text.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace warplint {

/// "64x1x1 64x4x1", or "open" where nothing is known.
inline std::string shapes(const SourceModel &model, llvm::StringRef kernel) {
  std::string text;
  for (const Kernel &read : model.kernels)
    if (read.name == kernel)
      for (const KernelShape &shape : read.shapes)
        text += (text.empty() ? "" : " ") +
                (shape.source == ShapeSource::Assumed ? std::string("open")
                                                      : shape.shape.text());
  return text;
}

/// The shapes of `k` when `host` launches it.
inline std::string launched(llvm::StringRef host, bool withToolkit = false,
                            llvm::StringRef kernel = "k") {
  std::string source = R"(
#include <algorithm>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
template <class T> __global__ void t(T *p) { p[threadIdx.x] = 1; }
#define TX 64
constexpr int threads = 96;
)" + host.str();
  SourceModel model = readText(source, withToolkit);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  return shapes(model, kernel);
}

inline std::string inMain(llvm::StringRef body, bool withToolkit = false) {
  return launched(("void run(float *p, int n) {\n" + body + "\n}\n").str(),
                  withToolkit);
}

/// "2x1x1(?,1024) ?x1x1(?,7)" of all launches of `k`, in order.
inline std::string given(llvm::StringRef host) {
  std::string source =
      "__global__ void k(float *p, int n) { p[n] = 1; }\n" + host.str();
  SourceModel model = readText(source);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  std::string text;
  auto number = [](std::optional<uint64_t> value) {
    return value ? std::to_string(*value) : "?";
  };
  for (const Launch &launch : model.outline.launches)
    text += (text.empty() ? "" : " ") + number(launch.block[0]) + "(" +
            number(launch.arguments.at(0)) + "," +
            number(launch.arguments.at(1)) + ")";
  return text;
}

} // namespace warplint
