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

// Loads of one element for all lanes, which each iteration adds up, by 132
// blocks of 256 threads: an H200 took 92 cycles for each float, and 201 for each
// float4. A wait for a sector is one of the whole iteration.
TEST(KernelLatency, AnIterationWaitsForTheSectorThatItBegins) {
  auto cycles = [&](const std::string &type, const std::string &sum) {
    const double all =
        cyclesOf("__global__ void k(const " + type +
                 " *a, float *out, int n) {\n"
                 "  float s = 0;\n"
                 "#pragma unroll 1\n"
                 "  for (int i = 0; i < n; ++i) {\n    " +
                 type + " v = a[i];\n    s += " + sum +
                 ";\n  }\n"
                 "  out[blockIdx.x * blockDim.x + threadIdx.x] = s;\n"
                 "}\n"
                 "int main() { k<<<132, 256>>>(0, 0, 32768); }\n");
    return all * 8 / 32768;
  };
  EXPECT_NEAR(cycles("float", "v"), 92, 30);
  EXPECT_NEAR(cycles("float4", "v.x + v.y + v.z + v.w"), 201, 60);
}

// Four iterations that wait together wait for a sector that one of them begins
// as long as one alone.
TEST(KernelLatency, IterationsTogetherWaitForEachSectorOnce) {
  auto latency = [&](unsigned words) {
    const SourceModel model =
        readText("__global__ void k(const float *a, float *out, int n) {\n"
                 "  float s = 0;\n"
                 "#pragma unroll 4\n"
                 "  for (int i = 0; i < n; ++i) s += a[i * " +
                 std::to_string(words) +
                 "];\n"
                 "  out[threadIdx.x] = s;\n"
                 "}\n"
                 "int main() { k<<<1, 32>>>(0, 0, 65536); }\n");
    const CostedKernel kernel = costed(model.kernels.at(0));
    return timeOf(kernel, kernel.shapes[0]).total().together;
  };
  EXPECT_NEAR(latency(8) / latency(16), 1, 0.01)
      << "four sectors are there as soon as four pieces of DRAM";
  EXPECT_NEAR(latency(1) / latency(2), 0.5, 0.01)
      << "a sector in each four iterations, and in each eight";
}

// A step along a list took an H200 374 cycles, whatever the loop's copies.
TEST(KernelLatency, AStepAlongAListWaitsForTheOneBefore) {
  auto cycles = [&](const std::string &next) {
    return cyclesOf("__global__ void k(const int *next, int *out, int n) {\n"
                    "  int at = threadIdx.x, sum = 0;\n"
                    "  for (int i = 0; i < n; ++i) {\n" +
                    next +
                    "  }\n"
                    "  out[threadIdx.x] = at + sum;\n"
                    "}\n"
                    "int main() { k<<<1, 32>>>(0, 0, 1024); }\n");
  };
  EXPECT_GT(cycles("    at = next[at];\n"),
            2.5 * cycles("    sum += next[i * 1024 + threadIdx.x];\n"));
  EXPECT_GT(cycles("    at = next[at];\n") / 1024, 374);
}

// nvcc begins with all loads of two short loops around each other.
TEST(KernelLatency, LoadsOfLoopsOfKnownLengthAreOneRun) {
  auto latency = [&](unsigned rows) {
    const SourceModel model =
        readText("__global__ void k(const float *a, float *out, int n) {\n"
                 "  float s = 0;\n"
                 "  for (int i = 0; i < " +
                 std::to_string(rows) +
                 "; ++i)\n"
                 "    for (int j = 0; j < 4; ++j)\n"
                 "      s += a[(i * 4 + j) * n + threadIdx.x];\n"
                 "  out[threadIdx.x] = s;\n"
                 "}\n"
                 "int main() { k<<<1, 32>>>(0, 0, 4096); }\n");
    const CostedKernel kernel = costed(model.kernels.at(0));
    double sum = 0;
    for (unsigned i = 0; i < kernel.kernel.accesses.size(); ++i)
      sum += timeOf(kernel, kernel.shapes[0]).of(i).latency;
    return sum;
  };
  EXPECT_NEAR(latency(4) / latency(1), 1, 0.01);
  EXPECT_NEAR(latency(16) / latency(1), 4, 0.1);
}

// HeCBench's chacha20 waits for its own array: four loads are made at once, as
// they were measured, not the sixteen of sums over global memory.
TEST(KernelLatency, LoadsOfALocalArrayAreMadeFourAtOnce) {
  const SourceModel model = readText(
      "__global__ void k(float *out, const int *at) {\n"
      "  float row[64], s = 0;\n"
      "  for (int i = 0; i < 64; ++i) row[at[i]] = i;\n"
      "  int begin = at[threadIdx.x];\n"
      "  for (int i = 0; i < 32; ++i) s += row[(begin + i) & 63];\n"
      "  out[threadIdx.x] = s;\n"
      "}\n"
      "int main() { k<<<1, 32>>>(0, 0); }\n");
  const CostedKernel kernel = costed(model.kernels.at(0));
  const KernelTime &time = timeOf(kernel, kernel.shapes[0]);
  double waits = 0;
  for (unsigned i = 0; i < model.kernels[0].accesses.size(); ++i)
    if (model.kernels[0].accesses[i].object == "row")
      waits = std::max(waits, time.of(i).latency);
  EXPECT_GE(waits, 32 / 4.0 * 30);
}

// Rows of three floats, of which each begins another sector than the one
// before every third time: four of them wait for L2 once, not for a third of a
// row (an H200 took 94 cycles a row with the copies of four).
TEST(KernelLatency, RowsThatAreUnderWayTogetherBeginSectorsEach) {
  const SourceModel model =
      readText("__global__ void k(const float *a, float *out) {\n"
               "  float s = 0;\n"
               "  for (int i = 0; i < 10000; ++i)\n"
               "    for (int j = 0; j < 3; ++j) s += a[i * 3 + j] * j;\n"
               "  out[blockIdx.x * 64 + threadIdx.x] = s;\n"
               "}\n"
               "int main() { k<<<132, 64>>>(0, 0); }\n");
  const CostedKernel kernel = costed(model.kernels.at(0));
  double waits = 0;
  for (unsigned i = 0; i < kernel.kernel.accesses.size(); ++i) {
    const Demand &one = timeOf(kernel, kernel.shapes[0]).of(i);
    waits += one.latency + one.together;
  }
  EXPECT_NEAR(waits / 10000, 94 - 36, 20); // less its dependent sums
}
