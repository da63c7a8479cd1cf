// Kernels compared with those of an earlier commit.
#include "repository.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class EarlierResources : public Repository {};

TEST_F(EarlierResources, AKernelWithMoreResourcesFailsTheRun) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: kernels that got worse are not tested";
  auto source = [](const char *bounds) {
    return std::string("__global__ void ") + bounds +
           " k(float *out, const float *in, int n) {\n"
           "  float v[96];\n"
           "#pragma unroll\n"
           "  for (int i = 0; i < 96; ++i)\n"
           "    v[i] = in[i * n + threadIdx.x];\n"
           "#pragma unroll\n"
           "  for (int i = 1; i < 96; ++i)\n"
           "    v[i] += v[i - 1] * v[(i * 7) % 96];\n"
           "#pragma unroll\n"
           "  for (int i = 0; i < 96; ++i)\n"
           "    out[i * n + threadIdx.x] = v[i];\n"
           "}\n";
  };
  folder.write("k.cu", source(""));
  commit();
  EXPECT_EQ(checkWith({"--diff", "HEAD"}).code, 0);
  folder.write("k.cu", source("__launch_bounds__(1024, 2)"));
  Outcome outcome = checkWith({"--diff", "HEAD", "--check", "worse-kernel"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("[worse-kernel]"), HasSubstr("k.cu:1:"),
                    HasSubstr("spill stores 0 -> "), HasSubstr("spills at")));
  EXPECT_EQ(
      checkWith({"--diff", "HEAD", "--check", "repeated-global-write"}).code,
      0);
  std::string allowed = source("__launch_bounds__(1024, 2)");
  folder.write("k.cu", "// warplint: allow(worse-kernel) measured: as fast\n" +
                           allowed);
  EXPECT_EQ(checkWith({"--diff", "HEAD", "--check", "worse-kernel"}).code, 0);
}

} // namespace
