// Segments that data place begin at any element.
#include "cost/data_places.h"
#include "kernel_of.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// Sectors of a load from 'in' under an index.
double sectorsOf(const std::string &type, const std::string &index) {
  const Kernel kernel =
      kernelOf("__global__ void k(const " + type + " *in, " + type +
               " *out, const int *first, int n) {\n  out[threadIdx.x] = in[" +
               index + "];\n}\nvoid run() { k<<<8, 256>>>(0, 0, 0, 3); }\n");
  const std::vector<Cost> found = costs(kernel, kernel.shapes[0]);
  for (size_t i = 0; i < found.size(); ++i)
    if (kernel.accesses[i].object == "in")
      return found[i].sectors;
  return 0;
}

} // namespace

// Seven of eight begin within a sector.
TEST(DataPlaces, TheMeanOfAllBeginningsCounts) {
  EXPECT_DOUBLE_EQ(sectorsOf("float", "first[blockIdx.x] + threadIdx.x"),
                   4.875);
  EXPECT_DOUBLE_EQ(sectorsOf("float", "first[blockIdx.x] * 2 + threadIdx.x"),
                   4.75);
  EXPECT_DOUBLE_EQ(sectorsOf("double", "first[blockIdx.x] + threadIdx.x"),
                   8.75);
}

TEST(DataPlaces, WholeSectorsAndOneElementStayAsTheyAre) {
  EXPECT_DOUBLE_EQ(sectorsOf("float", "first[blockIdx.x] * 8 + threadIdx.x"),
                   4);
  EXPECT_DOUBLE_EQ(sectorsOf("float", "first[blockIdx.x]"), 1);
  EXPECT_DOUBLE_EQ(sectorsOf("float", "first[3] + threadIdx.x"), 4)
      << "a size that all blocks load";
  EXPECT_DOUBLE_EQ(sectorsOf("float", "threadIdx.x"), 4);
}

} // namespace warplint
