// The text of fixes: what a user would have typed, and nothing where the tokens
// leave a doubt.
#include "fixed_text.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

std::string madeConst(const std::string &text, const std::string &name) {
  return fixed(text, {.change = Change::DeclareConst,
                      .at = placeOf(text, name),
                      .name = name});
}

TEST(Edits, ACapturedVariableIsDeclaredConst) {
  EXPECT_EQ(madeConst("void f() {\n  int m = 8;\n}\n", "m"),
            "void f() {\n  const int m = 8;\n}\n");
  EXPECT_EQ(madeConst("void f() { auto m{8}; }", "m"),
            "void f() { const auto m{8}; }");
  EXPECT_EQ(madeConst("void f() { std::size_t m(8); }", "m"),
            "void f() { const std::size_t m(8); }");
}

TEST(Edits, WhatConstWouldChangeBesidesStays) {
  EXPECT_EQ(madeConst("void f() { int k = 1, m = 8; }", "m"), "none");
  EXPECT_EQ(madeConst("void f() { int m = 8, k = 1; }", "m"), "none");
  EXPECT_EQ(madeConst("void f() { int *m = g(); }", "m"), "none");
  EXPECT_EQ(madeConst("void f() { const int m = 8; }", "m"), "none");
  EXPECT_EQ(madeConst("void f() { int m; }", "m"), "none");
  EXPECT_EQ(madeConst("void f(int m = 8) {}", "m = 8"), "none");
  EXPECT_EQ(madeConst("#define SIZE int m = 8;\nvoid f() { SIZE }", "m ="),
            "none");
}

std::string padded(const std::string &text, uint64_t number = 1) {
  return fixed(text, {.change = Change::PadRows,
                      .at = placeOf(text, "tile[i]"),
                      .name = "tile",
                      .number = number});
}

TEST(Edits, TheLastExtentIsPadded) {
  EXPECT_THAT(padded("__global__ void k() {\n  __shared__ float tile[32][32];\n"
                     "  tile[i][j] = 0;\n}\n"),
              HasSubstr("float tile[32][32 + 1];"));
  EXPECT_THAT(padded("__global__ void k() {\n  __shared__ float a[2], "
                     "tile[T][2 << S];\n  tile[i][j] = a[0];\n}\n",
                     2),
              HasSubstr("tile[T][(2 << S) + 2];"));
}

TEST(Edits, AnArrayIsNotPaddedIfItsAddressGoesSomewhere) {
  auto with = [](const std::string &use) {
    return padded("__global__ void k() {\n  __shared__ float tile[32][32];\n"
                  "  tile[i][j] = 0;\n  " +
                  use + ";\n}\n");
  };
  EXPECT_EQ(with("f(tile)"), "none");
  EXPECT_EQ(with("f(tile[1])"), "none");
  EXPECT_EQ(with("f(&tile[1][0])"), "none");
  EXPECT_EQ(with("n = sizeof(tile)"), "none");
  EXPECT_EQ(with("float *row = tile[i]"), "none");
  EXPECT_NE(with("x = tile[0][1] & tile[1][0]"), "none");
}

TEST(Edits, ArraysOfOtherKindsAreNotPadded) {
  EXPECT_EQ(padded("#define TILE __shared__ float tile[32][32]\n"
                   "__global__ void k() {\n  TILE;\n  tile[i][j] = 0;\n}\n"),
            "none");
  EXPECT_EQ(padded("__global__ void k() {\n  float tile[32][32];\n"
                   "  tile[i][j] = 0;\n}\n"),
            "none");
  EXPECT_EQ(padded("__global__ void k() {\n  { __shared__ float tile[8][8]; }\n"
                   "  __shared__ float tile[32][32];\n  tile[i][j] = 0;\n}\n"),
            "none");
}

std::string inGlobalMemory(const std::string &text) {
  return fixed(text, {.change = Change::LeaveConstantMemory,
                      .at = placeOf(text, "table["),
                      .name = "table"});
}

TEST(Edits, AConstantTableBecomesConstOnlyIfTheHostDoesNotWriteIt) {
  EXPECT_THAT(inGlobalMemory("__constant__ int table[2] = {1, 2};\n"),
              HasSubstr("__device__ const int table[2] = {1, 2};"));
  EXPECT_THAT(inGlobalMemory("static __constant__ int table[2];\n"),
              HasSubstr("static __device__ int table[2];"));
  EXPECT_THAT(inGlobalMemory("__constant__ int table[2] = {1, 2};\nvoid f() { "
                             "cudaMemcpyToSymbol(table, x, 8); }\n"),
              HasSubstr("__device__ int table[2] = {1, 2};"));
  EXPECT_THAT(inGlobalMemory("__constant__ const int table[2] = {1, 2};\n"),
              HasSubstr("__device__ const int table[2]"));
}

