// Which loops load ahead, and what keeps others from it.
#include "cost/kernel_time.h"
#include "cost/load_ahead.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct LoadAhead : testing::Test {
  SourceModel model;
  std::optional<CostedKernel> kernel;

  /// True if the loop around `body` loads ahead.
  bool isAhead(const std::string &body, const std::string &pragma = "",
               const std::string &head = "int k = 0; k < n; ++k") {
    model = readText("__global__ void k(const float *a, float *out, int n,\n"
                     "                  float e) {\n"
                     "  __shared__ unsigned bins[1024];\n"
                     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                     "  float s = 0;\n" +
                     pragma + "\n  for (" + head + ") {\n" + body +
                     "  }\n"
                     "  out[i] = s;\n"
                     "}\n");
    kernel.emplace(costed(model.kernels.at(0)));
    return isLoadedAhead(kernel->kernel, kernel->shapes[0], 0);
  }
  /// The share of the kernel's time that its slow operations wait.
  double waits() {
    const KernelTime &time = timeOf(*kernel, kernel->shapes[0]);
    Demand all;
    for (const Computation &operation : kernel->kernel.operations)
      all += waitsBehind(kernel->kernel, kernel->shapes[0], time, operation);
    return time.share(all);
  }
};

} // namespace

TEST_F(LoadAhead, ASumOfLoadsIs) {
  EXPECT_TRUE(isAhead("s += a[k * n + i];"));
  EXPECT_EQ(waits(), 0);
}

TEST_F(LoadAhead, APragmaMayForbidCopies) {
  EXPECT_FALSE(isAhead("s += a[k * n + i];", "#pragma unroll 1"));
  EXPECT_TRUE(isAhead("s += a[k * n + i];", "#pragma unroll 4"));
}

TEST_F(LoadAhead, AStoreMayChangeTheNextElement) {
  EXPECT_FALSE(isAhead("s += a[k * n + i]; out[k * n + i] = s;"));
}

// A barrier waits for what is stored before it. Sums need no store: colmap's
// search of the largest of each row takes 81 microseconds on an H200, where
// loads one after the other would take 172.
TEST_F(LoadAhead, ABarrierWaitsForWhatIsStored) {
  EXPECT_FALSE(isAhead("bins[i & 1023] = a[k * n + i]; __syncthreads();"));
  EXPECT_TRUE(isAhead("s += a[k * n + i]; __syncthreads();"));
  // The last store may leave the loop.
  EXPECT_FALSE(isAhead("s += a[k * n + i]; out[i] = s; __syncthreads();"));
  std::vector<unsigned> stores;
  for (unsigned i = 0; i < kernel->kernel.accesses.size(); ++i)
    if (kernel->kernel.accesses[i].operation == Operation::Store)
      stores.push_back(i);
  EXPECT_TRUE(isLoadedAhead(kernel->kernel, kernel->shapes[0], 0, stores));
}

// `if (a[k] < 0) break;`: the next load waits for it.
TEST_F(LoadAhead, ALoopThatItsDataEndIsNot) {
  EXPECT_FALSE(isAhead("s += a[k * n + i]; if (s > e) break;"));
  EXPECT_FALSE(isAhead("s += a[k];", "", "int k = 0; a[k] > 0; ++k"));
  EXPECT_TRUE(isAhead("s += a[k * n + i];", "", "int k = 0; k < a[i]; ++k"));
}

// A histogram takes 229 microseconds on an H200 with a division per element,
// and 198 with a product, which is copied no more than the division.
TEST_F(LoadAhead, StepsOfTheGridAreNotCopiedWithAnAtomicOrAShuffle) {
  const std::string grid =
      "int k = i, all = gridDim.x * blockDim.x; k < n; k += all";
  for (const char *body :
       {"atomicAdd(&bins[int(a[k]) & 1023], 1u);",
        "s += __shfl_xor_sync(~0u, a[k], 1);",
        "s += __ballot_sync(~0u, a[k] > 0);", "s += a[k]; __threadfence();"}) {
    EXPECT_FALSE(isAhead(body, "", grid)) << body;
    EXPECT_TRUE(isAhead(body, "", "int k = i; k < n; k += 256")) << body;
  }
  EXPECT_TRUE(isAhead("s += a[k];", "", grid));
}

// An unsigned step may let the counter wrap around, so nvcc makes no copies: a
// sum over rows of 25,600 floats, in 66 blocks of 256 threads, takes 19.4
// microseconds on an H200, and 7.3 with the step in an 'int'.
TEST_F(LoadAhead, ALoopWithAnUnsignedStepIsNot) {
  for (const char *step : {"blockDim.x", "gridDim.x * blockDim.x"})
    EXPECT_FALSE(
        isAhead("s += a[k];", "",
                "int k = threadIdx.x; k < n; k += " + std::string(step)))
        << step;
  EXPECT_TRUE(
      isAhead("s += a[k];", "",
              "int k = threadIdx.x, all = blockDim.x; k < n; k += all"));
  EXPECT_TRUE(isAhead("s += a[k];", "",
                      "long k = threadIdx.x; k < n; k += 1ul * blockDim.x * "
                      "gridDim.x"));
}

