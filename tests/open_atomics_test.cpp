// Atomics with a scope and those of libcu++: read as unknown calls, a
// compare-and-swap would be called an update that one lane can make for its
// warp, and a sum that the compiler combines would cost 32 times as much.
#include "ir/open_atomics.h"
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
  openAtomics(*kernel);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const llvm::Instruction &instruction : llvm::instructions(*kernel))
    out << instruction << "\n";
  return text;
}

} // namespace

TEST(OpenAtomics, ScopedOnesAreLlvmsOwn) {
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

TEST(OpenAtomics, ASwapGivesTheOldValue) {
  EXPECT_EQ(opened("%x = call i64 @llvm.nvvm.atomic.cas.gen.i.sys.i64.p0("
                   "ptr %a, i64 1, i64 2)\n"
                   "store i64 %x, ptr %out\n"),
            "  %1 = cmpxchg ptr %a, i64 1, i64 2 monotonic monotonic, align 8\n"
            "  %2 = extractvalue { i64, i1 } %1, 0\n"
            "  store i64 %2, ptr %out, align 8\n"
            "  ret void\n");
}

// The text is libcu++'s.
TEST(OpenAtomics, InlinePtxIs) {
  EXPECT_EQ(opened("%x = call i32 asm sideeffect \"atom.add.relaxed.gpu.s32 "
                   "$0,[$1],$2;\", \"=r,l,r,~{memory}\"(ptr %a, i32 5)\n"
                   "store i32 %x, ptr %out\n"),
            "  %1 = atomicrmw add ptr %a, i32 5 acq_rel, align 4\n"
            "  store i32 %1, ptr %out, align 4\n"
            "  ret void\n");
  EXPECT_NE(opened("call void asm sideeffect \"red.global.add.f32 [$0], $1;\", "
                   "\"l,f\"(ptr %a, float 1.0)\n")
                .find("atomicrmw fadd ptr addrspace(1) %1, float 1.000000e+00 "
                      "monotonic"),
            std::string::npos);
  EXPECT_NE(
      opened("call i32 asm sideeffect \"atom.cta.max.u32 $0, [$1], $2;\", "
             "\"=r,l,r\"(ptr %a, i32 1)\n")
          .find("atomicrmw umax ptr %a, i32 1 syncscope(\"block\")"),
      std::string::npos);
  EXPECT_NE(opened("%x = call i64 asm sideeffect \"atom.cas.b64 $0, [$1], $2, "
                   "$3;\", \"=l,l,l,l\"(ptr %a, i64 1, i64 2)\n")
                .find("cmpxchg ptr %a, i64 1, i64 2 monotonic"),
            std::string::npos);
}

// A loop that waits for what it orders is no loop that could keep the element
// in a register.
TEST(OpenAtomics, WhatOneOrdersIsAFence) {
  EXPECT_EQ(opened("call i32 asm sideeffect \"atom.add.acquire.sys.s32 "
                   "$0,[$1],$2;\", \"=r,l,r,~{memory}\"(ptr %a, i32 5)\n"),
            "  call void asm sideeffect \"fence.acq_rel.gpu;\", "
            "\"~{memory}\"()\n"
            "  %1 = atomicrmw add ptr %a, i32 5 acq_rel, align 4\n"
            "  ret void\n");
}

// Two statements, another address, a vector or a format that LLVM's
// atomics lack: what is not followed is named by whoever reads the assembly.
TEST(OpenAtomics, OtherPtxStays) {
  for (const char *assembly :
       {"\"atom.add.s32 $0,[$1+4],$2;\", \"=r,l,r\"(ptr %a, i32 5)",
        "\"atom.add.s32 $0,[$1],3;\", \"=r,l,r\"(ptr %a, i32 5)",
        "\"atom.add.s32 $0,[$1],$2; membar.gl;\", \"=r,l,r\"(ptr %a, i32 5)",
        "\"atom.add.noftz.f16x2 $0,[$1],$2;\", \"=r,l,r\"(ptr %a, i32 5)",
        "\"@p atom.add.s32 $0,[$1],$2;\", \"=r,l,r\"(ptr %a, i32 5)",
        "\"ld.global.s32 $0,[$1];\", \"=r,l,r\"(ptr %a, i32 5)"})
    EXPECT_NE(opened(std::string("call i32 asm sideeffect ") + assembly + "\n")
                  .find("asm sideeffect"),
              std::string::npos)
        << assembly;
}

TEST(OpenAtomics, AnUnknownOneStays) {
  EXPECT_NE(opened("call i32 @llvm.nvvm.atomic.new.gen.i.sys.i32.p0("
                   "ptr %a, i32 1)\n")
                .find("call i32 @llvm.nvvm.atomic.new"),
            std::string::npos);
}

} // namespace warplint
