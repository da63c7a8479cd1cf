// The change that a strided access needs, in the program's own names.
#include "kokkos_runs.h"
#include "unjudged_report.h"

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Coalescing : UnjudgedReport {};

} // namespace

TEST_F(Coalescing, ExchangedDimensionsAreNamed) {
  const std::string out = reportOn(
      "__global__ void k(const float *in, float *out, int columns) {\n"
      "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int column = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  out[row * columns + column] = 2 * in[row * columns + column];\n"
      "}\n"
      "void run(float *a, int n) { k<<<dim3(64, 64), dim3(32, 8)>>>(a, a, n); "
      "}\n");
  EXPECT_THAT(out, HasSubstr("fix: swap threadIdx.x and threadIdx.y in 'out["
                             "row * columns + column]'"));
  EXPECT_THAT(out, HasSubstr("the same change ends it for 'in' as well"));
}

// The maintainer swaps two indexes once: that is one finding, whose share is of
// all arrays.
TEST_F(Coalescing, OneOrderOfIndexesIsOneFinding) {
  const std::string out = reportOn(
      "__global__ void k(const float *u, const float *v, float *w, int rows,\n"
      "                  int columns) {\n"
      "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int column = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  float sum = u[row * columns + column];\n"
      "  sum += v[row * columns + column];\n"
      "  w[row * columns + column] = sum;\n"
      "}\n"
      "void run(float *a, int n) {\n"
      "  k<<<dim3(64, 64), dim3(32, 8)>>>(a, a, a, n, n);\n"
      "}\n");
  EXPECT_EQ(llvm::StringRef(out).count("[strided-global-access]"), 1u) << out;
  EXPECT_THAT(out, HasSubstr("the same change ends it for 'u' and 'v' as well"));
}

// A generator fills three arrays, which one index leads through: its remedy is
// one change, though it has two sides.
TEST_F(Coalescing, OneLayoutOfArraysIsOneFinding) {
  const std::string out =
      reportOn("__global__ void k(float *u, float *v, int n) {\n"
               "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  unsigned state = row;\n"
               "  for (int i = 0; i < n; ++i) {\n"
               "    u[row * n + i] = state = state * 1664525 + 1013904223;\n"
               "    v[row * n + i] = state = state * 1664525 + 1013904223;\n"
               "  }\n"
               "}\n"
               "void run(float *a, int n) { k<<<800, 128>>>(a, a, n); }\n");
  EXPECT_EQ(llvm::StringRef(out).count("[strided-global-access]"), 1u) << out;
  EXPECT_THAT(out, HasSubstr("transposed: the loop at line 4"));
}

// x is fixed, and both indexes step over rows: nothing to swap.
TEST_F(Coalescing, AFaceOfAFieldPromisesNoOrderOfIndexes) {
  const std::string out = reportOn(
      "__global__ void k(float *field, int face, int nx, int ny, int nz) {\n"
      "  int y = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int z = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  if (y < ny && z < nz)\n"
      "    field[face + nx * (y + ny * z)] += 1;\n"
      "}\n"
      "void run(float *a, int n) {\n"
      "  k<<<dim3(64, 64), dim3(32, 8)>>>(a, 0, n, n, n);\n"
      "}\n");
  EXPECT_THAT(out, HasSubstr("no index of the kernel steps through "
                             "neighbouring elements of 'field'"));
  EXPECT_THAT(out, Not(HasSubstr("fix:")));
}

