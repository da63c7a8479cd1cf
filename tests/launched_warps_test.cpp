// The warps of a launch, where some of its arguments are unknown.
#include "frequency_of.h"

using namespace warplint;

using LaunchedWarps = FrequencyOf;

TEST_F(LaunchedWarps, AGridIsKnownWhereOtherArgumentsAreNot) {
  stores("__global__ void k(int *out, int n) {\n"
         "  for (int i = 0; i < n; ++i) out[threadIdx.x + i * 256] = i;\n"
         "}\n"
         "void run(int n) { k<<<3, 64>>>(0, n); }\n");
  const Kernel &kernel = model.kernels.at(0);
  EXPECT_EQ(Frequencies(kernel, kernel.shapes[0]).warps(), 6);
}

// A grid that waits for all its blocks has no more than the GPU holds: it was
// taken for five times as large.
TEST_F(LaunchedWarps, ACooperativeGridFillsTheGpu) {
  auto warps = [&](const std::string &launch) {
    model = readText("__global__ void k(int *out, int n) {\n"
                     "  for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
                     "    out[i] = i;\n"
                     "}\n"
                     "void run(int *out, int n, int blocks) {\n"
                     "  void *packed[] = {&out, &n};\n  " +
                     launch + "\n}\n");
    return Frequencies(model.kernels[0], model.kernels[0].shapes[0]).warps();
  };
  const std::string cooperative = "cudaLaunchCooperativeKernel((void *)k, ",
                    plain = "cudaLaunchKernel((void *)k, ";
  EXPECT_EQ(warps(cooperative + "blocks, 256, packed);"), 132 * 6 * 8);
  EXPECT_EQ(warps(cooperative + "64, 256, packed);"), 64 * 8);
  EXPECT_EQ(warps(plain + "blocks, 256, packed);"), std::nullopt);
}

// cuda-samples' matrixMul lets '-n 512' change its size. Without this, no
// kernel of a program with options has a predicted time.
TEST_F(LaunchedWarps, TheDefaultOfAProgramIsItsGrid) {
  auto warps = [&](const std::string &size) {
    model = readText("int atoi(const char *);\n"
                     "__global__ void k(int *out) { out[threadIdx.x] = 1; }\n"
                     "int main(int argc, char **argv) { int n = " +
                     size +
                     "; if (argc > 1) n = atoi(argv[1]);"
                     "k<<<n, 256>>>(0); }\n");
    return Frequencies(model.kernels[0], model.kernels[0].shapes[0]).warps();
  };
  EXPECT_EQ(warps("640"), 640 * 8);
  EXPECT_EQ(warps("1"), std::nullopt);
  EXPECT_EQ(warps("atoi(argv[0])"), std::nullopt);
}
