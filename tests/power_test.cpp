// Powers as products, roots and reciprocals: the edit, and the calls in which
// it would be another program.
#include "fixed_text.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

/// The body of a kernel after the edit of its first power.
std::string replaced(const std::string &body, const std::string &form = "@ * @",
                     const std::string &call = "pow") {
  const std::string text = "__global__ void k() {\n  " + body + "\n}\n";
  const std::string result = fixed(text, {.change = Change::ReplacePower,
                                          .at = placeOf(text, call),
                                          .name = form,
                                          .kind = FixClass::Rounding});
  return result == "none" ? result : result.substr(24, result.size() - 27);
}

TEST(PowerEdit, ABaseThatIsANameIsWrittenTwice) {
  EXPECT_EQ(replaced("y = powf(x, 2.0f);"), "y = x * x;");
  EXPECT_EQ(replaced("y = std::pow(x, 2);", "@ * @ * @", "std"),
            "y = x * x * x;");
  EXPECT_EQ(replaced("y = ::pow(p->v[i + 1].x, 2.);", "@ * @", "::"),
            "y = p->v[i + 1].x * p->v[i + 1].x;");
  EXPECT_EQ(replaced("y = pow((x), (T)2);"), "y = x * x;");
  EXPECT_EQ(replaced("y = pow((double)x, T(2));"),
            "y = (double)x * (double)x;");
  EXPECT_EQ(replaced("y = pow(double(x), static_cast<T>(2));"),
            "y = double(x) * double(x);");
  EXPECT_EQ(replaced("y = pow(x, 2);", "double(@) * @"), "y = double(x) * x;");
}

TEST(PowerEdit, AProductIsOneOperandAsTheCallWas) {
  EXPECT_EQ(replaced("y = a + pow(x, 2) * b;"), "y = a + x * x * b;");
  EXPECT_EQ(replaced("y = a / pow(x, 2);"), "y = a / (x * x);");
  EXPECT_EQ(replaced("y = a * pow(x, 2);"), "y = a * (x * x);");
  EXPECT_EQ(replaced("y = (float)pow(x, 2);"), "y = (float)(x * x);");
  EXPECT_EQ(replaced("y = (int)sqrtf(pow(x, 2));"), "y = (int)sqrtf(x * x);");
  EXPECT_EQ(replaced("y = a / pow(x, 0.5f);", "sqrtf(@)"), "y = a / sqrtf(x);");
  EXPECT_EQ(replaced("y = a / pow(x, -1);", "1.0 / @"), "y = a / (1.0 / x);");
}

TEST(PowerEdit, ABaseThatIsNeededOnceMayBeAnything) {
  EXPECT_EQ(replaced("y = pow(f(x, 2) - a, 0.5);", "sqrt(@)"),
            "y = sqrt(f(x, 2) - a);");
  EXPECT_EQ(replaced("y = pow(next(), -1);", "1.0 / @"), "y = 1.0 / (next());");
  EXPECT_EQ(replaced("y = pow(i++, .5);", "sqrt(double(@))"),
            "y = sqrt(double(i++));");
}

TEST(PowerEdit, ASumGetsAVariableBeforeItsStatement) {
  EXPECT_EQ(replaced("y = a + pow(x - z[i], 2);"),
            "const auto base_value = x - z[i];\n"
            "  y = a + base_value * base_value;");
  EXPECT_EQ(replaced("float base_value; float y = f(a, pow(2 * (x - z), 2));"),
            "float base_value; const auto base_value2 = 2 * (x - z);\n"
            "  float y = f(a, base_value2 * base_value2);");
  EXPECT_EQ(replaced("if (c) y = pow(x - z, 2); else y = 0;"),
            "if (c) {\n    const auto base_value = x - z;\n"
            "    y = base_value * base_value;\n  } else y = 0;");
  EXPECT_EQ(replaced("for (;;) y += pow(x - z, 2);"),
            "for (;;) {\n    const auto base_value = x - z;\n"
            "    y += base_value * base_value;\n  }");
  EXPECT_EQ(replaced("for (;;)\n    y += pow(x - z, 2); // why\n  f();"),
            "for (;;) {\n    const auto base_value = x - z;\n"
            "    y += base_value * base_value; // why\n  }\n  f();");
  EXPECT_EQ(replaced("if (c) f();\n  else\n    y = pow(x - z, 2);"),
            "if (c) f();\n  else {\n    const auto base_value = x - z;\n"
            "    y = base_value * base_value;\n  }");
}

