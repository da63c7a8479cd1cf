// What a warp of a kernel waits for.
#include "cost/kernel_time.h"
#include "read_text.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace warplint;

static double cyclesOf(const std::string &text) {
  const SourceModel model = readText(text);
  const CostedKernel kernel = costed(model.kernels.at(0));
  return timeOf(kernel, kernel.shapes[0]).cyclesPerWarp();
}

// The loop waits for the pointer, then for the data; not for the pointer alone
// once it is loaded before.
TEST(KernelLatency, APointerThatIsLoadedOnceCostsNoMore) {
  auto cycles = [&](const std::string &before, const std::string &pointer) {
    return cyclesOf("struct S { float *a, *c; };\n"
                    "__global__ void k(S *s, int n) {\n" +
                    before +
                    "  for (int i = 0; i < n; ++i)\n"
                    "    s->a[i * 256 + threadIdx.x] = " +
                    pointer +
                    "[i * 256 + threadIdx.x] + 1;\n"
                    "}\n"
                    "int main() { k<<<1, 256>>>(0, 1000); }\n");
  };
  EXPECT_LT(cycles("  float *c = s->c;\n", "c"), cycles("", "s->c"));
}

TEST(KernelLatency, ALoadWaitsForItsIndex) {
  auto cycles = [&](const std::string &index) {
    return cyclesOf("__global__ void k(float *out, const float *a,\n"
                    "                  const int *at, int n) {\n"
                    "  float s = 0;\n"
                    "  for (int i = 0; i < n; ++i) s += a[" +
                    index +
                    "] + at[i * 32];\n"
                    "  out[threadIdx.x] = s;\n"
                    "}\n"
                    "int main() { k<<<1, 32>>>(0, 0, 0, 1000); }\n");
  };
  EXPECT_GT(cycles("at[i * 32] * 64"), 1.5 * cycles("i * 64"));
}

// In each iteration of all loops around it, and however many are in one.
TEST(KernelLatency, EachBarrierIsWaitedFor) {
  auto cycles = [&](const std::string &body) {
    return cyclesOf("__global__ void k(float *out) {\n"
                    "  for (int i = 0; i < 100; ++i)\n"
                    "    for (int j = 0; j < 10; ++j) {\n" +
                    body +
                    "    }\n"
                    "  out[threadIdx.x] = 1;\n"
                    "}\n"
                    "int main() { k<<<1, 256>>>(0); }\n");
  };
  const double none = cycles(""), one = cycles("__syncthreads();"),
               two = cycles("__syncthreads(); __syncthreads();");
  EXPECT_GT(one, none + 2000);
  EXPECT_GT(two, one + 2000);
}

// All warps of an SM need the same sector next: none has work meanwhile. What
// L1 holds since the first blocks is not waited for.
TEST(KernelLatency, NothingCoversAWaitThatAllWarpsShare) {
  auto share = [&](const std::string &index, const std::string &bound) {
    const SourceModel model = readText(
        "__global__ void k(float *out, const float *a, int n) {\n"
        "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  float x = out[t], s = 0;\n"
        "  for (int i = 0; i < " +
        bound + "; ++i) {\n    float d = a[" + index +
        "] - x;\n"
        "    s += d * d * d + d * x + s * d * (d - x) + s * x * (s - d);\n"
        "  }\n"
        "  out[t] = s;\n"
        "}\n"
        "void run(float *x, int n) { k<<<n / 256, 256>>>(x, x, n); }\n");
    const CostedKernel kernel = costed(model.kernels.at(0));
    const KernelTime &time = timeOf(kernel, kernel.shapes[0]);
    const std::vector<Access> &all = kernel.kernel.accesses;
    const unsigned inLoop =
        llvm::find_if(
            all, [](const Access &access) { return !access.loops.empty(); }) -
        all.begin();
    return time.share(time.of(inLoop).waits());
  };
  EXPECT_GT(share("i * 4", "n"), 0.1);
  EXPECT_LT(share("i * 4", "2000"), 0.05);
}