// The row of a transposition is the quotient of the one index that it has.
TEST_F(Coalescing, AQuotientOfTheIndexIsAnIndex) {
  const std::string copy =
      "__global__ void k(const float *in, float *out, int rows, int columns) {\n"
      "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  out[t % columns * rows + t / columns] = in[t];\n"
      "}\n"
      "void run(float *a, int n) { k<<<4096, 256>>>(a, a, n, n); }\n";
  const std::string out = reportOn(copy);
  EXPECT_THAT(out, HasSubstr("let neighbouring lanes differ in the quotient or "
                             "remainder that steps through neighbouring "
                             "elements of 'out'"));
  EXPECT_THAT(out, Not(HasSubstr("no index of the kernel")));
  // Pairs, and rows that blocks take one after the other.
  const std::string pairs = reportOn(
      "__global__ void k(const float *in, float *out, int n, int m, int w) {\n"
      "  for (int b = blockIdx.x; b < n * m; b += gridDim.x)\n"
      "    for (int i = threadIdx.x; i < w; i += 128) {\n"
      "      out[2 * (b * w + i)] = in[2 * (i * n * m + b / n + b % n * m)];\n"
      "      out[2 * (b * w + i) + 1] = in[2 * (i * n * m + b / n + b % n * m) + 1];\n"
      "    }\n"
      "}\n"
      "void run(float *a, int n) { k<<<4096, 128>>>(a, a, n, n, n); }\n");
  EXPECT_THAT(pairs, HasSubstr("elements of 'in'"));
  EXPECT_THAT(pairs, Not(HasSubstr("transposed")));
}

// A strided kernel has no other index either, and is what most users look for.
TEST_F(Coalescing, AColumnInAGridStrideLoopIsNotMinor) {
  const std::string file = folder.write(
      "b.cu", "__global__ void k(const float *in, float *out, int p, int n) {\n"
              "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
              "       i += gridDim.x * blockDim.x)\n"
              "    out[i] = in[i * p];\n"
              "}\n"
              "void run(float *a, float *b, int p, int n) {\n"
              "  k<<<1024, 256>>>(a, b, p, n);\n"
              "}\n");
  EXPECT_THAT(runProgram({"check", "--no-judge", "--no-cache", file}).out,
              HasSubstr("[strided-global-access]"));
}

// Exchanged indexes make a transposition's other access the strided one.
TEST_F(Coalescing, ATranspositionNeedsATile) {
  const std::string head =
      "__global__ void k(const float *in, float *out, int columns) {\n"
      "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int column = blockIdx.y * blockDim.y + threadIdx.y;\n";
  const std::string launch =
      "}\n"
      "void run(float *a, int n) { k<<<dim3(64, 64), dim3(32, 8)>>>(a, a, n); "
      "}\n";
  const std::string load = reportOn(
      head + "  out[column * columns + row] = in[row * columns + column];\n" +
      launch);
  EXPECT_THAT(load, HasSubstr("fix: copy a tile of 'in' into shared memory"));
  EXPECT_THAT(load, HasSubstr("'out[column * columns + row]' needs"));
  EXPECT_THAT(load, Not(HasSubstr("swap")));
  const std::string store = reportOn(
      head + "  out[row * columns + column] = in[column * columns + row];\n" +
      launch);
  EXPECT_THAT(store, HasSubstr("copy it to 'out' with lanes along"));
}

// Four arrays would change what the kernel stores for others.
TEST_F(Coalescing, AThreadsOwnChunkMayKeepItsOrder) {
  const std::string out =
      reportOn("__global__ void k(const double *in, double *out) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  double x = in[i];\n"
               "  out[4 * i] = x;\n"
               "  out[4 * i + 1] = 2 * x;\n"
               "  out[4 * i + 2] = 3 * x;\n"
               "  out[4 * i + 3] = 4 * x;\n"
               "}\n"
               "void run(double *a) { k<<<8000, 128>>>(a, a); }\n");
  EXPECT_THAT(out, HasSubstr("fix: let neighbouring lanes store neighbouring "
                             "elements of 'out', and exchange them through "
                             "shared memory"));
}

TEST_F(Coalescing, TheLoopThatLanesShouldShareIsNamed) {
  const std::string out =
      reportOn("__global__ void k(const float *in, float *out, int depth) {\n"
               "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  float sum = 0;\n"
               "  for (int j = 0; j < depth; ++j)\n"
               "    sum += in[row * depth + j];\n"
               "  out[row] = sum;\n"
               "}\n"
               "void run(float *a, int n) { k<<<800, 128>>>(a, a, n); }\n");
  EXPECT_THAT(out, HasSubstr("fix: let the lanes of a warp share the "
                             "iterations of the loop at line 4"));
}