TEST(PowerEdit, ASumInAConditionGetsAVariableBeforeTheBranch) {
  EXPECT_EQ(replaced("if (pow(x - z, 2) < 4) f();"),
            "const auto base_value = x - z;\n"
            "  if (base_value * base_value < 4) f();");
}

TEST(PowerEdit, WhatWouldBeAnotherProgramStays) {
  EXPECT_EQ(replaced("y = pow(x++, 2);"), "none");
  EXPECT_EQ(replaced("y = pow(f(x), 2);"), "none");
  EXPECT_EQ(replaced("y = pow(v[i++], 2);"), "none");
  EXPECT_EQ(replaced("y = pow(v[next()] + 1, 2);"), "none");
  EXPECT_EQ(replaced("for (; pow(x - z, 2) < 4; ++x) f();"), "none");
  EXPECT_EQ(replaced("while (pow(x - z, 2) < 4) f();"), "none");
  EXPECT_EQ(replaced("if (pow(x - z, 2) < 4) x = 1;"), "none");
  EXPECT_EQ(replaced("y = c ? pow(x - v[i], 2) : 0;"), "none");
  EXPECT_EQ(replaced("y = c && pow(x - v[i], 2) > 1;"), "none");
  EXPECT_EQ(replaced("x = 3, y = pow(x - z, 2);"), "none");
  EXPECT_EQ(replaced("float d = a, y = pow(d - z, 2);"), "none");
  EXPECT_EQ(replaced("float y[2] = {pow(x - z, 2), 1};"), "none");
}

TEST(PowerEdit, ABodyBehindADirectiveGetsNoVariable) {
  EXPECT_EQ(replaced("if (c)\n#pragma nv_diag_suppress 1\n"
                     "    y = pow(x - z, 2);"),
            "none");
  EXPECT_EQ(replaced("if (c)\n#ifdef A\n    f();\n#else\n"
                     "    y = pow(x - z, 2);\n#endif"),
            "none");
  EXPECT_EQ(replaced("f();\n#ifdef A\n  y = pow(x - z, 2);\n#endif"),
            "f();\n#ifdef A\n  const auto base_value = x - z;\n"
            "  y = base_value * base_value;\n#endif");
}

TEST(PowerEdit, AnExponentThatMayBeAnotherNumberStays) {
  EXPECT_EQ(replaced("y = pow(x, n);"), "none");
  EXPECT_EQ(replaced("y = pow(x, N);"), "none");
  EXPECT_EQ(replaced("y = pow(x, (n));"), "none");
  EXPECT_EQ(replaced("y = pow(x, n + 1);"), "none");
  EXPECT_EQ(replaced("y = pow(x, 1.0f / 2);", "sqrtf(@)"), "y = sqrtf(x);");
}

TEST(PowerEdit, MacrosStay) {
  EXPECT_EQ(replaced("y = pow(DIFF, 2);"), "none");
  EXPECT_EQ(replaced("\n#define d a - b\n  y = pow(d, 2);"), "none");
  EXPECT_EQ(replaced("\n#define SQUARE(a) pow(a, 2)\n  y = SQUARE(x);", "@ * @",
                     "SQUARE(x)"),
            "none");
  EXPECT_EQ(replaced("y = power(x, 2);", "@ * @", "power"), "none");
}

} // namespace
