// Atomics with a scope: read as unknown calls, a compare-and-swap would be
// called an update that one lane can make for its warp, and a sum that the
// compiler combines would cost 32 times as much.
#include "ir/scoped_atomics.h"
#include "ir_text.h"
#include "llvm/IR/InstIterator.h"

namespace warplint {

namespace {

std::string opened(const std::string &body) {
  llvm::LLVMContext context;
  auto module = parseIr(
      "declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)\n"
      "declare float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr, float)\n"
      "declare i32 @llvm.nvvm.atomic.inc.gen.i.cta.i32.p0(ptr, i32)\n"
      "declare i64 @llvm.nvvm.atomic.cas.gen.i.sys.i64.p0(ptr, i64, i64)\n"
      "declare i32 @llvm.nvvm.atomic.new.gen.i.sys.i32.p0(ptr, i32)\n"
      "define ptx_kernel void @k(ptr %a, ptr %out) {\n" +
          body + "  ret void\n}\n",
      context);
  llvm::Function *kernel = module->getFunction("k");
  if (!kernel)
    return "";
  openScopedAtomics(*kernel);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const llvm::Instruction &instruction : llvm::instructions(*kernel))
    out << instruction << "\n";
  return text;
}

} // namespace

TEST(ScopedAtomics, AreLlvmsOwn) {
  EXPECT_EQ(opened("%x = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0("
                   "ptr %a, i32 5)\n"
                   "store i32 %x, ptr %out\n"),
            "  %1 = atomicrmw add ptr %a, i32 5 monotonic, align 4\n"
            "  store i32 %1, ptr %out, align 4\n"
            "  ret void\n");
  EXPECT_NE(opened("call float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0("
                   "ptr %a, float 1.0)\n")
                .find("atomicrmw fadd ptr %a, float 1.000000e+00 "
                      "syncscope(\"block\") monotonic"),
            std::string::npos);
  EXPECT_NE(opened("call i32 @llvm.nvvm.atomic.inc.gen.i.cta.i32.p0("
                   "ptr %a, i32 17)\n")
                .find("atomicrmw uinc_wrap ptr %a, i32 17"),
            std::string::npos);
}

TEST(ScopedAtomics, ASwapGivesTheOldValue) {
  EXPECT_EQ(opened("%x = call i64 @llvm.nvvm.atomic.cas.gen.i.sys.i64.p0("
                   "ptr %a, i64 1, i64 2)\n"
                   "store i64 %x, ptr %out\n"),
            "  %1 = cmpxchg ptr %a, i64 1, i64 2 monotonic monotonic, align 8\n"
            "  %2 = extractvalue { i64, i1 } %1, 0\n"
            "  store i64 %2, ptr %out, align 8\n"
            "  ret void\n");
}

TEST(ScopedAtomics, AnUnknownOneStays) {
  EXPECT_NE(opened("call i32 @llvm.nvvm.atomic.new.gen.i.sys.i32.p0("
                   "ptr %a, i32 1)\n")
                .find("call i32 @llvm.nvvm.atomic.new"),
            std::string::npos);
}

} // namespace warplint
