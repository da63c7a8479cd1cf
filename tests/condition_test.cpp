// Tests what confirmed findings rest on, in kernels as people write them.
#include "findings/condition.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// The conditions of all findings of the check in the source's only kernel.
std::vector<std::string> conditions(const std::string &source,
                                    const char *id = "strided-global-access",
                                    bool ofCode = false) {
  SourceModel model = readText(source);
  Check check = *findCheck(id);
  check.info.ofCode |= ofCode;
  const CostedKernel kernel = costed(model.kernels.front());
  std::vector<Finding> all;
  Findings findings(check.info, kernel.kernel, all);
  check.inspect(kernel, findings);
  Conditions conditions(kernel);
  std::vector<std::string> result;
  for (const Finding &finding : all)
    result.push_back(
        conditions.of(finding, finding.kernels.front().subject, check));
  return result;
}

using Texts = std::vector<std::string>;

// A user who passes 1 must see that the finding is not about that launch.
TEST(Condition, NamesTheSizeAndItsBound) {
  EXPECT_EQ(conditions("__global__ void k(float *a, int ld) { "
                       "a[threadIdx.x * ld] = 1; }"),
            Texts{"'ld' is above 1 (8 sectors at 2, 32 from 8 on)"});
  EXPECT_EQ(conditions("struct P { float *a; int ld; };\n"
                       "__global__ void k(P p) { p.a[threadIdx.x * p.ld] = 1; "
                       "}"),
            Texts{"'p.ld' is above 1 (8 sectors at 2, 32 from 8 on)"});
}

// A row of bytes that begins anywhere touches one sector more than it needs,
// which is no stride: warp's grids, whose tables hold the size of an element.
TEST(Condition, AnOffsetIsNoStride) {
  EXPECT_EQ(conditions("struct Sizes { unsigned element, node; };\n"
                       "__constant__ Sizes sizes[4];\n"
                       "__global__ void k(unsigned char *a, int type, int at) "
                       "{ a[sizes[type].node + threadIdx.x * "
                       "sizes[type].element] = 1; }"),
            Texts{"'sizes[type].element' or 'sizes[type].node' is large"});
}

// A user who passes 3 has no conflict, and one who passes 8 has.
TEST(Condition, NamesADivisorOfTheSize) {
  auto ofShared = [](const char *type, const char *index) {
    return conditions(std::string("__global__ void k(float *a, int ld) { "
                                  "__shared__ ") +
                          type + " s[4096]; s[" + index +
                          "] = 1; __syncthreads(); a[threadIdx.x] = s[0]; }\n"
                          "void run(float *a, int n) { k<<<1, 128>>>(a, n); }",
                      "shared-bank-conflict");
  };
  EXPECT_EQ(ofShared("float", "threadIdx.x * ld"), Texts{"'ld' is even"});
}

// Rows of 1000 meet as those of 1024 do.
TEST(Condition, OfADivisorIsNoMatterOfMultiples) {
  EXPECT_EQ(conditions("__global__ void k(float *sums, int length) { "
                       "atomicAdd(&sums[(blockIdx.x * 256 + threadIdx.x) / "
                       "length], 1.5f); }\n"
                       "void run(float *a, int n, int g) { k<<<g, 256>>>(a, n);"
                       " }",
                       "contended-atomic"),
            Texts{"'length' is above 23"});
}

// Who runs the other mode would look for the loss in vain.
TEST(Condition, NamesWhatSelectsAnAddress) {
  auto ofStride = [](const char *parameter, const char *stride) {
    return conditions(std::string("__global__ void k(float *a, ") + parameter +
                      ") { int s; " + stride + " a[threadIdx.x * s] = 1; }");
  };
  EXPECT_EQ(ofStride("int mode", "switch (mode) { case 0: s = 1; break; "
                                 "case 1: s = 8; break; default: s = 32; }"),
            Texts{"'mode' is not 0"});
  EXPECT_EQ(ofStride("bool t", "s = t ? 8 : 1;"), Texts{"'t' is not 0"});
  EXPECT_EQ(ofStride("float thr", "s = thr > 0.5f ? 4 : 1;"),
            Texts{"'thr' selects this address"});
}

TEST(Condition, IsNoneWhereTheLaunchOrTheCodeSays) {
  EXPECT_EQ(conditions("__global__ void k(float *a, int ld) { "
                       "a[threadIdx.x * ld] = 1; }\n"
                       "void run(float *a) { k<<<1, 256>>>(a, 64); }"),
            Texts{""});
  EXPECT_EQ(conditions("__global__ void k(float *a, int n) { "
                       "a[n + threadIdx.x * 32] = 1; }"),
            Texts{""});
}

// Who runs the program with more elements would look for the loss in vain.
TEST(Condition, NamesADefaultOfTheProgram) {
  auto ofGrid = [](const std::string &grid, bool ofCode = false) {
    return conditions("extern \"C\" int atoi(const char *);\n"
                      "__global__ void k(float *a, int n) { "
                      "for (int i = blockIdx.x * 256 + threadIdx.x; i < n; "
                      "i += 256 * gridDim.x) a[i] += 1; }\n"
                      "int main(int argc, char **argv) { float *a; "
                      "int n = argc > 1 ? atoi(argv[1]) : 1 << 24; k<<<" +
                          grid + ", 256>>>(a, n); }",
                      "small-grid", ofCode);
  };
  EXPECT_EQ(ofGrid("n / (1 << 20)"), Texts{"n = 16777216"});
  // A division is one whatever the sizes are, though others cost more then.
  EXPECT_EQ(ofGrid("n / (1 << 20)", /*ofCode=*/true), Texts{""});
  EXPECT_TRUE(findCheck("costly-division")->info.ofCode);
  EXPECT_EQ(ofGrid("16"), Texts{""}) << "it is small for all of them";
}

TEST(Condition, NamesAnAssumedBlock) {
  EXPECT_EQ(conditions("__global__ void k(float *a) { __shared__ float s[64]"
                       "[64]; s[threadIdx.x][threadIdx.y] = a[0]; "
                       "__syncthreads(); a[threadIdx.x + threadIdx.y] = "
                       "s[0][threadIdx.x]; }",
                       "shared-bank-conflict"),
            Texts{""});
  EXPECT_EQ(
      conditions("__global__ void k(float *a) { __shared__ float s[1088]; "
                 "s[threadIdx.x * 2 + threadIdx.y] = a[0]; "
                 "__syncthreads(); a[threadIdx.x + threadIdx.y] = "
                 "s[threadIdx.x]; }",
                 "shared-bank-conflict"),
      Texts{"blocks have 32 or more threads along x"});
}

} // namespace

} // namespace warplint
