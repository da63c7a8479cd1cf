// Loops over a thread's own small arrays: without unrolling them, the pointers
// of an mdspan or of a Kokkos policy are unknown, and all addresses with them.
#include "ir/analyses.h"
#include "ir/normalise.h"
#include "ir/short_loops.h"
#include "ir_text.h"
#include "read_text.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace warplint {

namespace {

/// Returns what is left of a kernel that fills its own array of four in a loop
/// with `body`.
struct Left {
  unsigned objects = 0, blocks = 0, stores = 0;
};

Left leftOf(const std::string &body, const std::string &pragma = "",
            const std::string &iterations = "4") {
  llvm::LLVMContext context;
  auto module =
      parseIr(R"(
define ptx_kernel void @k(ptr %out, i64 %n) {
entry:
  %extents = alloca [4 x i64]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %slot = getelementptr [4 x i64], ptr %extents, i64 0, i64 %i
  store i64 %i, ptr %slot
)" + body + R"(
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, )" +
                  iterations + R"(
  br i1 %again, label %loop, label %after)" +
                  (pragma.empty() ? "" : ", !llvm.loop !0") + R"(
after:
  %second = getelementptr [4 x i64], ptr %extents, i64 0, i64 1
  %x = load i64, ptr %second
  store i64 %x, ptr %out
  ret void
}
)" +
                  (pragma.empty()
                       ? ""
                       : "!0 = distinct !{!0, !1}\n!1 = !{" + pragma + "}\n"),
              context);
  std::unique_ptr<llvm::TargetMachine> target = deviceTarget(*module);
  Analyses analyses(*target);
  unrollShortLoops(*module->getFunction("k"), analyses.functions);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  const llvm::Function &kernel = *module->getFunction("k");
  Left left;
  left.blocks = kernel.size();
  for (const llvm::Instruction &instruction : llvm::instructions(kernel)) {
    left.objects += llvm::isa<llvm::AllocaInst>(instruction);
    left.stores += llvm::isa<llvm::StoreInst>(instruction);
  }
  return left;
}

/// How many accesses of the thread's own memory stand in each line.
std::map<unsigned, unsigned> ownByLine(const SourceModel &model) {
  std::map<unsigned, unsigned> lines;
  for (const Access &access : model.kernels.at(0).accesses)
    lines[access.place.line] += access.space == Space::Local;
  return lines;
}

} // namespace

TEST(ShortLoops, AnArrayThatALoopFillsBecomesValues) {
  const Left left = leftOf("");
  EXPECT_EQ(left.objects, 0u);
  EXPECT_EQ(left.blocks, 1u);
  EXPECT_EQ(left.stores, 1u) << "the one to memory";
}

// Its accesses would count once for each iteration.
TEST(ShortLoops, ALoopThatAccessesMemoryStays) {
  EXPECT_EQ(leftOf("store i64 %i, ptr %out").stores, 3u);
  EXPECT_GT(leftOf("%y = load volatile i64, ptr %slot").blocks, 1u);
}

TEST(ShortLoops, ALoopThatTheSourceForbidsToUnrollStays) {
  EXPECT_GT(leftOf("", "!\"llvm.loop.unroll.disable\"").blocks, 1u);
  EXPECT_EQ(leftOf("", "!\"llvm.loop.unroll.full\"").blocks, 1u);
}

TEST(ShortLoops, ALoopOfManyOrUnknownIterationsStays) {
  EXPECT_GT(leftOf("", "", "%n").blocks, 1u);
  EXPECT_GT(leftOf("", "", "9").blocks, 1u);
}

// An array in memory is accessed as often as the source says, and `#pragma
// unroll 1` keeps a loop.
TEST(ShortLoops, ALoopOverAnArrayInMemoryStays) {
  SourceModel model = readText(R"(
__global__ void kept(const float *in, float *out, int n) {
  float sum[4], once[4];
  for (int k = 0; k < 4; ++k)
    sum[k] = 0;
#pragma unroll 1
  for (int k = 0; k < 4; ++k)
    once[k] = n;
  for (int i = 0; i < n; ++i)
    sum[i & 3] += in[i];
  out[threadIdx.x] = sum[n & 3] + once[0];
}
)");
  ASSERT_EQ(model.kernels.size(), 1u);
  EXPECT_EQ(model.kernels[0].arrays.size(), 2u);
  auto own = ownByLine(model);
  EXPECT_EQ(own[5], 1u);
  EXPECT_EQ(own[8], 1u);
  EXPECT_EQ(model.kernels[0].loops.size(), 3u);
}

} // namespace warplint