// An H200 takes 683 microseconds for the division, 687 for the root, 805 for
// the sine, and 404 for a product.
TEST_F(LoadAhead, TheBranchOfAnExactOperationKeepsLoadsBehindIt) {
  for (const char *exact :
       {"a[k * n + i] / e", "sqrtf(a[k * n + i])", "sinf(a[k * n + i])"}) {
    EXPECT_FALSE(isAhead("s += " + std::string(exact) + ";")) << exact;
    EXPECT_GT(waits(), 0.2) << exact;
    EXPECT_LT(waits(), 0.6) << exact;
  }
}

// Each step of a list waits for the one before, with the branch and without.
TEST_F(LoadAhead, ALoadThatFollowsDataWaitsForNoBranch) {
  EXPECT_FALSE(isAhead("i = int(a[i]); s += a[i * n] / e;"));
  EXPECT_EQ(waits(), 0);
}

TEST_F(LoadAhead, ShortFormsHaveNoBranch) {
  EXPECT_TRUE(isAhead("s += __fdividef(a[k * n + i], e);"));
  EXPECT_TRUE(isAhead("s += a[k * n + i] / 4.0f;"));
  EXPECT_TRUE(isAhead("s += rsqrtf(a[k * n + i]);"));
}

TEST_F(LoadAhead, AQuotientThatStaysTheSameIsComputedBefore) {
  EXPECT_TRUE(isAhead("s += a[k * n + i] * (e / n);"));
}

// '__restrict__' gains 1.03x in `a[i] *= b[i]` with the stride of the grid.
TEST_F(LoadAhead, ALoadOfWhatTheLoopWritesWaitsForTheStore) {
  auto waitsIn = [&](const std::string &step, const std::string &statement) {
    model = readText("__global__ void k(float *a, const float *b, int n) {\n"
                     "  for (int i = threadIdx.x; i < n; i += " +
                     step + ")\n    " + statement + "\n}\n");
    kernel.emplace(costed(model.kernels.at(0)));
    return waitsForOwnStore(kernel->kernel, kernel->shapes[0], 0);
  };
  EXPECT_TRUE(waitsIn("blockDim.x * gridDim.x", "a[i] *= b[i];"));
  EXPECT_FALSE(waitsIn("256", "a[i] *= b[i];"));
  EXPECT_FALSE(waitsIn("blockDim.x * gridDim.x", "a[i] = b[i];"));
}

// The copies of four iterations wait once; two iterations are too few for them:
// `serial-accumulation` promised 1.5x where a loop has as many as that, and the
// cure gave 0.91x.
TEST(LoadedTogether, ShortLoopsHaveNoneTogether) {
  EXPECT_EQ(loadedTogether(2, false), 1);
  EXPECT_GT(loadedTogether(8, false), 2);
  EXPECT_NEAR(loadedTogether(512, false), loadsAhead, 0.1);
  EXPECT_EQ(loadedTogether(4, true), 4) << "nvcc knows that nothing is left";
}

// Sums of columns took half of the time that was said: ptxas 13.0 has 16 loads
// under way, not the four copies that the compiler makes.
TEST_F(LoadAhead, ShortBodiesAreCopiedTwice) {
  auto together = [&](const std::string &body,
                      const std::string &head = "int k = 0; k < n; ++k") {
    EXPECT_TRUE(isAhead(body, "", head)) << body;
    return timeOf(*kernel, kernel->shapes[0]).togetherIn(0);
  };
  EXPECT_GT(together("s += a[k];"), 7);
  EXPECT_GT(together("s += a[k * n + i];"), 7);
  EXPECT_GT(together("s += a[k * 3 + i] * a[k] + a[k + n];"), 7);
  EXPECT_NEAR(together("s += a[k * 64 + i];"), 4, 0.5);
  EXPECT_GT(together("s += a[int(a[k])];"), 7);
  EXPECT_NEAR(together("s += a[k * n + threadIdx.x];"), 4, 0.5) << "may wrap";
  EXPECT_LT(together("s += a[k];", "int k = i; k < n; k += int(e)"), 4);
  EXPECT_NEAR(together("float v = a[k]; for (int j = 0; j < 16; ++j)"
                       " v = v * v + e; s += v;"),
              4, 0.5);
}

// nvcc begins with 16 loads of a loop of 64 iterations, and with four of one
// that only the run ends.
TEST(LoadedTogether, MoreAreUnderWayInALoopOfKnownLength) {
  EXPECT_EQ(loadedTogether(64, true, loadsAheadIfKnown), 16);
  EXPECT_EQ(loadedTogether(8, true, loadsAheadIfKnown), 8);
}
