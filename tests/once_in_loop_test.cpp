// How often a loop executes what each lane does once, of kernels as users write
// them.
#include "cost/once_in_loop.h"
#include "frequency_of.h"

using namespace warplint;

namespace {

struct OnceInLoop : FrequencyOf {
  /// The executions of the store by a warp, in a loop of 512 iterations over
  /// `k` whose body is `body`, with `d2` of the lane and iteration.
  double executions(const std::string &body,
                    const std::string &before = "int cnt = 0;",
                    const std::string &index = "k * 16384 + t") {
    const auto found =
        stores("__global__ void k(const float *d, float radius, int *out) {\n"
               "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
               before +
               "\n  for (int k = 0; k < 512; ++k) {\n"
               "    float d2 = d[" +
               index + "];\n" + body +
               "  }\n}\n"
               "int main() { k<<<64, 256>>>(0, 0.1f, 0); }\n");
    return found.empty() ? -1 : found[0].perWarp;
  }
};

/// Of 32 lanes, whose iterations may be the same.
const double ofWarp = 512 * (1 - std::pow(1 - 1 / 512., 32));

} // namespace

// OpenPCDet's ball_query: 93 % of the time were told for a loop that each
// thread executes once.
TEST_F(OnceInLoop, ACounterHasItsFirstValueOnce) {
  EXPECT_NEAR(executions("    if (d2 < radius) {\n"
                         "      if (cnt == 0) out[t] = k;\n"
                         "      ++cnt;\n"
                         "    }\n"),
              ofWarp, 1e-6);
  EXPECT_NEAR(executions("    if (d2 < radius) {\n"
                         "      if (cnt == 0)\n"
                         "        for (int l = 0; l < 4; ++l)\n"
                         "          out[t * 4 + l] = k;\n"
                         "      ++cnt;\n"
                         "    }\n"),
              4 * ofWarp, 1e-6);
  // The loop may end earlier.
  EXPECT_LT(executions("    if (d2 < radius) {\n"
                       "      if (cnt == 0) out[t] = k;\n"
                       "      if (++cnt >= 16) break;\n"
                       "    }\n"),
            ofWarp);
}

TEST_F(OnceInLoop, AFlagIsSetOnce) {
  EXPECT_NEAR(executions("    if (d2 < radius && !found) {\n"
                         "      out[t] = k;\n"
                         "      found = true;\n"
                         "    }\n",
                         "bool found = false;"),
              ofWarp, 1e-6);
  EXPECT_NEAR(executions("    if (isFirst && d2 < radius) {\n"
                         "      out[t] = k;\n"
                         "      isFirst = false;\n"
                         "    }\n",
                         "bool isFirst = true;"),
              ofWarp, 1e-6);
}

TEST_F(OnceInLoop, OneCounterOfAllLanesHasItOnce) {
  EXPECT_NEAR(executions("    if (d2 < radius) {\n"
                         "      if (cnt == 0) out[t] = k;\n"
                         "      ++cnt;\n"
                         "    }\n",
                         "int cnt = 0;", "k"),
              1, 1e-6);
}

// The store of a loop around it is done once for both.
TEST_F(OnceInLoop, ACounterThatGoesOnInTheNextLoop) {
  EXPECT_LE(executions("    for (int j = 0; j < 8; ++j)\n"
                       "      if (d[j * 512 + int(d2)] < radius) {\n"
                       "        if (cnt == 0) out[t] = k;\n"
                       "        ++cnt;\n"
                       "      }\n"),
            8 * ofWarp);
}

// A counter that stays as it is, goes back, or begins again.
TEST_F(OnceInLoop, OtherVariablesMayHaveTheirFirstValueAgain) {
  // What lets the code run changes nothing.
  EXPECT_NEAR(executions("    if (cnt == 0) out[t] = k;\n"
                         "    if (d2 < radius) ++cnt;\n"),
              512, 1e-6);
  EXPECT_NEAR(executions("    if (d2 < radius) {\n"
                         "      if (cnt == 0) out[t] = k;\n"
                         "      ++cnt;\n"
                         "    } else if (d2 > 3) cnt = 0;\n"),
              512, 1e-6);
  EXPECT_NEAR(executions("    if (d2 < radius) {\n"
                         "      if (cnt == 0) out[t] = k;\n"
                         "      ++cnt;\n"
                         "    } else --cnt;\n"),
              512, 1e-6);
  EXPECT_NEAR(executions("    if (d2 < radius) {\n"
                         "      if (cnt == 3) out[t] = k;\n"
                         "      if (d2 > 3) ++cnt;\n"
                         "    }\n",
                         "int cnt = 3;"),
              512, 1e-6);
  // A narrow one begins again.
  EXPECT_NEAR(executions("    if (d2 < radius) {\n"
                         "      if (cnt == 0) out[t] = k;\n"
                         "      cnt += 64;\n"
                         "    }\n",
                         "unsigned char cnt = 0;"),
              512, 1e-6);
  EXPECT_NEAR(executions("    if (d2 < radius) {\n"
                         "      if ((unsigned char)cnt == 0) out[t] = k;\n"
                         "      cnt += 16;\n"
                         "    }\n"),
              512, 1e-6);
  // That of a loop inside goes back to that of the loop.
  EXPECT_NEAR(executions("    int c = cnt;\n"
                         "#pragma unroll 1\n"
                         "    for (int j = 0; j < 8; ++j) {\n"
                         "      float e = d[j * 512 + int(d2)];\n"
                         "      if (c == 0) {\n"
                         "        if (e < radius) { out[t] = k; c = 1; }\n"
                         "      } else if (e > 3) c = cnt;\n"
                         "    }\n"
                         "    if (d2 > 7) cnt = c;\n"),
              8 * 512, 1e-6);
}

// The store had 44 % for "each time the same element", and 1 % for its stride.
TEST_F(OnceInLoop, WhatIsWrittenOnceIsNotWrittenAgainAndAgain) {
  auto isDone = [&](const std::string &change) {
    const Kernel kernel =
        readText("__global__ void k(const float *d, int *out) {\n"
                 "  int t = threadIdx.x, cnt = 0;\n"
                 "  for (int k = 0; k < 512; ++k)\n"
                 "    if (d[k * 1024 + t] < 1) {\n"
                 "      if (cnt == 0) out[t * 33] = k;\n" +
                 change + "    }\n}\n")
            .kernels.at(0);
    const Access &store =
        *llvm::find_if(kernel.accesses, [](const Access &one) {
          return one.operation == Operation::Store;
        });
    return isDoneOnce(kernel, store, store.loops.back());
  };
  EXPECT_TRUE(isDone("      ++cnt;\n"));
  EXPECT_FALSE(isDone("      cnt ^= 1;\n"));
}
