// Costs for other arguments, against those that are computed from scratch.
#include "cost/costs_again.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

KernelShape withArgument(const KernelShape &shape, uint64_t position,
                         uint64_t value) {
  KernelShape result = shape;
  for (Launched &launch : result.launches) {
    if (launch.arguments.size() <= position)
      launch.arguments.resize(position + 1);
    launch.arguments[position] = value;
  }
  return result;
}

void expectSame(const Cost &again, const Cost &plain, size_t access) {
  EXPECT_EQ(again.basis, plain.basis) << access;
  EXPECT_EQ(again.space, plain.space) << access;
  EXPECT_EQ(again.sectors, plain.sectors) << access;
  EXPECT_EQ(again.idealSectors, plain.idealSectors) << access;
  EXPECT_EQ(again.ways, plain.ways) << access;
  EXPECT_EQ(again.wavefronts, plain.wavefronts) << access;
  EXPECT_EQ(again.low, plain.low) << access;
  EXPECT_EQ(again.high, plain.high) << access;
  EXPECT_EQ(again.lowWhole, plain.lowWhole) << access;
  EXPECT_EQ(again.lanes, plain.lanes) << access;
  EXPECT_EQ(again.why, plain.why) << access;
  EXPECT_EQ(again.cause, plain.cause) << access;
  EXPECT_EQ(again.chosenBy, plain.chosenBy) << access;
  EXPECT_EQ(again.addresses, plain.addresses) << access;
  EXPECT_EQ(again.active, plain.active) << access;
  EXPECT_EQ(again.object, plain.object) << access;
  EXPECT_EQ(again.isKeptOut, plain.isKeptOut) << access;
}

/// Expects the same for each of the first `arguments` arguments and some
/// values. Returns how many accesses the first value of each changes.
std::vector<unsigned> expectSameCosts(const std::string &source,
                                      unsigned arguments) {
  const SourceModel model = readText(source);
  const Kernel &kernel = model.kernels.front();
  KernelShape shape = kernel.shapes.front();
  if (shape.launches.empty())
    shape.launches.emplace_back();
  const CostsAgain again(kernel, shape);
  const std::vector<Cost> before = costs(kernel, shape);
  std::vector<unsigned> changed;
  for (unsigned position = 0; position < arguments; ++position) {
    changed.push_back(0);
    for (uint64_t value : {1, 2, 3, 64, 4096}) {
      const KernelShape other = withArgument(shape, position, value);
      const std::vector<Cost> one = again.costs(other),
                              plain = costs(kernel, other);
      EXPECT_EQ(one.size(), plain.size());
      for (size_t i = 0; i < std::min(one.size(), plain.size()); ++i) {
        expectSame(one[i], plain[i], i);
        if (value == 1)
          changed.back() += plain[i].sectors != before[i].sectors ||
                            plain[i].lanes != before[i].lanes;
      }
    }
  }
  return changed;
}

} // namespace

using Counts = std::vector<unsigned>;

TEST(CostsAgain, AnArgumentChangesWhatItIndexesAndGuards) {
  EXPECT_EQ(expectSameCosts("__global__ void k(float *a, float *b, int ld, "
                            "int n) {\n"
                            "  a[threadIdx.x * ld] = 1;\n"
                            "  if (threadIdx.x < n) b[threadIdx.x] = 2;\n"
                            "  b[threadIdx.x + 512] = 3;\n"
                            "}\n",
                            4),
            (Counts{0, 0, 1, 1}));
}

// Code behind a loop depends on its bound.
TEST(CostsAgain, TheEndOfALoopDependsOnItsBound) {
  EXPECT_EQ(expectSameCosts("__global__ void k(float *a, int n) {\n"
                            "  int i = 1;\n"
                            "  while (i < n) i *= 2;\n"
                            "  a[threadIdx.x * i] = 1;\n"
                            "  a[threadIdx.x + 4096] = 1;\n"
                            "}\n",
                            2),
            (Counts{0, 1}));
}

TEST(CostsAgain, MembersOfStructuresAreArguments) {
  expectSameCosts("struct P { float *a; int ld, n; };\n"
                  "__global__ void k(P p, float *b, int m) {\n"
                  "  for (int i = threadIdx.x; i < p.n; i += m)\n"
                  "    p.a[i * p.ld] = b[i];\n"
                  "}\n"
                  "void run(P p, float *b) { k<<<64, 256>>>(p, b, 256); }\n",
                  7);
}

// The lists lie behind pointers in memory, each with a range of its own.
TEST(CostsAgain, ObjectsBehindLoadedPointersStayApart) {
  expectSameCosts("struct Row { float *data; int *length; };\n"
                  "__global__ void k(Row *rows, float *out, int ld, int n) {\n"
                  "  Row row = rows[blockIdx.x], next = rows[blockIdx.x + n];\n"
                  "  for (int i = threadIdx.x; i < *row.length; i += 256) {\n"
                  "    out[i * ld] = row.data[i] + next.data[i * ld];\n"
                  "    next.data[i] = row.data[i * *next.length];\n"
                  "  }\n"
                  "}\n",
                  4);
}

// A store of a constant over what the thread has just stored is a correction.
TEST(CostsAgain, CorrectionsAreLeftOut) {
  expectSameCosts("__global__ void k(float *a, const int *b, int ld, int n) {\n"
                  "  int i = threadIdx.x;\n"
                  "  if (i < n) a[i * 64] = b[i];\n"
                  "  if (b[i] == 0) a[i * 64] = 1;\n"
                  "  b += ld;\n"
                  "  a[i * ld] = b[i * 2];\n"
                  "}\n",
                  4);
}

} // namespace warplint
