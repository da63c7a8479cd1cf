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

// A launch that no value seen allows is made by a run that nobody sees.
TEST(HostGuards, KeepLaunchesThatNoValueAllows) {
  EXPECT_EQ(given("void go(float *p, int n) { if (n > 100)\n"
                  "k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p) { go(p, 4); }"),
            "64(?,4)");
}

TEST(HostGuards, OfUnknownValuesLetAllPass) {
  EXPECT_EQ(given("void go(float *p, int n, bool b) { if (b)\n"
                  "k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p, bool b) { go(p, 4, b); go(p, 8, !b); }"),
            "64(?,4) 64(?,8)");
}

} // namespace warplint
