// Loops that read one element in each iteration: the edit that loads it before,
// and the loops in which that would be another program.
#include "fixed_text.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

/// The body of a kernel after the edit of the first loop that `loop` begins
/// with.
std::string loadedOnce(const std::string &body,
                       const std::string &name = "c[i]",
                       const std::string &loop = "for", uint64_t trips = 0) {
  const std::string text = "__global__ void k() {\n" + body + "}\n";
  const std::string result = fixed(text, {.change = Change::LoadOnce,
                                          .at = placeOf(text, loop),
                                          .name = name,
                                          .number = trips,
                                          .kind = FixClass::Assumes});
  return result == "none" ? result : result.substr(22, result.size() - 24);
}

TEST(LoadOnceEdit, AnElementIsLoadedBeforeItsLoop) {
  EXPECT_EQ(loadedOnce("  for (int k = 0; k < n; ++k)\n"
                       "    a[k] = c[i] * b[k];\n"),
            "  if (0 < n) {\n"
            "    const auto c_value = c[i];\n"
            "    for (int k = 0; k < n; ++k)\n"
            "      a[k] = c_value * b[k];\n"
            "  }\n");
  EXPECT_EQ(loadedOnce("  while (k < n) {\n    a[k++] = c[i];\n  }\n", "c[i]",
                       "while"),
            "  if (k < n) {\n"
            "    const auto c_value = c[i];\n"
            "    while (k < n) {\n"
            "      a[k++] = c_value;\n"
            "    }\n"
            "  }\n");
}

TEST(LoadOnceEdit, WhatIsReadInAnyCaseNeedsNoGuard) {
  EXPECT_EQ(
      loadedOnce("  for (int k = 0; k < *m; ++k)\n    a[k] = *m;\n", "*m"),
      "  const auto m_value = *m;\n"
      "  for (int k = 0; k < m_value; ++k)\n    a[k] = m_value;\n");
  EXPECT_EQ(loadedOnce("  do {\n    a[k++] = c[i];\n  } while (k < n);\n",
                       "c[i]", "do"),
            "  const auto c_value = c[i];\n"
            "  do {\n    a[k++] = c_value;\n  } while (k < n);\n");
  EXPECT_EQ(loadedOnce("  for (int k = 0; k < 8; ++k)\n    a[k] = c[i];\n",
                       "c[i]", "for", 8),
            "  const auto c_value = c[i];\n"
            "  for (int k = 0; k < 8; ++k)\n    a[k] = c_value;\n");
  EXPECT_THAT(loadedOnce("  for (;;)\n    a[k++] = c[i];\n"),
              HasSubstr("  const auto c_value = c[i];\n  for (;;)"));
}

TEST(LoadOnceEdit, SeveralElementsAndPointersAreVariablesOfTheirOwn) {
  EXPECT_EQ(loadedOnce("  for (int k = 0; k < n; ++k)\n"
                       "    s->v[k] = c[0] * s->u[k] + c[1];\n",
                       "c[0]; c[1]; s->v; s->u"),
            "  if (0 < n) {\n"
            "    const auto c_value = c[0];\n"
            "    const auto c_value2 = c[1];\n"
            "    const auto v_value = s->v;\n"
            "    const auto u_value = s->u;\n"
            "    for (int k = 0; k < n; ++k)\n"
            "      v_value[k] = c_value * u_value[k] + c_value2;\n"
            "  }\n");
}

TEST(LoadOnceEdit, APragmaStaysBeforeItsLoop) {
  EXPECT_EQ(loadedOnce("#pragma unroll 4\n  for (int k = 0; k < n; ++k)\n"
                       "    a[k] = c[i];\n"),
            "  if (0 < n) {\n"
            "    const auto c_value = c[i];\n"
            "#pragma unroll 4\n"
            "    for (int k = 0; k < n; ++k)\n"
            "      a[k] = c_value;\n"
            "  }\n");
  EXPECT_EQ(loadedOnce("#pragma omp simd\n  for (int k = 0; k < n; ++k)\n"
                       "    a[k] = c[i];\n"),
            "none");
}

TEST(LoadOnceEdit, ALoopThatIsABodyStaysOne) {
  EXPECT_THAT(loadedOnce("  if (x)\n    for (int k = 0; k < n; ++k)\n"
                         "      a[k] = c[i];\n  else\n    f();\n"),
              HasSubstr("  if (x) {\n    if (0 < n) {\n"
                        "      const auto c_value = c[i];\n"
                        "      for (int k = 0; k < n; ++k)\n"
                        "        a[k] = c_value;\n    }\n  }\n  else\n"));
  EXPECT_THAT(loadedOnce("  if (x)\n    for (int k = 0; k < 8; ++k)\n"
                         "      a[k] = c[i];\n  else\n    f();\n",
                         "c[i]", "for", 8),
              HasSubstr("  if (x) {\n    const auto c_value = c[i];\n"
                        "    for (int k = 0; k < 8; ++k)\n"
                        "      a[k] = c_value;\n  }\n  else"));
  EXPECT_THAT(loadedOnce("  switch (x) { case 1: for (int k = 0; k < 8; ++k)\n"
                         "      a[k] = c[i]; }\n",
                         "c[i]", "for", 8),
              HasSubstr("case 1: {\n"));
}

