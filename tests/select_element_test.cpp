// Elements of a local array with an index from data: the edit, and the uses in
// which it would be another program.
#include "fixed_text.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

/// A kernel with the array 't' of 4 elements after the edit of `uses`.
std::string selected(const std::string &body,
                     const std::string &uses = "t[i]") {
  const std::string text =
      "__global__ void k() {\n  int t[4];\n" + body + "}\n";
  const std::string result = fixed(text, {.change = Change::SelectElement,
                                          .at = placeOf(text, "t[4]"),
                                          .name = uses,
                                          .number = 4});
  return result == "none"
             ? result
             : result.substr(34, result.size() - 36); // the body alone
}

TEST(SelectElementEdit, AReadTakesTheElementWhoseNumberIsTheIndex) {
  EXPECT_EQ(selected("  x = y + t[i];\n"), "  const auto t_index = i;\n"
                                           "  auto t_value = t[0];\n"
                                           "#pragma unroll\n"
                                           "  for (int element = 1; element < "
                                           "4; ++element)\n"
                                           "    if (element == t_index)\n"
                                           "      t_value = t[element];\n"
                                           "  x = y + t_value;\n");
  EXPECT_THAT(selected("  return t[key[k * n] & 3] * t[key[k * n] & 3];\n",
                       "t[key[k * n] & 3]"),
              HasSubstr("  const auto t_index = key[k * n] & 3;\n"
                        "  auto t_value = t[0];\n"))
      << "one loop for both";
  EXPECT_THAT(selected("  x = t[i] + t[j];\n", "t[i]; t[j]"),
              HasSubstr("  x = t_value + t_value2;\n"));
}

TEST(SelectElementEdit, AStatementThatChangesAnElementIsExecutedForOne) {
  const std::string loop = "#pragma unroll\n"
                           "  for (int element = 0; element < 4; ++element)\n"
                           "    if (element == t_index)\n";
  EXPECT_EQ(selected("  t[i] += f(x);\n"), "  const auto t_index = i;\n" +
                                               loop +
                                               "      t[element] += f(x);\n");
  EXPECT_EQ(selected("  ++t[i];\n"),
            "  const auto t_index = i;\n" + loop + "      ++t[element];\n");
  EXPECT_EQ(selected("  t[i]--;\n"),
            "  const auto t_index = i;\n" + loop + "      t[element]--;\n");
}

TEST(SelectElementEdit, AStatementMayReadAndChange) {
  EXPECT_THAT(selected("  t[i] = t[j];\n", "t[i]; t[j]"),
              HasSubstr("      t_value = t[element];\n"
                        "  const auto t_index2 = i;\n"
                        "#pragma unroll\n"
                        "  for (int element = 0; element < 4; ++element)\n"
                        "    if (element == t_index2)\n"
                        "      t[element] = t_value;\n"));
}

TEST(SelectElementEdit, OtherIndexesStay) {
  EXPECT_THAT(selected("  t[0] = 1;\n  x = t[i];\n  s.t[i] = 2;\n"),
              testing::AllOf(testing::StartsWith("  t[0] = 1;\n"),
                             testing::EndsWith("  x = t_value;\n"
                                               "  s.t[i] = 2;\n")));
}

TEST(SelectElementEdit, ABodyGetsBraces) {
  EXPECT_EQ(selected("  for (;;)\n    ++t[i];\n"),
            "  for (;;) {\n"
            "    const auto t_index = i;\n"
            "#pragma unroll\n"
            "    for (int element = 0; element < 4; ++element)\n"
            "      if (element == t_index)\n"
            "        ++t[element];\n"
            "  }\n");
}

TEST(SelectElementEdit, AConditionIsComputedBeforeItsBranch) {
  EXPECT_EQ(selected("  if (c)\n    f();\n  else if (x < t[i])\n"
                     "    t[i] = x;\n"),
            "  if (c)\n    f();\n  else {\n"
            "    const auto t_index = i;\n"
            "    auto t_value = t[0];\n"
            "#pragma unroll\n"
            "    for (int element = 1; element < 4; ++element)\n"
            "      if (element == t_index)\n"
            "        t_value = t[element];\n"
            "    if (x < t_value) {\n"
            "    const auto t_index2 = i;\n"
            "#pragma unroll\n"
            "    for (int element = 0; element < 4; ++element)\n"
            "      if (element == t_index2)\n"
            "        t[element] = x;\n"
            "  }\n  }\n");
}

TEST(SelectElementEdit, NewNamesAreFree) {
  EXPECT_THAT(
      selected("  int element, t_index; x = t[i];\n"),
      testing::AllOf(HasSubstr("t_index2 = i"), HasSubstr("int element2 = 1")));
}

TEST(SelectElementEdit, WhatWouldBeAnotherProgramStays) {
  EXPECT_EQ(selected("  x = t[i++];\n", "t[i++]"), "none");
  EXPECT_EQ(selected("  x = t[f()];\n", "t[f()]"), "none");
  EXPECT_EQ(selected("  if (t[i]) i = 2;\n"), "none");
  EXPECT_EQ(selected("  if (a && t[i]) f();\n"), "none");
  EXPECT_EQ(selected("  while (t[i]) f();\n"), "none");
  EXPECT_EQ(selected("  x = c ? t[a[i]] : 0;\n", "t[a[i]]"), "none")
      << "'a[i]' may not exist otherwise";
  EXPECT_EQ(selected("  f(&t[i]);\n"), "none");
  EXPECT_EQ(selected("  x = t[i].y;\n"), "none");
  EXPECT_EQ(selected("  x = t[i] = 2;\n"), "none");
  EXPECT_EQ(selected("  x = t[i]++;\n"), "none");
  EXPECT_EQ(selected("  t[i] = 1, x = 2;\n  i = t[i];\n"), "none")
      << "the index changes";
  EXPECT_EQ(selected("  t[i] = i = 2;\n"), "none");
  EXPECT_EQ(selected("  x = t[t[i]];\n", "t[i]; t[t[i]]"), "none");
  EXPECT_EQ(selected("#define GET t[i]\n  x = GET;\n"), "none");
  EXPECT_EQ(selected("  x = t[INDEX];\n", "t[INDEX]"), "none");
}

} // namespace
