// Strides of Views that their types give: classes of the names that Kokkos and
// mdspan have, without the library.
#include "cost/lanes.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

const char *const library = R"(
namespace Kokkos {
struct LayoutRight {}; struct LayoutLeft {};
struct Padding {};
extern const Padding AllowPadding;
namespace Impl {
template <unsigned long... N> struct ViewDimension {};
template <class Dimension, class Layout> struct ViewOffset {
  unsigned long m_stride;
};
}
template <class Offset> struct View {
  double *m_data; Offset m_offset;
  __device__ double &operator()(int i, int j) const {
    return m_data[i * m_offset.m_stride + j];
  }
};
}
using namespace Kokkos; using namespace Kokkos::Impl;
)";

/// The sectors that a warp touches with `x(threadIdx.x, 0)`.
Cost costOf(const std::string &offset, const std::string &more = "") {
  const SourceModel model =
      readText(library + more + "\n__global__ void k(View<" + offset +
               "> x) { x(threadIdx.x, 0) = 1; }\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << error.text;
  for (const Kernel &kernel : model.kernels)
    for (size_t i = 0; i < kernel.accesses.size(); ++i)
      if (kernel.accesses[i].operation == Operation::Store)
        return costs(kernel, Shape{256, 1, 1})[i];
  ADD_FAILURE() << "no store";
  return {};
}

// View<double *[3]>: rows of 24 bytes, unless the View is part of a wider one.
TEST(PackedViews, RowsOfKnownExtentsAreUsuallyPacked) {
  const Cost packed = costOf("ViewOffset<ViewDimension<0, 3>, LayoutRight>");
  EXPECT_EQ(packed.basis, Basis::Assumed);
  EXPECT_DOUBLE_EQ(packed.sectors, 24);
  EXPECT_DOUBLE_EQ(
      costOf("ViewOffset<ViewDimension<0, 2, 2>, LayoutRight>").sectors, 32);
}

// A stride that the run decides is no number of the type's.
TEST(PackedViews, OtherStridesStayOpen) {
  const Cost open = costOf("ViewOffset<ViewDimension<0, 0>, LayoutRight>"),
             left = costOf("ViewOffset<ViewDimension<0, 3>, LayoutLeft>");
  EXPECT_NE(open.sectors, 24);
  EXPECT_NE(left.sectors, 24);
}

// Only a source that says AllowPadding can have padded rows.
TEST(PackedViews, ASourceThatPadsIsNotTakenForPacked) {
  EXPECT_NE(costOf("ViewOffset<ViewDimension<0, 3>, LayoutRight>",
                   "const Padding *pads() { return &AllowPadding; }")
                .sectors,
            24);
}

// Large kernels hold several Views in an array of a structure.
TEST(PackedViews, ViewsInsideOfOtherMembersAreFound) {
  const SourceModel model = readText(
      std::string(library) +
      "struct All { int n; View<ViewOffset<ViewDimension<0, 3>, LayoutRight>>\n"
      "  views[2]; };\n"
      "__global__ void k(All all) { all.views[1](threadIdx.x, 0) = 1; }\n");
  ASSERT_EQ(model.kernels.size(), 1u);
  const Kernel &kernel = model.kernels.front();
  const std::vector<Cost> all = costs(kernel, Shape{256, 1, 1});
  for (size_t i = 0; i < kernel.accesses.size(); ++i) {
    if (kernel.accesses[i].operation == Operation::Store) {
      EXPECT_DOUBLE_EQ(all[i].sectors, 24);
    }
  }
}

} // namespace
