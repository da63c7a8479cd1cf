// Which local arrays get an edit that keeps them in registers.
#include "findings/selection_edit.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// "LINE: NAME NUMBER" of the edit of the first array; "none".
std::string edit(const std::string &body, const std::string &extents = "[4]") {
  const SourceModel model =
      readText("__device__ int at(int *t, int i) { return t[i]; }\n"
               "__global__ void k(int *out, const int *key, int n) {\n  int t" +
               extents + " = {};\n" + body + "}\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  const std::optional<Fix> fix = selectionFor(model.kernels.at(0), 0);
  return fix ? std::to_string(fix->at.line) + ": " + fix->name + " " +
                   std::to_string(fix->number)
             : "none";
}

TEST(SelectionEdit, NamesEachElementWithAnIndexFromData) {
  EXPECT_EQ(edit("t[key[0]] = 1; t[2] += t[n]; out[0] = t[key[0]];\n"),
            "3: t[key[0]]; t[n] 4");
}

TEST(SelectionEdit, ALoopOrAFunctionThatIndexesLeavesNone) {
  EXPECT_EQ(edit("for (int i = 0; i < n; ++i) t[i & 3] = i;\n"
                 "out[0] = t[key[0]];\n"),
            "none");
  EXPECT_EQ(edit("t[n] = 1; out[0] = at(t, key[0]);\n"), "none")
      << "another kernel may call the function";
}

TEST(SelectionEdit, ManyElementsLeaveNone) {
  EXPECT_EQ(edit("t[n] = 1; out[0] = t[key[0]];\n", "[16]"),
            "3: t[n]; t[key[0]] 16");
  EXPECT_EQ(edit("t[n] = 1; out[0] = t[key[0]];\n", "[17]"), "none");
  EXPECT_EQ(edit("t[n][1] = 1; out[0] = t[key[0]][2];\n", "[4][3]"), "none");
}

} // namespace

} // namespace warplint