TEST(LoadOnceEdit, AProductIsNoPointer) {
  EXPECT_THAT(loadedOnce("  for (;;)\n    a[k++] = b *m + 2 * *m;\n", "*m"),
              HasSubstr("= b *m + 2 * m_value;"));
  EXPECT_THAT(loadedOnce("  for (;;)\n    a[k++] = d.c[i] + c[i];\n"),
              HasSubstr("= d.c[i] + c_value;"));
}

TEST(LoadOnceEdit, WhatIsNotReadInEachIterationStays) {
  auto inLoop = [](const std::string &body) {
    return loadedOnce("  for (int k = 0; k < n; ++k) {\n    " + body +
                      "\n  }\n");
  };
  EXPECT_NE(inLoop("a[k] = c[i];"), "none");
  EXPECT_NE(inLoop("a[k] = c[i]; if (k & 1) b[k] = c[i];"), "none");
  EXPECT_NE(inLoop("a[k] = c[i]; if (k > 9) break;"), "none");
  EXPECT_EQ(inLoop("if (k & 1) a[k] = c[i];"), "none");
  EXPECT_EQ(inLoop("if (k & 1) continue; a[k] = c[i];"), "none");
  EXPECT_EQ(inLoop("for (int j = 0; j < k; ++j) a[j] = c[i];"), "none");
  EXPECT_EQ(inLoop("a[k] = k > 3 ? c[i] : 0;"), "none");
  EXPECT_EQ(inLoop("a[k] = READ(i);"), "none");
}

TEST(LoadOnceEdit, WhatMayChangeInTheLoopStays) {
  auto inLoop = [](const std::string &more, const std::string &name = "c[i]") {
    return loadedOnce("  for (int k = 0; k < n; ++k) {\n    " + more +
                          "\n    a[k] = c[i];\n  }\n",
                      name);
  };
  EXPECT_NE(inLoop("float x = b[k];"), "none");
  EXPECT_NE(inLoop("atomicAdd(&b[k], 1);"), "none");
  EXPECT_EQ(inLoop("int t = atomicAdd(&b[k], 1);"), "none");
  EXPECT_EQ(inLoop("i += 2;"), "none");
  EXPECT_EQ(inLoop("++i;"), "none");
  EXPECT_EQ(inLoop("int i = k;"), "none");
  EXPECT_EQ(inLoop("c = b;"), "none");
  EXPECT_EQ(inLoop("c[i] = 0;"), "none");
  EXPECT_EQ(inLoop("c[i]++;"), "none");
  EXPECT_EQ(inLoop("f(&c[i]);"), "none");
  EXPECT_EQ(inLoop("__syncthreads();"), "none");
  EXPECT_EQ(inLoop("__threadfence();"), "none");
  EXPECT_EQ(inLoop("asm volatile(\"\");"), "none");
  EXPECT_EQ(inLoop("volatile float *p = b;"), "none");
  EXPECT_EQ(inLoop("\n#ifdef A\n    f();\n#endif\n"), "none");
  EXPECT_EQ(inLoop("", "c[i++]"), "none");
  EXPECT_EQ(inLoop("", "c[f(i)]"), "none");
}

// Without the load in each iteration such a loop has no end.
TEST(LoadOnceEdit, ALoopThatWaitsForAnotherThreadStays) {
  EXPECT_EQ(
      loadedOnce("  while (*flag == 0)\n    a[i] = *flag;\n", "*flag", "while"),
      "none");
  EXPECT_EQ(loadedOnce("  for (; *flag < n;)\n    a[i] = *flag;\n", "*flag"),
            "none");
}

TEST(LoadOnceEdit, AGuardThatDoesSomethingGivesNone) {
  EXPECT_EQ(
      loadedOnce("  while (k-- > 0)\n    a[k] = c[i];\n", "c[i]", "while"),
      "none");
  EXPECT_EQ(
      loadedOnce("  while (next(k))\n    a[k] = c[i];\n", "c[i]", "while"),
      "none");
  EXPECT_EQ(loadedOnce("  for (int k = take(); k < n; ++k)\n"
                       "    a[k] = c[i];\n"),
            "none");
  EXPECT_EQ(loadedOnce("  for (float x : xs)\n    a[k] = x * c[i];\n"), "none");
}

} // namespace
