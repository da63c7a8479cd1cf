// A preprocessed source in which one loop must not be unrolled.
#include "nvcc/rolled_loop.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Eq;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

namespace {

constexpr const char *text = "# 1 \"/usr/include/a.h\"\n"
                             "inline void h() { for (;;) ; }\n"
                             "# 1 \"a.cu\"\n"
                             "void k(float *x) {\n"
                             "  float s = 0;\n"
                             "  for (int i = 0; i < 8; ++i)\n"
                             "    s += x[i];\n"
                             "\n"
                             "#pragma unroll 4\n"
                             "\n"
                             "  while (s < 9) s += format(\"for\");\n"
                             "  for (;;) for (;;) ;\n"
                             "  int before = 1;\n"
                             "}\n";

std::optional<std::string> rolled(unsigned line, const char *file = "a.cu") {
  return withLoopRolled(text, {file, line, 0}, "/work");
}

TEST(RolledLoop, GetsAPragmaWithoutMovingALine) {
  EXPECT_THAT(rolled(3),
              Optional(HasSubstr("  float s = 0;\n"
                                 "  _Pragma(\"unroll 1\") for (int i = 0; i < "
                                 "8; ++i)\n    s += x[i];\n")));
  EXPECT_EQ(rolled(3, "/work/a.cu"), rolled(3));
}

TEST(RolledLoop, ItsOwnPragmaIsReplaced) {
  auto result = rolled(8);
  EXPECT_THAT(result, Optional(HasSubstr("#pragma unroll 1\n\n  while (s")));
  EXPECT_THAT(result, Optional(Not(HasSubstr("unroll 4"))));
}

TEST(RolledLoop, OneThatIsNotCertainIsLeft) {
  EXPECT_THAT(rolled(9), Eq(std::nullopt)) << "two loops in a line";
  EXPECT_THAT(rolled(10), Eq(std::nullopt)) << "'before' is no loop";
  EXPECT_THAT(rolled(1, "b.cu"), Eq(std::nullopt)) << "another file";
}

} // namespace
