// What to do about lanes that step over structures, in the program's own names.
#include "kokkos_runs.h"
#include "unjudged_report.h"

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

struct ElementAdvice : UnjudgedReport {};

} // namespace

// Two of eight fields: one array for each takes 67 us where the structures take
// 141 (H200, 16 million of them), and 'p[i].x' alone would not say so.
TEST_F(ElementAdvice, FieldsOfOneStructureSaveTogether) {
  const std::string out = reportOn(
      "struct P { float x, y, z, u, v, w, m, q; };\n"
      "__global__ void k(const P *p, float *o, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) o[i] = p[i].x * p[i].m;\n"
      "}\n"
      "void run(P *p, float *o) { k<<<1 << 16, 256>>>(p, o, 1 << 24); }\n");
  EXPECT_EQ(llvm::StringRef(out).count("[strided-global-access]"), 1u) << out;
  unsigned percent = 0;
  llvm::StringRef(out).split("about ").second.consumeInteger(10, percent);
  EXPECT_GT(percent, 45u) << out;
  EXPECT_LT(percent, 62u) << out;
}

// NCCL's flag of a line, and the whole line that is read.
TEST_F(ElementAdvice, AFlagInAVectorStaysThere) {
  auto text = [](const std::string &body) {
    return "struct alignas(16) float4 { float x, y, z, w; };\n"
           "__global__ void k(float4 *lines, float4 *out) {\n"
           "  int i = blockIdx.x * 256 + threadIdx.x;\n" +
           body + "}\nvoid run(float4 *a) { k<<<1024, 256>>>(a, a); }\n";
  };
  EXPECT_THAT(
      reportOn(text("  lines[i].w = -1;\n")),
      testing::AllOf(HasSubstr("lines[i].w"), Not(HasSubstr("of its own"))));
  EXPECT_THAT(reportOn(text("  lines[i].w = 1; lines[i].x = 2;\n")),
              HasSubstr("keep 'w' and 'x' of all elements of 'lines' side by "
                        "side, each in an array of its own"))
      << "a structure";
}

TEST_F(ElementAdvice, AnArrayOfStructuresBecomesArrays) {
  const std::string out =
      reportOn("struct Particle { float x, y, z, vx, vy, vz, mass, charge; };\n"
               "__global__ void k(const Particle *p, float *out) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  out[i] = p[i].mass;\n"
               "}\n"
               "void run(Particle *p, float *a) { k<<<800, 128>>>(p, a); }\n");
  EXPECT_THAT(out,
              HasSubstr("keep 'mass' of all elements of 'p' side by side"));
}

// Kaldi's `(x + j)->row` was an object by itself: each member was a finding's.
TEST_F(ElementAdvice, AnElementBehindASumIsOneOfTheArray) {
  const std::string out =
      reportOn("struct Element { int row, column; float weight; };\n"
               "__global__ void k(const Element *x, float *out, int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  float sum = 0;\n"
               "  for (int j = i * n; j < (i + 1) * n; ++j)\n"
               "    sum += (x + j)->row + (x + j)->column + (x + j)->weight;\n"
               "  out[i] = sum;\n"
               "}\n"
               "void run(Element *x, float *a, int n) {\n"
               "  k<<<800, 128>>>(x, a, n);\n}\n");
  EXPECT_THAT(out, HasSubstr("through neighbouring elements of 'x':"));
  EXPECT_THAT(out, Not(HasSubstr("ends it for")));
}

// AliceVision's long access was told to keep '..' of all elements side by side.
TEST_F(ElementAdvice, AMemberThatALongTextLeavesOutHasNoName) {
  const std::string out = reportOn(
      "struct Pair { float depth, similarity; };\n"
      "__device__ const Pair *elementOfTheDeviceBuffer(const Pair *p, int y) "
      "{\n  return p + blockIdx.x * blockDim.x + y;\n}\n"
      "__global__ void k(const Pair *inputDepthSimilarityMap, "
      "float *out) {\n"
      "  int column = threadIdx.x;\n"
      "  out[blockIdx.x * blockDim.x + column] = "
      "elementOfTheDeviceBuffer(inputDepthSimilarityMap, column)->depth;\n"
      "}\n"
      "void run(Pair *p, float *a) { k<<<800, 128>>>(p, a); }\n");
  EXPECT_THAT(out, HasSubstr("'inputDepthSimilarityMap' as 2 arrays"));
  EXPECT_THAT(out, Not(HasSubstr("'..'")));
}

// "keep '' of all elements of 'x' side by side": the dot is one of the index.
TEST_F(ElementAdvice, AMemberInTheIndexOfAViewIsNoPartOfItsElements) {
  const std::string file = folder.write("a.cpp", R"(#include <Kokkos_Core.hpp>
struct Range {
  int first;
};
void run(int n, Range range, Kokkos::View<float *> x, Kokkos::View<float *> y) {
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { y(i) = x(3 * (range.first + i)); });
}
)");
  EXPECT_THAT(
      runProgram(withFlags({"check", "--no-judge", "--minor", file})).out,
      HasSubstr("'x' as 3 arrays, one for each of the 3 parts"));
}

// A load of inline assembly has no name but the call's, which is no array.
TEST_F(ElementAdvice, ACallIsNoArrayOfStructures) {
  const std::string out =
      reportOn("__device__ float load(const float *p) {\n"
               "  float v;\n"
               "  asm(\"ld.global.f32 %0, [%1];\" : \"=f\"(v) : \"l\"(p));\n"
               "  return v;\n"
               "}\n"
               "__global__ void k(const float *p, float *out) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  out[i] = load(p + i * 8);\n"
               "}\n"
               "void run(float *p, float *a) { k<<<800, 128>>>(p, a); }\n");
  EXPECT_THAT(out, HasSubstr("[strided-global-access]"));
  EXPECT_THAT(out, Not(HasSubstr("fix: ")));
}

// 'r.count' is one number; the array is the one that 'r' is an element of.
TEST_F(ElementAdvice, AReferenceToAnElementNamesTheArray) {
  const std::string out =
      reportOn("struct Bin { float sum; int count; float values[4]; };\n"
               "__global__ void k(Bin *bins, float *out) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  const Bin &r = bins[i];\n"
               "  out[i] = r.count;\n"
               "}\n"
               "void run(Bin *b, float *a) { k<<<800, 128>>>(b, a); }\n");
  EXPECT_THAT(out, HasSubstr("keep 'count' of all elements of 'bins'"));
}

// Lanes 0 and 1 are 64 bytes apart; nothing of 64 bytes is there.
TEST_F(ElementAdvice, APermutationHasNoElements) {
  const std::string out =
      reportOn("__global__ void k(const float *in, float *out) {\n"
               "  int t = threadIdx.x, block = blockIdx.x * 256;\n"
               "  out[block + t] = in[block + ((t & 15) << 4 | t >> 4)];\n"
               "}\n"
               "void run(float *a) { k<<<800, 256>>>(a, a); }\n");
  EXPECT_THAT(out, HasSubstr("16 sectors per request"));
  EXPECT_THAT(out, Not(HasSubstr("as 16 arrays")));
}
