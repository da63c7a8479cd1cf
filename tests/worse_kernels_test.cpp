// Tests what a kernel that got worse is reported with.
#include "repository.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class WorseKernels : public Repository {};

// The reviewer sees what grew, and that a multiplication is no such thing.
TEST_F(WorseKernels, AKernelThatIsPredictedToTakeLongerSaysWhatGrew) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: kernels that got worse are not tested";
  auto source = [](const char *index, const char *value) {
    return std::string("__global__ void k(float *out, const float *in) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  out[i] = in[") +
           index + "] * " + value + ";\n}\n";
  };
  folder.write("k.cu", source("i", "2"));
  commit();
  folder.write("k.cu", source("i", "2 * out[i]"));
  EXPECT_THAT(checkWith({"--diff", "HEAD", "--check", "worse-kernel"}).out,
              HasSubstr("load of 'out[i]': 0 -> 4 sectors per request"));
  folder.write("k.cu", "\n\n" + source("i", "2 * 3.5f * 1.5f"));
  EXPECT_EQ(checkWith({"--diff", "HEAD", "--check", "worse-kernel"}).code, 0);
  folder.write("k.cu", source("i * 32", "2"));
  EXPECT_THAT(checkWith({"--diff", "HEAD", "--check", "worse-kernel"}).out,
              AllOf(HasSubstr("[worse-kernel]"),
                    HasSubstr("takes more: predicted cycles"),
                    HasSubstr("load of 'in[i * 32]', once 'in[i]': 4 -> 32 "
                              "sectors per request")));
}

} // namespace
