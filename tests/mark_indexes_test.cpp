// `a(i, j)` keeps its indexes and its layout, though only an address is left of
// it in the IR.
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The layout of the first access of the kernel in `body`, over an array with
/// this layout.
std::optional<ArrayLayout> layoutIn(const std::string &layout,
                                    const std::string &body) {
  const SourceModel model =
      readText("struct layout_left {}; struct layout_right {};\n"
               "struct layout_stride {}; struct layout_left_padded {};\n"
               "template <class Layout> struct Matrix {\n"
               "  using layout_type = Layout;\n"
               "  float *data; int ld;\n"
               "  __device__ float &operator()(int i, int j) const {\n"
               "    return data[i + j * ld]; }\n"
               "  __device__ float &operator()(const long &i, const long &j,\n"
               "                               const long &k) const {\n"
               "    return data[i + j * ld + k]; }\n"
               "  __device__ float &operator()(float x, float y) const {\n"
               "    return data[int(x + y)]; }\n"
               "};\n"
               "__global__ void k(Matrix<" +
               layout + "> a, int n) {\n  " + body + "\n}\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << error.text;
  for (const Kernel &kernel : model.kernels)
    for (const Access &access : kernel.accesses)
      if (access.operation == Operation::Store)
        return access.layout;
  ADD_FAILURE() << "no store";
  return std::nullopt;
}

// The check of a layout against its index needs both; without the mark it is
// silent.
TEST(MarkIndexes, TheLayoutAndAllIndexesAreKept) {
  auto left = layoutIn("layout_left", "a(n, threadIdx.x) = 1;");
  ASSERT_TRUE(left);
  EXPECT_EQ(left->name, "layout_left");
  EXPECT_EQ(left->indexes.size(), 2u);
  auto right = layoutIn("layout_right", "a(threadIdx.x, n, n) = 1;");
  ASSERT_TRUE(right) << "indexes that are passed by reference";
  EXPECT_EQ(right->indexes.size(), 3u);
}

// Views that are made of mdspan: users write the other name.
TEST(MarkIndexes, APaddedLayoutHasTheNameThatUsersWrite) {
  auto padded = layoutIn("layout_left_padded", "a(n, threadIdx.x) = 1;");
  ASSERT_TRUE(padded);
  EXPECT_EQ(padded->name, "LayoutLeft");
}

TEST(MarkIndexes, WhatIsNoIndexHasNoMark) {
  EXPECT_FALSE(layoutIn("layout_stride", "a(n, threadIdx.x) = 1;"))
      << "no index of it is contiguous";
  EXPECT_FALSE(layoutIn("layout_left", "a(1.5f, 2.5f) = 1;"));
  EXPECT_FALSE(layoutIn("layout_left", "a.data[threadIdx.x] = 1;"));
}

} // namespace
