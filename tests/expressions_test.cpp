// Edits within a statement or a list of parameters.
#include "fixed_text.h"

using namespace warplint;

namespace {

TEST(ExpressionEdits, ALiteralBecomesAFloat) {
  const std::string text =
      "void f() {\n  y = 0.5 * x + 0.5 - 0.25;\n  z = 0.5;\n}";
  EXPECT_EQ(fixed(text, {.change = Change::FloatLiteral,
                         .at = placeOf(text, "* x"),
                         .name = "0.5"}),
            "void f() {\n  y = 0.5f * x + 0.5f - 0.25;\n  z = 0.5;\n}");
  EXPECT_EQ(fixed(text, {.change = Change::FloatLiteral,
                         .at = placeOf(text, "* x"),
                         .name = "0.75"}),
            "none");
}

// The same number in another statement is another number.
TEST(ExpressionEdits, OnlyTheStatementsOwnLiteralChanges) {
  const std::string text =
      "void f() {\n  if (a) { y = 2.0 * x; }\n  z = 2.0;\n}";
  EXPECT_EQ(fixed(text, {.change = Change::FloatLiteral,
                         .at = placeOf(text, "* x"),
                         .name = "2.0"}),
            "void f() {\n  if (a) { y = 2.0f * x; }\n  z = 2.0;\n}");
}

std::string restricted(const std::string &text) {
  return fixed(text, {.change = Change::Restrict,
                      .at = placeOf(text, "kernel"),
                      .name = "a, b"});
}

TEST(ExpressionEdits, ParametersBecomeRestrict) {
  EXPECT_EQ(
      restricted("__global__ void kernel(const T *a, T *c, T const *b) {}"),
      "__global__ void kernel(const T *__restrict__ a, T *c, T const "
      "*__restrict__ b) {}");
  EXPECT_EQ(restricted("__global__ void kernel(const T *a, S b) {}"), "none");
  EXPECT_EQ(restricted("__global__ void kernel(const T *a, T *c) {}"), "none");
}

} // namespace
