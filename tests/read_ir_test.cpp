// Which functions are kernels, and which of their instructions are accesses.
#include "ir_kernel.h"

namespace warplint {

class ReadIr : public IrKernel {};

TEST_F(ReadIr, OnlyKernelsWithABodyAreKernels) {
  std::vector<Kernel> all = kernels(R"(
declare ptx_kernel void @elsewhere(ptr)
define void @helper(ptr %a) {
  store i32 1, ptr %a
  ret void
}
define ptx_kernel void @k(ptr %a) {
  ret void
}
)");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].mangled, "k");
}

TEST_F(ReadIr, AnAccessHasItsOperationItsBytesAndItsSpace) {
  Kernel read = straight(R"(
  %x = load <4 x float>, ptr %a
  store i16 1, ptr addrspace(3) @tile
  %y = load volatile i64, ptr addrspace(1) null
  %c = load i32, ptr addrspace(4) @table
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 4096, i1 false)
)",
                         R"(
@tile = internal addrspace(3) global i16 undef
@table = addrspace(4) constant i32 7
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
)");
  ASSERT_EQ(read.accesses.size(), 6u);
  auto is = [&](unsigned i, Operation operation, unsigned bytes, Space space) {
    const Access &access = read.accesses[i];
    EXPECT_EQ(access.operation, operation) << i;
    EXPECT_EQ(access.bytes, bytes) << i;
    EXPECT_EQ(access.space, space) << i;
    EXPECT_EQ(access.isVolatile, i == 2) << i;
  };
  is(0, Operation::Load, 16, Space::Global);
  is(1, Operation::Store, 2, Space::Shared);
  is(2, Operation::Load, 8, Space::Global);
  is(3, Operation::Load, 4, Space::Constant);
  is(4, Operation::Load, 0, Space::Global);
  is(5, Operation::Store, 0, Space::Global);
}

} // namespace warplint