// Which lane has which element of an accumulator is the tensor core's choice.
TEST_F(Coalescing, LanesOfAFragmentStayAsTheyAre) {
  const std::string out = reportOn(
      "__global__ void k(const unsigned *in, float *out, int ld, int n) {\n"
      "  float c[4] = {};\n"
      "  unsigned a = in[threadIdx.x];\n"
      "  for (int i = 0; i < n; ++i)\n"
      "    asm(\"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 \"\n"
      "        \"{%0,%1,%2,%3},{%4,%4,%4,%4},{%4,%4},{%0,%1,%2,%3};\"\n"
      "        : \"+f\"(c[0]), \"+f\"(c[1]), \"+f\"(c[2]), \"+f\"(c[3])\n"
      "        : \"r\"(a));\n"
      "  out[threadIdx.x / 4 * ld + threadIdx.x % 4 * 2] = c[0] + 1;\n"
      "}\n"
      "void run(unsigned *a, float *b, int n) { k<<<800, 32>>>(a, b, n, 2); }\n");
  EXPECT_THAT(out, HasSubstr("fix: collect tiles of 'out' in shared memory, and "
                             "store rows of them; or exchange elements"));
}

// A warp that takes a row takes it in each of the loops.
TEST_F(Coalescing, LoopsBesideEachOtherAreSharedByOneChange) {
  const std::string out = reportOn(
      "__global__ void k(const float *in, float *out, int depth) {\n"
      "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float sum = 0;\n"
      "  for (int j = 0; j < depth; ++j)\n"
      "    sum += in[row * depth + j];\n"
      "  for (int j = 0; j < depth; ++j)\n"
      "    out[row * depth + j] = sum;\n"
      "}\n"
      "void run(float *a, float *b, int n) { k<<<800, 128>>>(a, b, n); }\n");
  EXPECT_THAT(out, HasSubstr("1 warning"));
  EXPECT_THAT(out, HasSubstr("the same change ends it for 'in' as well"));
}

// Each step of the state needs the one before.
TEST_F(Coalescing, ALoopWithAStateIsNotSimplyShared) {
  const std::string out =
      reportOn("__global__ void k(const float *u, float *y, int steps) {\n"
               "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  float h[8] = {};\n"
               "  for (int l = 0; l < steps; ++l)\n"
               "    for (int n = 0; n < 8; ++n)\n"
               "      h[n] = 0.5f * h[n] + n * u[row * steps + l];\n"
               "  y[row] = h[0] + h[3];\n"
               "}\n"
               "void run(float *a, int n) { k<<<800, 128>>>(a, a, n); }\n");
  EXPECT_THAT(out, HasSubstr("fix: if none of them needs what another stores"));
}

// A sweep: lanes that share its iterations would read what is not yet there.
TEST_F(Coalescing, ARecurrenceIsNotShared) {
  const std::string out =
      reportOn("__global__ void k(float *x, const float *a, int depth) {\n"
               "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  for (int j = 1; j < depth; ++j)\n"
               "    x[row * depth + j] -= x[row * depth + j - 1] * a[j];\n"
               "}\n"
               "void run(float *a, int n) { k<<<800, 128>>>(a, a, n); }\n");
  EXPECT_THAT(out, HasSubstr("fix: keep 'x' transposed"));
  EXPECT_THAT(out, Not(HasSubstr("let the lanes")));
}

// A number is taken apart: what is left goes from one iteration to the next.
TEST_F(Coalescing, DigitsOfANumberAreNotShared) {
  const std::string out = reportOn(
      "__global__ void k(const int *number, const int *size, int *digit,\n"
      "                  int digits) {\n"
      "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int rest = number[row];\n"
      "  for (int j = 0; j < digits; ++j) {\n"
      "    digit[row * digits + j] = rest % size[j];\n"
      "    rest /= size[j];\n"
      "  }\n"
      "}\n"
      "void run(int *a, int *b, int n) { k<<<800, 128>>>(a, a, b, n); }\n");
  EXPECT_THAT(out, HasSubstr("fix: keep 'digit' transposed"));
  EXPECT_THAT(out, Not(HasSubstr("let the lanes")));
}

