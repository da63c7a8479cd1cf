// Kernels of many loops, such as one that calls a function with a loop a
// hundred times: scalar evolution takes the cube of their number.
#include "ir/analyses.h"
#include "ir/guard_chains.h"
#include "ir/normalise.h"
#include "ir_text.h"
#include "read_text.h"

namespace warplint {

namespace {

/// `count` loops up to %n, one after the other.
std::string loopsInARow(unsigned count) {
  std::string text = "define ptx_kernel void @k(ptr %a, i32 %n) {\n"
                     "entry:\n  br label %head0\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string id = std::to_string(i),
                      from = i ? "%after" + std::to_string(i - 1) : "%entry";
    text += "head" + id + ":\n  %i" + id + " = phi i32 [ 0, " + from +
            " ], [ %next" + id + ", %body" + id + " ]\n  %more" + id +
            " = icmp slt i32 %i" + id + ", %n\n  br i1 %more" + id +
            ", label %body" + id + ", label %after" + id + "\nbody" + id +
            ":\n  store volatile i32 %i" + id + ", ptr %a\n  %next" + id +
            " = add nsw i32 %i" + id + ", 1\n  br label %head" + id +
            "\nafter" + id + ":\n  br label %" +
            (i + 1 < count ? "head" + std::to_string(i + 1) : "end") + "\n";
  }
  return text + "end:\n  ret void\n}\n";
}

/// What ends the chains of a kernel with so many loops, and the longest chain
/// that is left.
struct Ended {
  unsigned ends = 0, longest = 0;
};

Ended endedIn(unsigned count) {
  llvm::LLVMContext context;
  auto module = parseIr(loopsInARow(count), context);
  const std::unique_ptr<llvm::TargetMachine> target = deviceTarget(*module);
  Analyses analyses(*target);
  llvm::Function &kernel = *module->getFunction("k");
  Ended ended{endGuardChains(kernel, analyses.functions)};
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  auto &loops = analyses.functions.getResult<llvm::LoopAnalysis>(kernel);
  for (const llvm::Loop *loop : loops.getLoopsInPreorder())
    ended.longest = std::max(ended.longest, blocksBefore(*loop, loops, 10'000));
  return ended;
}

/// A kernel with so many loops up to 'n', and one of ten iterations.
std::string callsOfALoop(unsigned count) {
  std::string text = "__global__ void k(float *out, const float *in, int n) {\n"
                     "  float sum = 0;\n";
  for (unsigned i = 0; i < count; ++i)
    text += "  for (int j = 0; j < n; ++j) sum += in[j * " +
            std::to_string(i + 1) + "];\n";
  return text + "  for (int j = 0; j < 10; ++j) sum += in[j];\n"
                "  out[threadIdx.x] = sum;\n}\n";
}

} // namespace

TEST(GuardChains, TheBlocksBeforeALoopStayFew) {
  EXPECT_EQ(endedIn(20).ends, 0u);
  const Ended many = endedIn(400);
  EXPECT_LE(many.longest, mostBefore);
  EXPECT_LE(many.ends, 400 / 32);
}

// What ends a chain is no code of the kernel's.
TEST(GuardChains, AKernelOfManyLoopsIsReadAsOneOfFew) {
  auto outsideOf = [](const Kernel &kernel) {
    double instructions = 0;
    for (const Arithmetic &arithmetic : kernel.arithmetic)
      if (arithmetic.loops.empty())
        instructions += arithmetic.instructions;
    return instructions;
  };
  const SourceModel few = readText(callsOfALoop(2)),
                    many = readText(callsOfALoop(200));
  ASSERT_EQ(few.kernels.size(), 1u);
  ASSERT_EQ(many.kernels.size(), 1u);
  const Kernel &kernel = many.kernels[0];
  ASSERT_EQ(kernel.loops.size(), 201u);
  EXPECT_EQ(kernel.loops.back().tripCount, 10u);
  EXPECT_FALSE(kernel.loops[100].tripCount);
  EXPECT_TRUE(kernel.branches.empty());
  EXPECT_EQ(outsideOf(kernel), outsideOf(few.kernels[0]));
}

} // namespace warplint
