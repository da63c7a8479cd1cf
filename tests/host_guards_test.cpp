// A launch that the conditions around it keep from being made with some values
// would be evaluated with sizes that it never has.
#include "launched.h"

namespace warplint {

TEST(HostGuards, LeaveOutValuesThatTakeAnotherBranch) {
  EXPECT_EQ(given("void go(float *p, int n) {\n"
                  "if (n == 1) { p[0] = 1; } else if (n == 3) { p[0] = 2; }\n"
                  "else k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p) { for (int n = 1; n <= 5; n += 2)\n"
                  "go(p, n); }"),
            "64(?,5)");
  EXPECT_EQ(given("void go(float *p, int n) { if (n > 8 && p)\n"
                  "k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p) { go(p, 4); go(p, 16); }"),
            "64(?,16)");
}

TEST(HostGuards, LeaveOutValuesThatReturnBefore) {
  EXPECT_EQ(given("void go(float *p, int n) { if (n < 8) return;\n"
                  "k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p) { go(p, 4); go(p, 16); }"),
            "64(?,16)");
  EXPECT_EQ(given("void go(float *p, int n) { if (n < 8) p[0] = 1;\n"
                  "k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p) { go(p, 4); go(p, 16); }"),
            "64(?,4) 64(?,16)");
}

TEST(HostGuards, LeaveOutOtherCasesOfASwitch) {
  const std::string calls =
      "void run(float *p) { go(p, 1); go(p, 2); go(p, 3); }";
  EXPECT_EQ(given("void go(float *p, int n) { switch (n) {\n"
                  "case 1: p[0] = 1; break;\n"
                  "case 2: k<<<1, 64>>>(p, n); break;\n"
                  "default: p[0] = 2; } }\n" +
                  calls),
            "64(?,2)");
  EXPECT_EQ(given("void go(float *p, int n) { switch (n) {\n"
                  "case 1: p[0] = 1;\n"
                  "case 2: { k<<<1, 64>>>(p, n); break; }\n"
                  "default: p[0] = 2; } }\n" +
                  calls),
            "64(?,1) 64(?,2)")
      << "1 falls through";
  EXPECT_EQ(given("void go(float *p, int n) { switch (n) {\n"
                  "case 1: { p[0] = 1; break; }\n"
                  "default: p[0] = 2; k<<<1, 64>>>(p, n); } }\n" +
                  calls),
            "64(?,2) 64(?,3)");
  EXPECT_EQ(given("void go(float *p, int n) { switch (n) {\n"
                  "case 1 ... 2: p[0] = 1; break;\n"
                  "default: k<<<1, 64>>>(p, n); } }\n" +
                  calls),
            "64(?,1) 64(?,2) 64(?,3)")
      << "a range is not followed";
}

// The conditions on the way to the launch count as well as those around it.
TEST(HostGuards, LeaveOutValuesThatACallerKeepsBack) {
  EXPECT_EQ(given("void go(float *p, int n) { k<<<1, 64>>>(p, n); }\n"
                  "void choose(float *p, int n) { if (n > 8) go(p, n); }\n"
                  "void run(float *p) { choose(p, 4); choose(p, 16); }"),
            "64(?,16)");
  EXPECT_EQ(given("void go(float *p, int n) { k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p, bool b) { int n = 4;\n"
                  "if (n > 8) { go(p, n); return; } go(p, 2 * n); }"),
            "64(?,8)");
  EXPECT_EQ(given("void go(float *p, int n) { if (n > 1) go(p, n / 2);\n"
                  "k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p) { go(p, 4); }"),
            "64(?,?) 64(?,4)")
      << "recursion";
}

// One of a softmax's dispatchers for each width: 512 columns were told of the
// one for 1 column, 73 % of its time.
TEST(HostGuards, ADispatchKeepsItsNumbersFromOtherInstances) {
  const std::string dispatch = "void one(float *p, int rows, int n) {\n"
                               "  k<<<rows / 32, 32>>>(p, n); }\n"
                               "void two(float *p, int rows, int n) {\n"
                               "  k<<<rows / 64, 64>>>(p, n); }\n"
                               "void all(float *p, int rows, int n) {\n"
                               "  k<<<rows / 128, 128>>>(p, n); }\n"
                               "void dispatch(float *p, int rows, int n) {\n"
                               "  if (n <= 0) return;\n"
                               "  else if (n <= 32) one(p, rows, n);\n"
                               "  else if (n <= 64) two(p, rows, n);\n"
                               "  else all(p, rows, n); }\n"
                               "void run(float *p) { dispatch(p, 4096, 512); }";
  EXPECT_EQ(given(dispatch), "32(?,32) 64(?,64) 128(?,512)");
  const SourceModel model =
      readText("__global__ void k(float *p, int n) { p[n] = 1; }\n" + dispatch);
  ASSERT_EQ(model.outline.launches.size(), 3u);
  EXPECT_EQ(model.outline.launches[0].grid[0], std::nullopt);
  EXPECT_EQ(model.outline.launches[2].grid[0], 32u);
}

// A launch that no value seen allows is made by a run that nobody sees.
TEST(HostGuards, KeepLaunchesThatNoValueAllows) {
  EXPECT_EQ(given("void go(float *p, int n) { if (n > 100)\n"
                  "k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p) { go(p, 4); }"),
            "64(?,?)");
  EXPECT_EQ(given("void go(float *p, int n) { if (n > 100)\n"
                  "k<<<1, 64>>>(p, 7); }\n"
                  "void run(float *p) { go(p, 4); }"),
            "64(?,7)")
      << "which no caller decides";
  EXPECT_EQ(given("void run(float *p) { int n = 4; if (n > 100)\n"
                  "k<<<1, 64>>>(p, n); }"),
            "64(?,?)");
}

TEST(HostGuards, OfUnknownValuesLetAllPass) {
  EXPECT_EQ(given("void go(float *p, int n, bool b) { if (b)\n"
                  "k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p, bool b) { go(p, 4, b); go(p, 8, !b); }"),
            "64(?,4) 64(?,8)");
}

} // namespace warplint
