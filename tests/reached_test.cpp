// The objects that accesses reach: what is written is not read-only.
#include "cost/costed.h"
#include "cost/reached.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// Returns true if the kernel writes 'in', which its first access loads.
bool isWritten(const std::string &body) {
  const SourceModel model = readText(
      "__global__ void k(float *in, float *out, const int *at, int n) {\n"
      "  float x = in[threadIdx.x];\n" +
      body + "}\n");
  const Kernel &kernel = model.kernels.at(0);
  const CostedKernel costs = costed(kernel);
  return writesObjectOf(kernel, costs.shapes[0], 0);
}

} // namespace

TEST(Reached, AnAccessReachesTheObjectOfItsLanes) {
  const SourceModel model =
      readText("__global__ void k(float *a, float *b) {\n"
               "  __shared__ float tile[256];\n"
               "  tile[threadIdx.x] = a[threadIdx.x] + a[4096 + threadIdx.x];\n"
               "  b[threadIdx.x] = tile[threadIdx.x ^ 1];\n"
               "  if (threadIdx.x > 2000) b[0] = 0;\n"
               "}\n");
  const Kernel &kernel = model.kernels.at(0);
  const CostedKernel costs = costed(kernel);
  std::map<std::string, std::set<uint64_t>> objects;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (const auto object = objectOf(costs.shapes[0].costs[i]))
      objects[kernel.accesses[i].object].insert(*object);
  EXPECT_EQ(objects["a"].size(), 1u);
  EXPECT_EQ(objects["b"].size(), 1u);
  EXPECT_EQ(objects["tile"].size(), 1u);
  EXPECT_NE(objects["a"], objects["b"]);
  EXPECT_EQ(objectOf(Cost()), std::nullopt);
}

TEST(Reached, AWriteToTheSameArrayIsFound) {
  EXPECT_TRUE(isWritten("  in[threadIdx.x + 7 * n] = x;\n"));
  EXPECT_TRUE(isWritten("  atomicAdd(in, x);\n"));
  EXPECT_FALSE(isWritten("  out[threadIdx.x] = x;\n"));
}

// The address is data, its array is not.
TEST(Reached, AWriteAtAnUnknownPlaceOfTheArrayIsFound) {
  EXPECT_TRUE(isWritten("  in[at[threadIdx.x]] = x;\n"));
  EXPECT_FALSE(isWritten("  out[at[threadIdx.x]] = x;\n"));
}

TEST(Reached, AKernelThatWritesNothingOnlyPrints) {
  auto prints = [](const std::string &body, bool withToolkit = false) {
    return onlyPrints(readText("extern \"C\" int printf(const char *, ...);\n"
                               "__global__ void k(float *x, int n) {\n"
                               "  __shared__ float s[4];\n"
                               "  s[0] = x[0];\n"
                               "  for (int i = 0; i < n; ++i) {\n" +
                               body + "  }\n}\n",
                               withToolkit)
                          .kernels.at(0));
  };
  EXPECT_TRUE(prints("printf(\"%f\", x[i]);\n"));
  EXPECT_FALSE(prints("printf(\"%f\", x[i]); x[i] = 0;\n"));
  EXPECT_FALSE(prints("atomicAdd(x, 1.f);\n"));
  if (hasToolkit()) {
    EXPECT_FALSE(prints("surf1Dwrite(1, cudaSurfaceObject_t(n), i * 4);\n",
                        /*withToolkit=*/true));
  }
}
