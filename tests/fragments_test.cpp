// The lanes of a tensor core's fragments are not the programmer's to choose.
#include "ir/fragments.h"
#include "ir_kernel.h"

namespace warplint {

using Fragments = IrKernel;

static const char *const product =
    "call { float, float } asm \"mma.sync.aligned.m16n8k8.row.col;\", "
    "\"=f,=f,r,f\"(i32 %x, float %before)";

TEST_F(Fragments, LanesOfFragmentsAreFixed) {
  const Kernel read = straight(std::string(R"(
  %own = alloca [2 x float]
  %x = load i32, ptr %a
  %index = load i32, ptr %b
  %more = getelementptr float, ptr %b, i32 %index
  %before = load float, ptr %own
  %d = )") + product + R"(
  %first = extractvalue { float, float } %d, 0
  %at = getelementptr float, ptr %own, i32 1
  store float %first, ptr %at
  %back = load float, ptr %own
  %scaled = fmul float %back, 2.0
  store float %scaled, ptr %more
  store float 2.0, ptr %more
)");
  std::vector<bool> fragments;
  for (const Access &access : read.accesses)
    if (access.space != Space::Local)
      fragments.push_back(access.ofFragment);
  EXPECT_THAT(fragments, testing::ElementsAre(true, false, true, false));
}

TEST_F(Fragments, WhatIsComputedOfALoadIsAnotherLayout) {
  const Kernel read = straight(std::string(R"(
  %packed = load i32, ptr %a
  %x = and i32 %packed, 255
  %before = load float, ptr %b
  %d = )") + product);
  ASSERT_EQ(read.accesses.size(), 2u);
  EXPECT_FALSE(read.accesses[0].ofFragment);
  EXPECT_TRUE(read.accesses[1].ofFragment);
}

TEST_F(Fragments, OtherAssemblyIsNoMatrixProduct) {
  const Kernel read = straight(R"(
  %x = load i32, ptr %a
  %d = call i32 asm "prmt.b32 $0, $1, $1, 0;", "=r,r"(i32 %x)
  store i32 %d, ptr %b
)");
  ASSERT_EQ(read.accesses.size(), 2u);
  EXPECT_FALSE(read.accesses[0].ofFragment || read.accesses[1].ofFragment);
}

} // namespace warplint
