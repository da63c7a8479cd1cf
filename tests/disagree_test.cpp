// Compares two readings of one kernel: reports where they differ, and is silent
// where they agree.
#include "ptx/ptx_kernels.h"
#include "report/disagree.h"
#include "source/settle_shapes.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// A kernel over `p` (%rd1) and `q` (%rd2), %r1 = threadIdx.x; as wide as a
/// `.loc` says, each statement has a line of its own.
Kernel reading(const std::string &body) {
  PtxRequest request;
  auto kernels = readPtxKernels(
      ".version 8.5\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)\n"
      ".reqntid 64\n{\n.reg .pred %p<9>;\n.reg .b32 %r<40>;\n"
      ".reg .b64 %rd<20>;\n.shared .align 16 .b8 tile[8192];\n"
      ".loc 1 1 1\n"
      "ld.param.u64 %rd1, [k_param_0];\nld.param.u64 %rd2, [k_param_1];\n"
      "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
      "mul.wide.u32 %rd4, %r1, 64;\nmul.wide.u32 %rd5, %r1, 16;\n"
      "add.s64 %rd6, %rd1, %rd3;\nadd.s64 %rd7, %rd1, %rd4;\n"
      "add.s64 %rd8, %rd1, %rd5;\nadd.s64 %rd9, %rd2, %rd3;\n" +
          body + "ret;\n}\n.file 1 \"/src/k.cu\"\n",
      request);
  if (!kernels) {
    ADD_FAILURE() << llvm::toString(kernels.takeError());
    return {};
  }
  settleShapes(*kernels, {}, std::nullopt);
  return std::move(kernels->front());
}

const std::string store = ".loc 1 9 3\nst.global.u32 [%rd9], %r2;\n";

TEST(Disagree, SilentIfBothReadersAgree) {
  const std::string body = ".loc 1 8 3\nld.global.u32 %r2, [%rd6];\n" + store;
  EXPECT_THAT(disagreements(reading(body), reading(body)), IsEmpty());
}

TEST(Disagree, SilentIfALoopIsOnlyUnrolled) {
  const std::string once = ".loc 1 8 3\nld.global.u32 %r2, [%rd7];\n";
  const std::string twice = once + "ld.global.u32 %r3, [%rd7+4096];\n";
  EXPECT_THAT(disagreements(reading(once + store), reading(twice + store)),
              IsEmpty());
}

// `a[16 * i] += b[k + i]` in a loop: nvcc loads a's once before it.
TEST(Disagree, SilentAboutALoadThatTheCompilerHoistsOutOfItsLoop) {
  const std::string before = ".loc 1 8 3\nld.global.u32 %r3, [%rd7];\n",
                    loop =
                        "mov.u32 %r9, 0;\n$L1:\n.loc 1 8 3\n"
                        "ld.global.u32 %r2, [%rd6];\nadd.s32 %r3, %r3, %r2;\n"
                        "st.global.u32 [%rd9], %r3;\nadd.s64 %rd6, %rd6, 256;\n"
                        "add.s32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 7;\n"
                        "@%p1 bra $L1;\n";
  EXPECT_THAT(disagreements(reading("mov.u32 %r3, 0;\n" + loop),
                            reading(before + loop)),
              IsEmpty());
}

TEST(Disagree, ReportsADifferentFigureWithItsReason) {
  auto found = disagreements(
      reading(".loc 1 8 3\nld.global.u32 %r2, [%rd6];\n" + store),
      reading(".loc 1 8 3\nld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd8];\n" +
              store));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].place.line, 8u);
  EXPECT_EQ(found[0].source, "4 sectors");
  EXPECT_EQ(found[0].ptx, "16 sectors");
  EXPECT_EQ(found[0].why, "vectorised: 16 bytes at once instead of 4");
}

TEST(Disagree, ReportsAMovedAccessOnce) {
  auto found = disagreements(
      reading(".loc 1 8 3\nld.global.u32 %r2, [%rd7];\n" + store),
      reading(".loc 1 7 3\nld.global.u32 %r2, [%rd7];\n" + store));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].place.line, 8u);
  EXPECT_EQ(found[0].ptxLine, 7u);
  EXPECT_EQ(found[0].why, "moved to line 7");
}

// Two loads of a line, of which nvcc gives one the line that uses it.
TEST(Disagree, ReportsWhereAnAccessMovedFrom) {
  const std::string load = "ld.global.u32 %r2, [%rd7];\n";
  auto found = disagreements(
      reading(".loc 1 8 3\n" + load + "ld.global.u32 %r3, [%rd7+4096];\n" +
              store),
      reading(".loc 1 8 3\n" + load +
              ".loc 1 7 3\nld.global.u32 %r3, [%rd7+4096];\n" + store));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].place.line, 7u);
  EXPECT_EQ(found[0].why,
            "moved from line 8, which has fewer of them than the source");
}

TEST(Disagree, ReportsAnAccessOfOneReaderOnly) {
  auto found =
      disagreements(reading(".loc 1 8 3\nld.global.u32 %r2, [%rd7];\n" + store),
                    reading(store));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].ptx, "none");
  EXPECT_EQ(found[0].why,
            "its value is still in a register, or nothing needs it");
  found = disagreements(
      reading(store),
      reading(".loc 1 8 3\nst.shared.u32 [tile], %r1;\n" + store));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].source, "none");
  EXPECT_EQ(found[0].space, Space::Shared);
}

TEST(Disagree, ReportsWhichReaderCouldNotFollow) {
  const std::string gather = ".loc 1 7 3\nld.global.u32 %r9, [%rd6];\n"
                             "mul.wide.u32 %rd10, %r9, 4;\n"
                             "add.s64 %rd11, %rd1, %rd10;\n"
                             ".loc 1 8 3\nld.global.u32 %r2, [%rd11];\n";
  const std::string plain = ".loc 1 7 3\nld.global.u32 %r9, [%rd6];\n"
                            ".loc 1 8 3\nld.global.u32 %r2, [%rd6];\n";
  auto found = disagreements(reading(gather + store), reading(plain + store));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].source, HasSubstr("unknown: "));
  EXPECT_EQ(found[0].why, "only the PTX could be followed");
  found = disagreements(reading(plain + store), reading(gather + store));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].why, "only the source could be followed");
}

} // namespace