// The lower half is written from the upper one: no iteration needs another, as
// far as a few of them show.
TEST_F(Coalescing, IterationsThatMayNeedEachOtherAreSharedOnACondition) {
  const std::string out =
      reportOn("__global__ void k(float *x, int n) {\n"
               "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  for (int j = row + 1; j < 2048; ++j) {\n"
               "    x[row * 2048 + j] += 1;\n"
               "    x[j * 2048 + row] = x[row * 2048 + j];\n"
               "  }\n"
               "}\n"
               "void run(float *a, int n) { k<<<16, 128>>>(a, n); }\n");
  EXPECT_THAT(out, HasSubstr("fix: if none of them needs what another stores, "
                             "let the lanes of a warp share the iterations of "
                             "the loop at line 3"));
  EXPECT_THAT(out, HasSubstr("or keep 'x' transposed"));
}

TEST_F(Coalescing, LanesTakeWhatNeighbouringBlocksTake) {
  const std::string out =
      reportOn("__global__ void k(const float *in, float *out, int n) {\n"
               "  float sum = 0;\n"
               "  for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
               "    sum += in[i * 32 + blockIdx.x];\n"
               "  out[blockIdx.x * 128 + threadIdx.x] = sum;\n"
               "}\n"
               "void run(float *a, int n) { k<<<32, 128>>>(a, a, n); }\n");
  EXPECT_THAT(out, HasSubstr("fix: let neighbouring lanes take what "
                             "neighbouring blocks take now: blockIdx.x steps "
                             "through neighbouring elements in 'in[i * 32 + "
                             "blockIdx.x]'"));
  EXPECT_THAT(out, Not(HasSubstr("as 32 arrays")));
}

// SpFFT's transposition: lanes along the blocks' index would move the stride
// from the load to the store.
TEST_F(Coalescing, BlocksOfATranspositionNeedATile) {
  for (const std::string at : {"i", "to[i]"}) {
    const std::string out = reportOn(
        "__global__ void k(const float *in, const int *to, float *out, int n,\n"
        "                  int rows) {\n"
        "  for (int i = threadIdx.x; i < n; i += blockDim.x)\n"
        "    out[blockIdx.x * n + " +
        at +
        "] = in[i * rows + blockIdx.x];\n"
        "}\n"
        "void run(float *a, int *to, int n) {\n"
        "  k<<<n, 128>>>(a, to, a, n, n);\n}\n");
    EXPECT_THAT(out, HasSubstr("fix: let a block take several values of "
                               "blockIdx.x, which steps through neighbouring "
                               "elements in 'in[i * rows + blockIdx.x]', and "
                               "move tiles through shared memory: "
                               "'out[blockIdx.x * n + " +
                               at + "]' needs the lanes as they are"));
  }
}

// LMDeploy's copy of scales: lanes step through rows on both sides.
TEST_F(Coalescing, WhatIsStridedItselfNeedsNoLanesAsTheyAre) {
  const std::string out =
      reportOn("__global__ void k(const float *in, const int *of, float *out,\n"
               "                  int from, int to) {\n"
               "  out[threadIdx.x * to + blockIdx.x] =\n"
               "      in[threadIdx.x * from + of[blockIdx.x]];\n"
               "}\n"
               "void run(float *a, int *of, int n) {\n"
               "  k<<<n, 128>>>(a, of, a, n, 3 * n);\n}\n");
  EXPECT_THAT(out, HasSubstr("fix: let neighbouring lanes take what "
                             "neighbouring blocks take now: blockIdx.x steps "
                             "through neighbouring elements in 'out["));
  EXPECT_THAT(out, Not(HasSubstr("needs the lanes as they are")));
}

// No index of the kernel runs through the elements: a guess would be wrong.
TEST_F(Coalescing, WhereNoIndexRunsThroughElementsThePageIsNamed) {
  const std::string out =
      reportOn("__global__ void k(const float *in, float *out, int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  out[i] = in[i * 1024];\n"
               "}\n"
               "void run(float *a, int n) { k<<<800, 128>>>(a, a, n); }\n");
  EXPECT_THAT(out, Not(HasSubstr("fix:")));
  EXPECT_THAT(out, HasSubstr("see: warplint explain strided-global-access"));
}

// The number of terms is an argument: no number of arrays can be named.
TEST_F(Coalescing, RowsOfUnknownLengthAreTransposed) {
  const std::string out =
      reportOn("__global__ void k(const float *x, float *terms, int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  terms[i * n + 0] = 1;\n"
               "  terms[i * n + 1] = x[i];\n"
               "  terms[i * n + 2] = x[i] * x[i];\n"
               "}\n"
               "void run(float *a, int n) { k<<<4096, 256>>>(a, a, n); }\n");
  EXPECT_THAT(out, HasSubstr("fix: keep 'terms' transposed"));
}

