// A log and a source for the commands that report resources.
#pragma once
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include <gmock/gmock.h>

#define NEEDS_NVCC(what)                                                       \
  if (nvccForTests().empty())                                                  \
  GTEST_SKIP() << "NO NVCC: " what " is not tested"

namespace warplint {

/// Returns what ptxas prints of one kernel that spills.
const std::string ptxasBlock =
    "ptxas info    : Compiling entry function '_Z1kIfLi4EEvPT_' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z1kIfLi4EEvPT_\n"
    "    64 bytes stack frame, 32 bytes spill stores, 16 bytes spill loads\n"
    "ptxas info    : Used 28 registers, used 1 barriers\n";

/// A sum of `length` products that are all needed at the end. Without bounds
/// they fit into registers.
inline std::string sums(unsigned length, llvm::StringRef bounds) {
  return "__global__ void " + bounds.str() +
         " sums(float *out, const float *in, int n) {\n"
         "  float v[" +
         std::to_string(length) +
         "];\n"
         "#pragma unroll\n"
         "  for (int i = 0; i < " +
         std::to_string(length) +
         "; ++i)\n"
         "    v[i] = in[i * n + threadIdx.x];\n" // line 5
         "#pragma unroll\n"
         "  for (int i = 1; i < " +
         std::to_string(length) +
         "; ++i)\n"
         "    v[i] += v[i - 1] * v[(i * 7) % " +
         std::to_string(length) +
         "];\n" // line 8
         "#pragma unroll\n"
         "  for (int i = 0; i < " +
         std::to_string(length) +
         "; ++i)\n"
         "    out[i * n + threadIdx.x] = v[i];\n" // line 11
         "}\n"
         "void launch(float *p) { sums<<<8, 256>>>(p, p, 3); }\n";
}

} // namespace warplint
