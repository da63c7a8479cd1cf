// The calls of the host around the launches of a source.
#pragma once
#include "kokkos.h"
#include "read_text.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace warplint {

/// "cudaMalloc tmp 4:5 in 3" for each host call of the first kernel: name,
/// object, line, and the line of the loop.
inline std::string calls(llvm::StringRef host,
                         std::vector<std::string> flags = {},
                         bool withToolkit = false) {
  SourceModel model = readText(
      "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n" + host.str(),
      withToolkit, std::move(flags));
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  std::string text;
  for (const Kernel &kernel : model.kernels)
    for (const HostCall &call : kernel.hostCalls)
      text += (text.empty() ? "" : ", ") + call.name +
              (call.what.empty() ? "" : " " + call.what) + " " +
              std::to_string(call.place.line) + " in " +
              std::to_string(call.loop.line);
  return text;
}

} // namespace warplint
