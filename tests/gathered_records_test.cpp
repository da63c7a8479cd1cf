// What each of several gathers from one record brings, of kernels as users
// write them.
#include "cost/gathered_records.h"
#include "cost/kernel_time.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The sectors that all gathers of a lane bring together.
double sectorsOfLane(const std::string &record, const std::string &body) {
  const SourceModel model =
      readText(record +
               "__global__ void k(float *out, const T *body, const int *index, "
               "int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  float s = 0;\n" +
               body +
               "  out[i] = s;\n}\n"
               "void run(T *a, int *j) { k<<<4096, 256>>>(0, a, j, 100); }\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << error.text;
  const CostedKernel costs = costed(model.kernels.at(0));
  Frequencies &frequencies = timeOf(costs, costs.shapes[0]).frequencies();
  const std::vector<RecordPart> parts =
      gatheredRecords(costs.kernel, costs.shapes[0].costs, frequencies);
  double sectors = 0;
  for (unsigned i = 0; i < parts.size(); ++i)
    if (costs.shapes[0].costs[i].isGather())
      sectors +=
          parts[i].sectors * requestsOf(costs.kernel.accesses[i], frequencies);
  return sectors;
}

const std::string six = "struct T { float x, y, z, u, v, w; };\n";

} // namespace

// A record of 24 bytes lies in one sector or in two. A product with matrices of
// lattice QCD was predicted 11,400 sectors for each warp, and moves 3,300.
TEST(GatheredRecords, OneMemberBringsTheSectorsOfAll) {
  EXPECT_DOUBLE_EQ(sectorsOfLane(six, "  const T &b = body[index[i]];\n"
                                      "  s = b.x + b.y + b.z + b.u + b.v + "
                                      "b.w;\n"),
                   1.5);
  EXPECT_DOUBLE_EQ(sectorsOfLane("struct T { float x, y, z, w; };\n",
                                 "  const T &b = body[index[i]];\n"
                                 "  s = b.x + b.y + b.z + b.w;\n"),
                   1);
}

// Two sectors, however the record lies, and nobody else's where the other one
// is not loaded.
TEST(GatheredRecords, APlaceInARecordIsKept) {
  const std::string wide = "struct alignas(64) T { float a[16]; };\n";
  EXPECT_DOUBLE_EQ(sectorsOfLane(wide, "  const T &b = body[index[i]];\n"
                                       "  s = b.a[0] + b.a[1];\n"),
                   1);
  EXPECT_DOUBLE_EQ(sectorsOfLane(wide, "  const T &b = body[index[i]];\n"
                                       "  s = b.a[7] + b.a[8];\n"),
                   2);
  EXPECT_DOUBLE_EQ(
      sectorsOfLane("using T = unsigned char;\n",
                    "  const T *b = body + index[i] + blockIdx.x * 4096;\n"
                    "  s = b[0] + b[31];\n"),
      1 + 31.0 / 32)
      << "bytes begin anywhere";
}

TEST(GatheredRecords, AlternativesBringARecordEach) {
  EXPECT_NEAR(sectorsOfLane(six, "  if (n > 7) s = body[index[i]].x;\n"
                                 "  else s = body[index[i]].y;\n"),
              1, 0.01);
}

TEST(GatheredRecords, LoopsWithinARecordComeBackToIt) {
  EXPECT_DOUBLE_EQ(sectorsOfLane("struct T { float c[3][2]; };\n",
                                 "  const T &b = body[index[i]];\n"
                                 "  for (int r = 0; r < 3; ++r)\n"
                                 "    for (int k = 0; k < 3; ++k)\n"
                                 "      s += b.c[k][0] * r + b.c[k][1];\n"),
                   1.5);
}

TEST(GatheredRecords, EachRecordIsBroughtByItself) {
  EXPECT_DOUBLE_EQ(sectorsOfLane(six, "  s = body[index[i]].x + "
                                      "body[index[i + n]].x;\n"),
                   2);
  EXPECT_DOUBLE_EQ(sectorsOfLane(six,
                                 "  for (int k = 0; k < 100; ++k)\n"
                                 "    s += body[index[i + k * 4096]].x +\n"
                                 "         body[index[i + k * 4096]].y;\n"),
                   100);
}

// The same element for each of four passes through all rows.
TEST(GatheredRecords, AnOuterLoopDoesNotComeBackInTime) {
  EXPECT_DOUBLE_EQ(sectorsOfLane("using T = float;\n",
                                 "  for (int t = 0; t < 4; ++t)\n"
                                 "    for (int k = 0; k < 100; ++k)\n"
                                 "      s += body[k * 4096 + index[i]];\n"),
                   400);
}

TEST(GatheredRecords, AnIndexThatIsNotFollowedMayDifferInEachIteration) {
  EXPECT_DOUBLE_EQ(
      sectorsOfLane("using T = float;\n",
                    "  int own[30];\n"
                    "  for (int k = 0; k < 30; ++k) own[k] = index[i + k];\n"
                    "  for (int k = 0; k < 3; ++k)\n"
                    "    s += body[own[own[k]]];\n"),
      3);
}

// Rows that lanes walk through do not stay in L1 for all of them.
TEST(GatheredRecords, ARowOfManyLinesIsNoRecord) {
  EXPECT_DOUBLE_EQ(sectorsOfLane("using T = float;\n",
                                 "  for (int k = 0; k < 64; ++k)\n"
                                 "    s += body[index[i] * 64 + k];\n"),
                   64);
}
