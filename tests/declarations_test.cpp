// Edits of declarations, and texts that only look like the one that is meant.
#include "fixes/edits.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The text, of which '@' marks the place of the fix, after it; "none" if there
/// is no edit.
std::string after(std::string text, Fix fix) {
  const size_t at = text.find('@');
  EXPECT_NE(at, text.npos);
  text.erase(at, 1);
  const llvm::StringRef before = llvm::StringRef(text).take_front(at);
  const size_t line = before.rfind('\n');
  fix.at = {"a.cu", unsigned(before.count('\n') + 1),
            unsigned(line == llvm::StringRef::npos ? at + 1 : at - line)};
  const std::vector<Edit> edits = editsOf(fix, text);
  return edits.empty() ? "none" : applied(text, edits);
}

std::string madeConst(const std::string &text) {
  return after(text, {.change = Change::DeclareConst, .name = "m"});
}
std::string padded(const std::string &text) {
  return after(text, {.change = Change::PadRows, .name = "t", .number = 1});
}
std::string unrolled(const std::string &text) {
  return after(text, {.change = Change::UnrollFully});
}
std::string limited(const std::string &text) {
  return after(text, {.change = Change::LimitBlocks, .name = "k", .number = 3});
}

} // namespace

// A counter cannot be const, nor can what a condition or a binding declares.
TEST(DeclarationEdits, OnlyADeclarationOfItsOwnBecomesConst) {
  EXPECT_EQ(madeConst("void f() { static int @m = 8; }"),
            "void f() { const static int m = 8; }");
  for (const char *text :
       {"void f() { for (int @m = 8; m; --m) g(); }",
        "void f() { if (int @m = g()) h(); }",
        "void f() { auto [@m, k] = g(); }", "void f() { auto &@m = g(); }",
        "void f() { switch (x) { case 1: int @m = 8; } }",
        "void f() { @m = 8; }", "extern int @m = 8;"})
    EXPECT_EQ(madeConst(text), "none") << text;
}

// The place is of another text: the file changed since it was read.
TEST(DeclarationEdits, ATextThatChangedStays) {
  EXPECT_EQ(madeConst("void f() { int @k = 8; }"), "none");
  EXPECT_EQ(madeConst("void f() { int @ m = 8; }"), "none");
}

TEST(DeclarationEdits, AnExpressionOfAnExtentKeepsItsValue) {
  EXPECT_THAT(padded("__global__ void k() {\n"
                     "  __shared__ float t[N][N * 2];\n  @t[i][j] = 0;\n}\n"),
              HasSubstr("float t[N][(N * 2) + 1];"));
  EXPECT_THAT(padded("__global__ void k() {\n"
                     "  __shared__ float s, t[2][8][8];\n"
                     "  @t[h][i][j] = 0;\n}\n"),
              HasSubstr("float s, t[2][8][8 + 1];"));
}

// Code that knows the array's size or walks it by a pointer would read the
// padding.
TEST(DeclarationEdits, AnArrayThatIsUsedAsAWholeIsNotPadded) {
  for (const char *use : {"f(t);", "f(t[i]);", "memset(t, 0, sizeof(t));",
                          "p = &t[0][0];", "p = t[i] + j;"})
    EXPECT_EQ(padded(std::string("__global__ void k() {\n"
                                 "  __shared__ float t[8][8];\n  ") +
                     use + "\n  @t[i][j] = 0;\n}\n"),
              "none")
        << use;
}

// The other kernel's array of the same name has its own accesses.
TEST(DeclarationEdits, OnlyTheArrayOfThisKernelIsPadded) {
  const std::string text = padded("__global__ void one() {\n"
                                  "  __shared__ float t[8][8];\n  f(t);\n}\n"
                                  "__global__ void two() {\n"
                                  "  __shared__ float t[4][4];\n"
                                  "  @t[i][j] = 0;\n}\n");
  EXPECT_THAT(text, HasSubstr("float t[4][4 + 1];"));
  EXPECT_THAT(text, HasSubstr("float t[8][8];"));
}

TEST(DeclarationEdits, APragmaIsFoundAcrossACommentAndInAnySpelling) {
  EXPECT_EQ(unrolled("#  pragma unroll (1)\n  // why\n  @for (;;) f();\n"),
            "#pragma unroll\n  // why\n  for (;;) f();\n");
  EXPECT_EQ(unrolled("_Pragma(\"unroll 1\")\n@for (;;) f();\n"), "none");
  EXPECT_EQ(unrolled("#pragma unroll 1\n@while (x) f();\n"), "none");
  EXPECT_EQ(unrolled("#define UNROLL\n@for (;;) f();\n"), "none");
}

// The bounds before are those of another kernel.
TEST(DeclarationEdits, LaunchBoundsAreThoseOfTheKernel) {
  const std::string text =
      limited("__global__ void __launch_bounds__(64, 8) a() {}\n"
              "__global__ void __launch_bounds__(/* threads, */ 128, 6)\n"
              "@k() {}\n");
  EXPECT_THAT(text, HasSubstr("__launch_bounds__(64, 8)"));
  EXPECT_THAT(text, HasSubstr("__launch_bounds__(/* threads, */ 128, 3)"));
  EXPECT_EQ(limited("__global__ void __launch_bounds__(64, 8) a() {}\n"
                    "__global__ void @k() {}\n"),
            "none");
}

// The host may write it by its address; const, the compiler would use the
// values of the source.
TEST(DeclarationEdits, ATableThatTheHostMayWriteIsNotConst) {
  const Fix fix{.change = Change::LeaveConstantMemory, .name = "t"};
  EXPECT_EQ(after("__constant__ float t[2];\nvoid f() { @g(); }\n", fix),
            "__device__ float t[2];\nvoid f() { g(); }\n");
  EXPECT_THAT(after("__constant__ float t[2] = {1, 2};\n"
                    "__global__ void k() { @y = t[i]; }\n",
                    fix),
              HasSubstr("__device__ const float t[2]"));
  EXPECT_THAT(after("__constant__ float t[2] = {1, 2};\n"
                    "void f() { upload(t, 8); @g(); }\n",
                    fix),
              Not(HasSubstr("const float")));
  EXPECT_THAT(after("__constant__ float t[2] = {1, 2};\n"
                    "void f() { cudaGetSymbolAddress((void **)&p, t); @g(); }"
                    "\n",
                    fix),
              Not(HasSubstr("const float")));
}
