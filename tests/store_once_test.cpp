// Loops that write one element in each iteration: the edit that stores it once,
// and the loops in which that would be another program.
#include "fixed_text.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

/// The text of a kernel with this body after the fix for the assignment marked
/// with '@' before its operator; "none" if there is no edit.
std::string storedOnce(const std::string &body, uint64_t trips = 0) {
  std::string text =
      "__global__ void k(float *a, const float *b, int n) {\n" + body + "\n}\n";
  const size_t at = text.find('@');
  EXPECT_NE(at, text.npos);
  text.erase(at, 1);
  const llvm::StringRef before = llvm::StringRef(text).take_front(at);
  return fixed(text, {.change = Change::StoreOnce,
                      .at = {"a.cu", unsigned(before.count('\n') + 1),
                             unsigned(at - before.rfind('\n'))},
                      .name = "a[i]",
                      .number = trips});
}

} // namespace

TEST(StoreOnceEdit, EachUseOfTheElementInTheLoopIsTheVariable) {
  const std::string text = storedOnce("  for (int k = 0; k < n; ++k) {\n"
                                      "    float old = a[i * n + j];\n"
                                      "    a[i * n + j] @= old + b[k];\n"
                                      "  }\n");
  EXPECT_THAT(text, HasSubstr("auto a_value = a[i * n + j];\n"));
  EXPECT_THAT(text, HasSubstr("float old = a_value;\n"));
  EXPECT_THAT(text, HasSubstr("a_value = old + b[k];\n"));
  EXPECT_THAT(text, HasSubstr("\n    a[i * n + j] = a_value;\n  }"));
}

// A loop that does not begin must not store: the element may lie outside.
TEST(StoreOnceEdit, TheGuardIsTheConditionOfTheFirstIteration) {
  EXPECT_THAT(storedOnce("  for (int k = row[i]; k < row[i + 1]; ++k)\n"
                         "    a[i] @+= b[k];\n"),
              HasSubstr("if (static_cast<int>(row[i]) < row[i + 1]) {"));
  EXPECT_THAT(storedOnce("  for (; n > 0; --n)\n    a[i] @+= b[n];\n"),
              HasSubstr("if (n > 0) {"));
}

TEST(StoreOnceEdit, ALoopThatIsABodyGetsBracesBehindTheHead) {
  EXPECT_THAT(storedOnce("  if (i < n)\n    for (int k = 0; k < n; ++k)\n"
                         "      a[i] @+= b[k];\n  else\n    f();\n"),
              HasSubstr("  if (i < n) {\n    if (0 < n) {\n"
                        "      auto a_value = a[i];\n"
                        "      for (int k = 0; k < n; ++k)\n"
                        "        a_value += b[k];\n"
                        "      a[i] = a_value;\n    }\n  }\n  else\n"));
}

// A condition that does something cannot be asked twice; that of a second
// counter or of a pointer is more than a replacement.
TEST(StoreOnceEdit, AGuardThatTakesMoreThanTheCounterGivesNone) {
  EXPECT_EQ(storedOnce("  for (int k = 0; k++ < n;)\n    a[i] @+= b[k];\n"),
            "none");
  EXPECT_EQ(
      storedOnce("  for (int k = 0, m = n; k < m; ++k)\n    a[i] @+= b[k];\n"),
      "none");
  EXPECT_EQ(
      storedOnce(
          "  for (const float *p = b; p < b + n; ++p)\n    a[i] @+= *p;\n"),
      "none");
  EXPECT_THAT(storedOnce("  for (int k = 0, m = n; k < m; ++k)\n"
                         "    a[i] @+= b[k];\n",
                         8),
              HasSubstr("  {\n    auto a_value"))
      << "a loop of eight iterations has a first one";
}

TEST(StoreOnceEdit, AnElementThatMovesStays) {
  EXPECT_EQ(storedOnce("  for (int i = 0; i < n; ++i)\n    a[i] @+= b[i];\n"),
            "none");
  EXPECT_EQ(storedOnce("  for (int k = 0; k < n; ++k, ++i)\n"
                       "    a[i] @+= b[k];\n"),
            "none");
  EXPECT_EQ(storedOnce("  for (int k = 0; k < n; ++k) {\n    step(&i);\n"
                       "    a[i] @+= b[k];\n  }\n"),
            "none");
}

TEST(StoreOnceEdit, LoopsOfAnotherFormStay) {
  EXPECT_EQ(storedOnce("  for (float x : list)\n    a[i] @+= x;\n"), "none");
  EXPECT_EQ(storedOnce("  do {\n    a[i] @+= b[n];\n  } while (--n);\n"),
            "none");
  EXPECT_EQ(storedOnce("  a[i] @+= b[n];\n"), "none");
}

// A user of 'unroll' would lose it, if the pragma stood before the variable.
TEST(StoreOnceEdit, APragmaStaysBeforeItsLoop) {
  EXPECT_THAT(storedOnce("  #pragma unroll 4\n"
                         "  for (int k = 0; k < n; ++k)\n"
                         "    a[i] @+= b[k];\n"),
              HasSubstr("auto a_value = a[i];\n#pragma unroll 4\n    for ("));
  EXPECT_EQ(storedOnce("#ifdef FAST\n"
                       "  for (int k = 0; k < n; ++k)\n"
                       "    a[i] @+= b[k];\n#endif\n"),
            "none");
}

// The outer loop goes on as it did: the variable lives in one of its
// iterations.
TEST(StoreOnceEdit, OnlyTheInnermostLoopChanges) {
  const std::string text = storedOnce("  for (int j = 0; j < n; ++j) {\n"
                                      "    for (int k = 0; k < n; ++k)\n"
                                      "      a[j] @+= b[k];\n"
                                      "  }\n");
  EXPECT_THAT(text, HasSubstr("for (int j = 0; j < n; ++j) {\n"
                              "    if (0 < n) {\n"
                              "      auto a_value = a[j];\n"));
}

TEST(StoreOnceEdit, TheVariableHasANameOfItsOwn) {
  EXPECT_THAT(storedOnce("  float a_value = 1;\n"
                         "  for (int k = 0; k < n; ++k)\n"
                         "    a[i] @+= b[k] * a_value;\n"),
              HasSubstr("a_value2 += b[k] * a_value;"));
}