TEST(Edits, ATableThatIsDeclaredElsewhereTooStays) {
  EXPECT_EQ(inGlobalMemory("extern __constant__ int table[2];\n"), "none");
  EXPECT_EQ(inGlobalMemory("__constant__ int table[2], other[3];\n"), "none");
  EXPECT_EQ(inGlobalMemory("#if A\n__constant__ int table[2];\n#else\n"
                           "__constant__ int table[4];\n#endif\n"),
            "none");
}

std::string withBlocks(const std::string &text) {
  return fixed(text, {.change = Change::LimitBlocks,
                      .at = placeOf(text, "kernel"),
                      .name = "kernel",
                      .number = 2});
}

TEST(Edits, LaunchBoundsGetTheirBlocks) {
  EXPECT_EQ(withBlocks("__global__ void __launch_bounds__(256, 8) kernel() {}"),
            "__global__ void __launch_bounds__(256, 2) kernel() {}");
  EXPECT_EQ(withBlocks("template <int N> __global__ __launch_bounds__(f(N, 1), "
                       "BLOCKS)\nvoid kernel() {}"),
            "template <int N> __global__ __launch_bounds__(f(N, 1), 2)\nvoid "
            "kernel() {}");
}

TEST(Edits, LaunchBoundsOfAnotherKindStay) {
  EXPECT_EQ(withBlocks("__global__ void __launch_bounds__(256) kernel() {}"),
            "none");
  EXPECT_EQ(
      withBlocks("__global__ void __launch_bounds__(256, 8, 2) kernel() {}"),
      "none");
  EXPECT_EQ(withBlocks("#define BOUNDS __launch_bounds__(256, 8)\n__global__ "
                       "void BOUNDS kernel() {}"),
            "none");
}

std::string unrolled(const std::string &text) {
  return fixed(text,
               {.change = Change::UnrollFully, .at = placeOf(text, "for (")});
}

TEST(Edits, APragmaThatKeepsALoopIsReplaced) {
  EXPECT_EQ(unrolled("{\n  #pragma unroll 1\n  for (;;)\n    f();\n}"),
            "{\n  #pragma unroll\n  for (;;)\n    f();\n}");
  EXPECT_EQ(unrolled("{\n#pragma nounroll // slow\n  for (;;)\n    f();\n}"),
            "{\n#pragma unroll\n  for (;;)\n    f();\n}");
  EXPECT_EQ(unrolled("{\n#pragma omp simd\n  for (;;)\n    f();\n}"), "none");
  EXPECT_EQ(unrolled("{\n  for (;;)\n    f();\n}"), "none");
}

/// The fix for the first assignment that `what` begins with.
std::string storedOnce(const std::string &body, const std::string &what,
                       uint64_t trips = 0) {
  const std::string text =
      "__global__ void k(float *a, const float *b, int n) {\n" + body + "}\n";
  Place at = placeOf(text, what);
  at.column += what.find('=') - (what.find("+=") == what.npos ? 0 : 1);
  std::string result = fixed(
      text,
      {.change = Change::StoreOnce, .at = at, .name = "a[i]", .number = trips});
  return result;
}

TEST(Edits, AnElementIsKeptInAVariableAndStoredOnce) {
  EXPECT_THAT(storedOnce("  for (int k = 0; k < n; ++k)\n"
                         "    a[i] += b[k];\n",
                         "a[i] += b"),
              HasSubstr("  if (0 < n) {\n"
                        "    auto a_value = a[i];\n"
                        "    for (int k = 0; k < n; ++k)\n"
                        "      a_value += b[k];\n"
                        "    a[i] = a_value;\n"
                        "  }\n"));
}

// A patch that mixes tabs and blanks is the first thing that a reviewer sees.
TEST(Edits, NewLinesAreIndentedAsTheLoopsBodyIs) {
  EXPECT_THAT(storedOnce("\tfor (int k = 0; k < n; ++k)\n"
                         "\t\ta[i] += b[k];\n",
                         "a[i] += b"),
              HasSubstr("\tif (0 < n) {\n"
                        "\t\tauto a_value = a[i];\n"
                        "\t\tfor (int k = 0; k < n; ++k)\n"
                        "\t\t\ta_value += b[k];\n"
                        "\t\ta[i] = a_value;\n"
                        "\t}\n"));
  EXPECT_THAT(storedOnce("    for (int k = 0; k < n; ++k)\n"
                         "        a[i] += b[k];\n",
                         "a[i] += b"),
              HasSubstr("    if (0 < n) {\n"
                        "        auto a_value = a[i];\n"));
}

TEST(Edits, ALoopThatRunsAtLeastOnceNeedsNoGuard) {
  const std::string text = storedOnce("  for (int k = 0; k < 8; ++k)\n"
                                      "    a[i] += b[k];\n",
                                      "a[i] += b", 8);
  EXPECT_THAT(text, HasSubstr("  {\n    auto a_value = a[i];\n"));
  EXPECT_EQ(text.find("if ("), text.npos);
}

