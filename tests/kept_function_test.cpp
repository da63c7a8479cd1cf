// A preprocessed source in which one function must not be inlined.
#include "nvcc/kept_function.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Eq;
using testing::HasSubstr;
using testing::Optional;

namespace {

constexpr const char *text =
    "# 1 \"a.h\"\n"
    "float solve(float x) { return x; }\n"
    "# 1 \"a.cu\"\n"
    "float solve(float x);\n"
    "template <class T, int n>\n"
    "# 2 \"a.cu\" 3\n"
    "__attribute__((device))\n"
    "# 2 \"a.cu\"\n"
    "T twice(const T *x)\n"
    "{\n"
    "  return x[n] + x[n];\n"
    "}\n"
    "struct S { public: [[nodiscard]] float member(float x) const {\n"
    "  return x; } };\n"
    "__inline__ __attribute__((always_inline)) float always(float x) {\n"
    "  return solve(x);\n"
    "}\n"
    "extern \"C\" int one(int x) { return x; } int one(long x) { return x; }\n"
    "int early() { return 1; }\n";

std::optional<std::string> kept(const char *name, unsigned line,
                                const char *file = "a.cu") {
  return withFunctionKept(text, name, {file, line, 0}, "/work");
}

TEST(KeptFunction, GetsAnAttributeWithoutMovingALine) {
  EXPECT_THAT(kept("twice<float, 3>", 4),
              Optional(HasSubstr("# 2 \"a.cu\" 3\n__attribute__((noinline)) "
                                 "__attribute__((device))\n")));
  EXPECT_THAT(kept("S::member", 7),
              Optional(HasSubstr("public: [[nodiscard]] "
                                 "__attribute__((noinline)) float member(")));
  EXPECT_THAT(kept("early", 12),
              Optional(HasSubstr("\n__attribute__((noinline)) int early() {")));
  EXPECT_THAT(kept("solve", 1, "a.h"),
              Optional(HasSubstr(
                  "\n__attribute__((noinline)) float solve(float x) { ")));
}

TEST(KeptFunction, NoAttributeContradictsAnother) {
  EXPECT_THAT(kept("always", 10),
              Optional(HasSubstr("__inline__ __attribute__((noinline)) float "
                                 "always(")));
}

TEST(KeptFunction, OneThatIsNotCertainIsLeft) {
  EXPECT_THAT(kept("solve", 1), Eq(std::nullopt)) << "no body";
  EXPECT_THAT(kept("solve", 10), Eq(std::nullopt)) << "a call";
  EXPECT_THAT(kept("one", 11), Eq(std::nullopt)) << "two in a line";
  EXPECT_THAT(kept("early", 3), Eq(std::nullopt)) << "another line";
  EXPECT_THAT(kept("operator()", 3), Eq(std::nullopt));
}

} // namespace
