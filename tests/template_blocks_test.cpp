// Small blocks beside the large ones of the same template are a choice.
#include "cost/template_blocks.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The largest block of each kernel's template, in the order of the source.
std::vector<uint64_t> largest(const std::string &launches) {
  const SourceModel model = readText(
      "template <int warps> __global__ void scale(float *v) {\n"
      "  v[blockIdx.x * 32 * warps + threadIdx.x] *= 2;\n}\n"
      "__global__ void shift(float *v) { v[threadIdx.x] += 1; }\n"
      "void run(float *v, int n) {\n" +
      launches + "  shift<<<n, 32>>>(v);\n}\nint main() {}\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  std::vector<CostedKernel> kernels;
  for (const Kernel &kernel : model.kernels)
    kernels.push_back(costed(kernel));
  settleTemplateBlocks(kernels);
  std::vector<uint64_t> result;
  for (const CostedKernel &each : kernels)
    result.push_back(each.largestOfTemplate);
  llvm::sort(result);
  return result;
}

using Blocks = std::vector<uint64_t>;

} // namespace

TEST(TemplateBlocks, InstancesOfOneTemplateAreOneProgramsChoice) {
  EXPECT_EQ(largest("  scale<1><<<n, 32>>>(v);\n"), (Blocks{32, 32}));
  EXPECT_EQ(largest("  if (n % 2 == 0)\n    scale<4><<<n, 128>>>(v);\n"
                    "  else\n    scale<1><<<n, 32>>>(v);\n"),
            (Blocks{32, 128, 128}))
      << "another kernel of the source has no part in it";
}
