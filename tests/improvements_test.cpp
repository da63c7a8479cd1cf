// How often data beat the best of a loop so far, of kernels as users write
// them.
#include "cost/improvements.h"
#include "frequency_of.h"

using namespace warplint;

namespace {

struct ImprovementsOf : FrequencyOf {
  /// The executions of the first store by a warp, where `body` has 512
  /// iterations of `for (int i = 0; i < 512; ++i)` with `v` of the lane.
  double improvements(const std::string &before, const std::string &body,
                      const std::string &value = "d[i * 4096 + t]") {
    const auto found = stores(
        "__global__ void k(const float *d, float *out, int *at) {\n"
        "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n" +
        before + "  for (int i = 0; i < 512; ++i) {\n    float v = " + value +
        ";\n" + body + "  }\n}\n" +
        "int main() { k<<<64, 256>>>(0, 0, 0); }\n");
    return found.empty() ? -1 : found[0].perWarp;
  }
};

const std::string least = "  float best = 1e30f;\n";

} // namespace

TEST(Improvements, AreTheLogarithmOfTheCandidates) {
  for (double n : {10.0, 512.0, 4096.0, 1e6})
    EXPECT_NEAR(improvingIterations(n, 1, 1), std::log(n) + 0.58, 0.06) << n;
  // A list of 20 fills first.
  EXPECT_NEAR(improvingIterations(4096, 20, 1), 20 * (1 + std::log(4096 / 20.)),
              1);
  EXPECT_DOUBLE_EQ(improvingIterations(16, 20, 1), 16);
  // A warp goes with each of its lanes, but not more often than it can.
  EXPECT_NEAR(improvingIterations(1e6, 1, 32), 32 * std::log(1e6 / 32), 60);
  EXPECT_LT(improvingIterations(64, 1, 32), 64);
}

TEST_F(ImprovementsOf, ALeastValueIsRarelyBeaten) {
  const double ofWarp = improvingIterations(512, 1, 32);
  EXPECT_NEAR(
      improvements(least, "    if (v < best) { best = v; out[t] = v; }"),
      ofWarp, 1e-6);
  EXPECT_NEAR(improvements("  float most = 0;\n",
                           "    if (!(v <= most)) { most = v; at[t] = i; }"),
              ofWarp, 1e-6);
  // By its index, and by what is a function of it.
  EXPECT_NEAR(improvements("  int p = 0;\n",
                           "    if (fabsf(v) > fabsf(d[p * 4096 + t])) {\n"
                           "      p = i; at[t] = p;\n"
                           "    }"),
              ofWarp, 1e-6);
  // Of equal ones the first by another key.
  EXPECT_NEAR(improvements("  float best = 1e30f; int from = 0;\n",
                           "    int key = at[i];\n"
                           "    if (v < best || (v == best && key < from)) {\n"
                           "      best = v; from = key; out[t] = v;\n"
                           "    }"),
              ofWarp, 1e-6);
  // In memory.
  EXPECT_NEAR(improvements("", "    if (v < out[t]) out[t] = v;\n"), ofWarp,
              1e-6);
}

TEST_F(ImprovementsOf, LanesWithTheSameDataImproveTogether) {
  EXPECT_NEAR(improvements(least, "    if (v < best) { best = v; out[t] = v; }",
                           "d[i]"),
              improvingIterations(512, 1, 1), 1e-6);
}

TEST_F(ImprovementsOf, AListTakesAsManyAsItHasPlaces) {
  EXPECT_NEAR(improvements("  float a = 1e30f, b = 1e30f, c = 1e30f;\n",
                           "    if (v < c) {\n"
                           "      out[t] = v;\n"
                           "      if (v < a) { c = b; b = a; a = v; }\n"
                           "      else if (v < b) { c = b; b = v; }\n"
                           "      else c = v;\n"
                           "    }\n"),
              improvingIterations(512, 3, 32), 1e-6);
  // Inserted into memory, with the worst of the list in a variable.
  EXPECT_NEAR(improvements("  float worst = out[7 * 4096 + t];\n",
                           "    if (v < worst) {\n"
                           "      at[t] = i;\n"
                           "      for (int j = 0; j < 7; ++j)\n"
                           "        if (out[j * 4096 + t] > v) {\n"
                           "          float next = out[j * 4096 + t];\n"
                           "          out[j * 4096 + t] = v;\n"
                           "          v = next;\n"
                           "        }\n"
                           "      worst = out[7 * 4096 + t];\n"
                           "    }\n"),
              improvingIterations(512, 7, 32), 1e-6);
}

// As the compiler unrolls a loop.
TEST_F(ImprovementsOf, EachCopyOfABodyHasItsCandidate) {
  EXPECT_NEAR(improvements(least,
                           "    if (v < best) { best = v; out[t] = v; }\n"
                           "    float w = d[(i + 512) * 4096 + t];\n"
                           "    if (w < best) { best = w; at[t] = i; }\n"),
              improvingIterations(1024, 1, 32) / 2, 1e-6);
}

TEST_F(ImprovementsOf, LoopsAroundGoOnWithTheBest) {
  const auto found = stores("__global__ void k(const float *d, float *out) {\n"
                            "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  float best = 1e30f;\n"
                            "  for (int y = 0; y < 64; ++y)\n"
                            "    for (int x = 0; x < 64; ++x) {\n"
                            "      float v = d[(y * 64 + x) * 4096 + t];\n"
                            "      if (v < best) { best = v; out[t] = v; }\n"
                            "    }\n"
                            "}\n"
                            "int main() { k<<<64, 256>>>(0, 0); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].perWarp, improvingIterations(4096, 1, 32), 1e-6);
}

// A trigger, a threshold that rises, one of other data, the end of an interval.
TEST_F(ImprovementsOf, AThresholdThatMovesOnIsNoBest) {
  for (const char *next :
       {"limit = 1 - limit;", "limit += 0.1f;", "limit = d[i * 8192 + t];",
        "limit = v + d[i * 8192 + t];"})
    EXPECT_DOUBLE_EQ(improvements("  float limit = 0.25f;\n",
                                  "    if (v < limit) { out[t] = v; " +
                                      std::string(next) + " }"),
                     512)
        << next;
}

// What is no best of random data is executed as before.
TEST_F(ImprovementsOf, OtherConditionsOnDataAreNone) {
  const double always = 512;
  // The value before.
  EXPECT_DOUBLE_EQ(
      improvements(least, "    if (v < best) out[t] = v;\n    best = v;\n"),
      always);
  // A run of equal ones ends.
  EXPECT_DOUBLE_EQ(
      improvements(least, "    if (v != best) { best = v; out[t] = v; }\n"),
      always);
  // Where it does not improve.
  EXPECT_DOUBLE_EQ(improvements(least, "    if (v < best) best = v;\n"
                                       "    else out[t] = v;\n"),
                   always);
  // A limit that no iteration moves.
  EXPECT_DOUBLE_EQ(improvements("  float limit = d[t];\n",
                                "    if (v < limit) out[t] = v;\n"),
                   always);
  // A path that goes on from the best.
  EXPECT_DOUBLE_EQ(
      improvements("  float best = 1e30f, x = d[t];\n",
                   "    x = x * 0.5f + v;\n"
                   "    if (x < best) { best = x; out[t] = v; }\n"),
      always);
}