TEST(Edits, TheGuardComparesInTheCountersType) {
  EXPECT_THAT(storedOnce("  for (unsigned k = n - 1; k < m; --k)\n"
                         "    a[i] += b[k];\n",
                         "a[i] += b"),
              HasSubstr("if (static_cast<unsigned>(n - 1) < m) {"));
  EXPECT_THAT(
      storedOnce("  int a_value, k;\n  for (k = 2; x.k + k < n; ++k) {\n"
                 "    a[i] = a[i] + b[k];\n  }\n",
                 "a[i] = a"),
      HasSubstr("if (x.k + 2 < n) {\n    auto a_value2 = a[i];"));
}

TEST(Edits, WhatMayLeaveTheLoopOrSeeTheStoreKeepsIt) {
  auto inLoop = [](const std::string &more) {
    return storedOnce("  for (int k = 0; k < n; ++k) {\n    " + more +
                          "\n    a[i] += b[k];\n  }\n",
                      "a[i] += b");
  };
  EXPECT_NE(inLoop("float x = b[k];"), "none");
  EXPECT_EQ(inLoop("__syncthreads();"), "none");
  EXPECT_EQ(inLoop("if (b[k] > 1) break;"), "none");
  EXPECT_EQ(inLoop("if (b[k] > 1) continue;"), "none");
  EXPECT_EQ(inLoop("if (b[k] > 1) return;"), "none");
  EXPECT_EQ(inLoop("a[i + 1] = 0;"), "none");
  EXPECT_EQ(inLoop("f(a);"), "none");
  EXPECT_EQ(inLoop("f(&a[i]);"), "none");
  EXPECT_EQ(inLoop("i += 2;"), "none");
  EXPECT_EQ(inLoop("int i = k;"), "none");
  EXPECT_EQ(inLoop("atomicAdd(&b[k], 1);"), "none");
  EXPECT_EQ(inLoop("asm volatile(\"\");"), "none");
  EXPECT_EQ(inLoop("\n#ifdef A\n#endif\n"), "none");
}

TEST(Edits, AStoreThatIsNotMadeInEachIterationStays) {
  EXPECT_EQ(storedOnce("  for (int k = 0; k < n; ++k)\n    if (b[k])\n"
                       "      a[i] += b[k];\n",
                       "a[i] += b"),
            "none");
  EXPECT_EQ(storedOnce("  for (int k = 0; k < n; ++k) {\n    if (b[k]) {\n"
                       "      a[i] += b[k];\n    }\n  }\n",
                       "a[i] += b"),
            "none");
  EXPECT_EQ(storedOnce("  while (n--)\n    a[i] += b[n];\n", "a[i] += b"),
            "none");
}

TEST(Edits, AnElseStaysWithItsIf) {
  EXPECT_THAT(storedOnce("  if (x)\n    for (int k = 0; k < n; ++k)\n"
                         "      a[i] += b[k];\n  else\n    f();\n",
                         "a[i] += b"),
              HasSubstr("  if (x) {\n    if (0 < n) {\n"));
}

TEST(Edits, PlacesMoveWithTheText) {
  const std::string text = "one\ntwo three\nfour\n";
  const std::vector<Edit> edits = {
      {{"a.cu", 2, 1}, {"a.cu", 2, 4}, 4, 3, "2\n2"}};
  EXPECT_EQ(moved({"a.cu", 1, 2}, text, edits), (Place{"a.cu", 1, 2}));
  EXPECT_EQ(moved({"a.cu", 2, 5}, text, edits), (Place{"a.cu", 3, 3}));
  EXPECT_EQ(moved({"a.cu", 3, 1}, text, edits), (Place{"a.cu", 4, 1}));
  EXPECT_EQ(moved({"b.cu", 3, 1}, text, edits), (Place{"b.cu", 3, 1}));
}

TEST(Edits, APlaceInWhatIsReplacedStaysAtItsToken) {
  const std::string text = "for (;;) {\n  a[i] += b;\n  c[i] += d;\n}\n";
  const std::vector<Edit> edits = {
      {{"a.cu", 1, 1},
       {"a.cu", 4, 2},
       0,
       unsigned(text.size() - 1),
       "if (n) {\n  auto v = a[i];\n  for (;;) {\n    v += b;\n"
       "    c[i] += d;\n  }\n  a[i] = v;\n}"}};
  EXPECT_EQ(moved({"a.cu", 3, 3}, text, edits), (Place{"a.cu", 5, 5}));
  EXPECT_EQ(moved({"a.cu", 3, 8}, text, edits), (Place{"a.cu", 5, 10}));
  EXPECT_EQ(moved({"a.cu", 1, 1}, text, edits), (Place{"a.cu", 1, 1}));
}

} // namespace