// warp-transducer's lanes walk an anti-diagonal of alphas: transposed, they are
// as far apart.
TEST_F(Coalescing, ADiagonalIsNoRow) {
  const std::string out =
      reportOn("__global__ void k(const float *x, float *terms, int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  terms[(n - i) * n + i + 0] = 1;\n"
               "  terms[(n - i) * n + i + 1] = x[i];\n"
               "  terms[(n - i) * n + i + 2] = x[i] * x[i];\n"
               "}\n"
               "void run(float *a, int n) { k<<<4096, 256>>>(a, a, n); }\n");
  EXPECT_THAT(out, HasSubstr("strided-global-access"));
  EXPECT_THAT(out, Not(HasSubstr("transposed")));
}

// threadIdx.x steps through neighbours as it is: the block has too few of it.
TEST_F(Coalescing, ANarrowBlockIsMadeWider) {
  const std::string out = reportOn(
      "__global__ void k(const float *in, float *out, int pitch) {\n"
      "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  out[y * pitch + x] = in[y * pitch + x];\n"
      "}\n"
      "void run(float *a, int n) { k<<<dim3(2048, 32), dim3(2, 128)>>>(a, a, n); "
      "}\n");
  EXPECT_THAT(out, HasSubstr("fix: make the block wider in x, such as 32x8 in "
                             "place of 2x128: threadIdx.x steps through "
                             "neighbouring elements in 'out[y * pitch + x]'"));
  EXPECT_THAT(out, Not(HasSubstr("neighbouring blocks take")));
}

// Blocks of 16x8x8 made HeCBench's minimod 1.23 times as slow (H200): a block
// of as many threads has all three extents in the advice.
TEST_F(Coalescing, AWiderBlockHasAsManyThreads) {
  auto adviceFor = [&](const std::string &block) {
    return reportOn(
        "__global__ void k(const float *in, float *out, int pitch) {\n"
        "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "  int z = blockIdx.z * blockDim.z + threadIdx.z;\n"
        "  int i = (z * pitch + y) * pitch + x;\n"
        "  out[i] = in[i];\n"
        "}\n"
        "void run(float *a, int n) { k<<<dim3(64, 64, 64), dim3(" +
        block + ")>>>(a, a, n); }\n");
  };
  EXPECT_THAT(adviceFor("4, 8, 16"),
              HasSubstr("such as 32x4x4 in place of 4x8x16:"));
  EXPECT_THAT(adviceFor("4, 1, 8"),
              HasSubstr("such as 32x1x1 in place of 4x1x8:"));
}

// As Kokkos launches a range: neighbouring lanes differ in threadIdx.y, and
// there is nothing to swap it with.
TEST_F(Coalescing, LanesOfABlockOfOneColumnDifferInY) {
  const std::string out =
      reportOn("struct Point { float x, y, z; int tag; };\n"
               "__global__ void k(Point *points) {\n"
               "  int i = blockIdx.x * blockDim.y + threadIdx.y;\n"
               "  points[i].tag = i;\n"
               "}\n"
               "void run(Point *p) { k<<<800, dim3(1, 256)>>>(p); }\n");
  EXPECT_THAT(out, HasSubstr("keep 'tag' of all elements of 'points'"));
  EXPECT_THAT(out, Not(HasSubstr("swap")));
}

