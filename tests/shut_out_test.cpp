// Code that no thread of a launch gets to costs nothing there.
#include "cost/lanes.h"
#include "frequency_of.h"

using namespace warplint;

struct ShutOutTest : FrequencyOf {
  /// How often the only store executes, of `k` with a parameter `mode`.
  double inMode(const std::string &body, const std::string &launches) {
    const auto found =
        stores("struct Span { int *p; int n; };\n"
               "__global__ void k(int *out, int mode, Span span) {\n" +
               body + "}\nvoid f(Span s, int n) { " + launches + " }\n");
    return found.size() == 1 ? found[0].perWarp : -1;
  }
};

// Not one block's work: 42 % of a kernel were told of code that never runs.
TEST_F(ShutOutTest, ABranchThatTheLaunchDoesNotTakeIsNeverExecuted) {
  const std::string body = "if (mode == 2) out[threadIdx.x] = 1;\n";
  EXPECT_EQ(inMode(body, "k<<<64, 256>>>(s.p, 1, s);"), 0);
  EXPECT_EQ(inMode(body, "k<<<64, 256>>>(s.p, 2, s);"), 1);
  EXPECT_GT(inMode(body, "k<<<64, 256>>>(s.p, n, s);"), 0);
  EXPECT_GT(inMode(body, ""), 0);
}

TEST_F(ShutOutTest, ALoopThatTheLaunchDoesNotEnterIsNeverExecuted) {
  const std::string body = "for (int i = 0; i < mode; ++i)\n"
                           "  out[threadIdx.x + 32 * i] += i;\n";
  EXPECT_EQ(inMode(body, "k<<<64, 256>>>(s.p, 0, s);"), 0);
  EXPECT_EQ(inMode(body, "k<<<64, 256>>>(s.p, 6, s);"), 6);
  // Its data are loaded before its condition is asked.
  EXPECT_EQ(inMode("while (out[threadIdx.x] = 1, 5 < mode) --mode;\n",
                   "k<<<64, 256>>>(s.p, 0, s);"),
            1);
}

// One iteration of many is not none.
TEST_F(ShutOutTest, InALoopABranchOfTheLaunchIsNeverTaken) {
  const std::string body = "for (int i = 0; i < 100; ++i)\n"
                           "  if (mode > 3 && out[i + 7 * threadIdx.x])\n"
                           "    out[threadIdx.x + 32 * i] = i;\n";
  EXPECT_EQ(inMode(body, "k<<<64, 256>>>(s.p, 3, s);"), 0);
  EXPECT_GT(inMode(body, "k<<<64, 256>>>(s.p, 4, s);"), 1);
}

TEST_F(ShutOutTest, AMemberOfAnArgumentIsOfTheLaunch) {
  const std::string body = "if (span.n > 3) out[threadIdx.x] = 1;\n";
  EXPECT_EQ(inMode(body, "k<<<64, 256>>>(s.p, 1, Span{s.p, 3});"), 0);
  EXPECT_EQ(inMode(body, "k<<<64, 256>>>(s.p, 1, Span{s.p, 4});"), 1);
  EXPECT_GT(inMode(body, "k<<<64, 256>>>(s.p, 1, s);"), 0);
}

// The least and the greatest width of a filter are no facts: code for one of
// those between was silent.
TEST_F(ShutOutTest, CodeForASizeBetweenTheEndsOfARangeIsExecuted) {
  const std::string body = "if (mode == 5) out[threadIdx.x] = 1;\n",
                    launch = "k<<<64, 256>>>(s.p, n, s);";
  const double open = inMode(body, launch);
  EXPECT_GT(open, 0.1);
  EXPECT_EQ(inMode(body, "if (n < 3 || n > 129) return; " + launch), open);
  EXPECT_EQ(inMode(body, "if (n != 3) return; " + launch), 0);
  EXPECT_EQ(inMode(body, "if (n < 3 || n > 129) return; "
                         "k<<<64, 256>>>(s.p, 1, Span{s.p, n});"),
            0)
      << "another argument";
  // Nor does the lanes' cost say that no request is made.
  const SourceModel model =
      readText("__global__ void k(int *out, int mode) {\n" + body +
               "}\nvoid f(int *p, int n) { if (n < 3 || n > 129) return; "
               "k<<<64, 256>>>(p, n); }\n");
  for (const KernelShape &shape : model.kernels.at(0).shapes)
    for (const Cost &cost : costs(model.kernels[0], shape))
      EXPECT_FALSE(cost.isKeptOut);
}

// What data or threads decide is no matter of the launch, nor is a block that
// is assumed.
TEST_F(ShutOutTest, WhatTheLaunchDoesNotDecideIsExecuted) {
  EXPECT_GT(inMode("if (out[0] == mode) out[threadIdx.x] = 1;\n",
                   "k<<<64, 256>>>(s.p, 1, s);"),
            0);
  EXPECT_GT(inMode("if (blockIdx.x == 7) out[threadIdx.x] = 1;\n",
                   "k<<<64, 256>>>(s.p, 1, s);"),
            0);
  const std::string block = "if (blockDim.x == 1024) out[threadIdx.x] = 1;\n";
  EXPECT_GT(inMode(block, "k<<<64, n>>>(s.p, 1, s);"), 0);
  EXPECT_EQ(inMode(block, "k<<<64, 512>>>(s.p, 1, s);"), 0);
}
