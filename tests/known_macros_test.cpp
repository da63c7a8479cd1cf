// What a compiler will skip must be known without it: a header behind a
// condition is searched for only if the condition holds.
#include "input/known_macros.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

const char *answer(std::optional<bool> holds) {
  return !holds ? "unknown" : *holds ? "yes" : "no";
}

const char *holds(llvm::StringRef condition,
                  std::vector<std::string> flags = {}) {
  return answer(KnownMacros(flags).holds(condition));
}

} // namespace

TEST(KnownMacros, FlagsAndTheCompilerName) {
  const std::vector<std::string> flags = {"-DA", "-D", "B=3", "-DC", "-UC"};
  EXPECT_STREQ(holds("defined(A) && defined B && A == 1", flags), "yes");
  EXPECT_STREQ(holds("B >= 3", flags), "yes");
  EXPECT_STREQ(holds("defined(C)", flags), "no");
  EXPECT_STREQ(holds("defined(__CUDACC__)"), "yes");
  EXPECT_STREQ(holds("defined(_WIN32)"), "no");
  EXPECT_STREQ(holds("defined(USE_CUDA)"), "yes") << "it will be defined";
}

TEST(KnownMacros, ConditionsAreArithmetic) {
  EXPECT_STREQ(holds("1"), "yes");
  EXPECT_STREQ(holds("0"), "no");
  EXPECT_STREQ(holds("(1 + 2) * 3 == 9 && !0"), "yes");
  EXPECT_STREQ(holds("1 || 0 && 0"), "yes");
  EXPECT_STREQ(holds("0x10 == 16L"), "yes");
  EXPECT_STREQ(holds("-1 < 0"), "yes");
}

TEST(KnownMacros, WhatNothingNamesIsNotDefinedButVersionsAreUnknown) {
  EXPECT_STREQ(holds("defined(OPTION)"), "no");
  EXPECT_STREQ(holds("OPTION"), "no");
  EXPECT_STREQ(holds("CUDA_VERSION >= 11000"), "unknown");
  EXPECT_STREQ(holds("__CUDA_ARCH__ >= 800"), "unknown");
  EXPECT_STREQ(holds("defined(__CUDA_ARCH__)"), "unknown");
}

// Names that begin with '_' may be the compiler's, but not those that ask for
// another language.
TEST(KnownMacros, WhatAsksForAnotherLanguageIsNotDefined) {
  for (const char *macro :
       {"__HIPCC__", "__HIP_PLATFORM_AMD__", "__IS_HIP_COMPILE__",
        "__CUDACC_RTC__", "__OPENCL_VERSION__", "__SYCL_DEVICE_ONLY__"})
    EXPECT_STREQ(holds("defined(" + std::string(macro) + ")"), "no") << macro;
  EXPECT_STREQ(holds("__OPENCL_VERSION__ >= 120"), "no");
  EXPECT_STREQ(holds("defined(__HIP_PLATFORM_NVCC__)"), "unknown");
  EXPECT_STREQ(holds("defined(__CHIP__)"), "unknown");
}

TEST(KnownMacros, OneKnownSideMayDecide) {
  EXPECT_STREQ(holds("defined(__A) && 0"), "no");
  EXPECT_STREQ(holds("defined(__A) || 1"), "yes");
  EXPECT_STREQ(holds("defined(__A) || 0"), "unknown");
}

TEST(KnownMacros, WhatIsNotUnderstoodIsUnknown) {
  for (const char *condition :
       {"", "(", "1 +", "defined()", "__has_include(<a.h>)", "F(1, (2))",
        "1 ? 2 : 3", "'a' == 97", "1 << 2", "a b", "99999999999999999999"})
    EXPECT_STREQ(holds(condition), "unknown") << condition;
  EXPECT_STREQ(holds(std::string(100'000, '(')), "unknown");
  EXPECT_STREQ(holds(std::string(100'000, '!')), "unknown");
}

TEST(KnownMacros, FilesDefineThemLater) {
  KnownMacros macros;
  macros.define("A", "B");
  macros.define("B", "2");
  EXPECT_STREQ(answer(macros.holds("A == 2")), "yes");
  macros.undefine("B");
  EXPECT_STREQ(answer(macros.holds("A")), "no");
  macros.forget("A");
  EXPECT_STREQ(answer(macros.holds("defined(A)")), "unknown");
  macros.define("A", "A");
  EXPECT_STREQ(answer(macros.holds("A")), "unknown") << "it names itself";
}