// A warp for each row of one element left 31 lanes without work, and the kernel
// took 19 times as long.
TEST_F(Coalescing, ALoopOfFewIterationsIsNoRowToShare) {
  const auto reportOf = [&](const std::string &length) {
    return reportOn("__global__ void k(float *__restrict__ out,\n"
                    "                  const float *__restrict__ in, int n) {\n"
                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  for (int j = 0; j < n; ++j)\n"
                    "    out[i * 64 + j] = in[j * 4096 + i];\n"
                    "}\n"
                    "void run(float *a) { k<<<4000, 256>>>(a, a, " +
                    length + "); }\n");
  };
  EXPECT_THAT(reportOf("1"), Not(HasSubstr("share the iterations")));
  // Of a warp that shares four iterations, 28 lanes would have no work.
  EXPECT_THAT(reportOf("4"),
              HasSubstr("let groups of 4 lanes share the iterations of the "
                        "loop at line 4, which steps through neighbouring "
                        "elements of 'out': a group does what one thread does "
                        "now"));
  EXPECT_THAT(reportOf("6"), HasSubstr("let groups of 8 lanes share"));
  EXPECT_THAT(reportOf("100"), HasSubstr("let the lanes of a warp share"));
  // Each row of two elements has a sector, however lanes share it.
  EXPECT_THAT(reportOf("2"), HasSubstr("about 46 % of its time"));
  EXPECT_THAT(reportOf("32"), HasSubstr("about 88 % of its time"));
}

// SageAttention copies structures of eight half2, which are no plain bytes: the
// report showed the class in place of the copy, and a loop to share in its
// line.
TEST_F(Coalescing, ACopyOfAnObjectStandsWhereItIsWritten) {
  folder.write("lib/half2.h",
               "struct Half2 {\n"
               "  unsigned bits;\n"
               "  Half2() = default;\n"
               "  __device__ Half2 &operator=(const Half2 &other) {\n"
               "    bits = other.bits;\n"
               "    return *this;\n"
               "  }\n"
               "};\n");
  const std::string file = folder.write(
      "a.cu", "#include <half2.h>\n"
              "struct Packed { Half2 parts[8]; };\n"
              "__global__ void k(const Packed *in, Packed *out) {\n"
              "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "  out[i] = in[i];\n"
              "}\n"
              "void run(Packed *a) { k<<<4096, 256>>>(a, a); }\n");
  const std::string out =
      runProgram({"check", "--no-judge", "--no-cache", "--minor", file, "--",
                  "-isystem", folder / "lib"})
          .out;
  EXPECT_THAT(out, HasSubstr("a.cu:5:10: warning: store of 'out[i]'"));
  EXPECT_THAT(out, Not(HasSubstr("a.cu:2:")));
  EXPECT_THAT(out, HasSubstr("'out' as 8 arrays"));
  EXPECT_THAT(out, Not(HasSubstr("share the iterations")));
}

// cubvh's functor of thrust::transform: "keep 'value' of all elements of
// 'sum.value' side by side", and no word of 'count'.
TEST_F(Coalescing, MembersOfWhatALibraryPassesAreNamedTogether) {
  folder.write(
      "lib/each.h",
      "template <class T> struct Iterator {\n"
      "  const T *at;\n"
      "  __device__ const T &operator[](int i) const { return *(at + i); }\n"
      "};\n"
      "template <class I, class F>\n"
      "__global__ void each(I in, float *out, F f) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  out[i] = f(in[i]);\n"
      "}\n");
  const std::string file = folder.write(
      "a.cu", "#include <each.h>\n"
              "struct Sum { float value; int count; int others[3]; };\n"
              "struct Mean {\n"
              "  __device__ float operator()(const Sum &sum) const {\n"
              "    return sum.value / sum.count;\n"
              "  }\n"
              "};\n"
              "void run(Sum *in, float *out) {\n"
              "  each<<<4096, 256>>>(Iterator<Sum>{in}, out, Mean());\n"
              "}\n");
  EXPECT_THAT(runProgram({"check", "--no-judge", "--no-cache", "--minor", file,
                          "--", "-isystem", folder / "lib"})
                  .out,
              HasSubstr("fix: keep 'value' and 'count' of all elements of "
                        "'sum' side by side, each in an array of its own"));
}

// L1 joins no stores: eight in one statement had the share of one, 10 %, and a
// loop of eight 80 %.
TEST_F(Coalescing, StoresOfOneStatementShareItsFinding) {
  const std::string out =
      reportOn("struct Parts { float of[8]; };\n"
               "__global__ void copied(const Parts *in, Parts *out) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  out[i] = in[i];\n"
               "}\n"
               "void run(Parts *a) { copied<<<4096, 256>>>(a, a); }\n");
  EXPECT_THAT(out, testing::ContainsRegex("about [6-9]. % of its time")) << out;
}
