// The layout of a View or an mdspan: by it, a finding tells which index to put
// where.
#include "ir_kernel.h"

using testing::ElementsAre;

namespace warplint {

namespace {

/// `a(j, i)` in line 3 of user.cu, of a layout; after inlining, the library's
/// header has the load.
std::string marked(const std::string &layout) {
  return debugInfo + R"(
define ptx_kernel void @k(ptr %a, i32 %i, i32 %j) !dbg !5 {
  call void @warplint.index.)" +
         layout + R"((i32 %j, i32 %i), !dbg !10
  %p = getelementptr float, ptr %a, i32 %i, !dbg !20
  %x = load float, ptr %p, !dbg !20
  %y = load float, ptr %a, !dbg !21
  ret void
}
declare void @warplint.index.)" +
         layout + R"((i32, i32)
!10 = distinct !DILocation(line: 3, column: 5, scope: !5)
!20 = !DILocation(line: 7, column: 1, scope: !4, inlinedAt: !10)
!21 = !DILocation(line: 4, column: 1, scope: !5)
)";
}

class ArrayLayouts : public IrKernel {
protected:
  std::vector<Access> accesses(const std::string &layout) {
    Kernel read = kernel(marked(layout));
    EXPECT_EQ(read.accesses.size(), 2u);
    read.accesses.resize(2);
    return read.accesses;
  }
};

} // namespace

TEST_F(ArrayLayouts, AnAccessHasTheIndexesAsTheSourceWritesThem) {
  names_.indexes[{"/src/user.cu", 3, 5}] = {{"j", "i"}, {}};
  const std::vector<Access> read = accesses("LayoutRight");
  ASSERT_TRUE(read[0].layout);
  EXPECT_EQ(read[0].layout->name, "LayoutRight");
  ASSERT_EQ(read[0].layout->indexes.size(), 2u);
  EXPECT_EQ(read[0].layout->indexes[0].text, "j");
  EXPECT_EQ(read[0].layout->indexes[1].text, "i");
  EXPECT_EQ(read[0].layout->contiguous, 1u);
  EXPECT_FALSE(read[1].layout) << "it is no access of a(j, i)";
  EXPECT_EQ(accesses("LayoutLeft")[0].layout->contiguous, 0u);
}

// A pack of indexes has fewer texts than the call has values.
TEST_F(ArrayLayouts, WithoutAllTextsThereIsNone) {
  EXPECT_FALSE(accesses("LayoutRight")[0].layout);
  names_.indexes[{"/src/user.cu", 3, 5}] = {{"j"}, {}};
  EXPECT_FALSE(accesses("LayoutRight")[0].layout);
}

} // namespace warplint
