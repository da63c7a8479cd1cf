// A kernel written as IR, and what is read of it.
#pragma once
#include "ir/normalise.h"
#include "ir/read_ir.h"
#include "ir_text.h"
#include <gmock/gmock.h>

namespace warplint {

inline const char *const declarations = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.membar.gl()
)";

/// A kernel in IR and what the model has of it.
class IrKernel : public testing::Test {
protected:
  std::vector<Kernel> kernels(const std::string &text) {
    module_ = parseIr(text + declarations, context_);
    std::unique_ptr<llvm::TargetMachine> target = deviceTarget(*module_);
    return readKernels(*module_, *target, names_);
  }

  Kernel kernel(const std::string &text) {
    std::vector<Kernel> all = kernels(text);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? Kernel() : std::move(all.front());
  }

  /// A kernel of one block with three arguments.
  Kernel straight(const std::string &body, const std::string &more = "") {
    return kernel("define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {\n" +
                  body + "\n  ret void\n}\n" + more);
  }

  /// A kernel whose loop asks for another iteration at its end.
  Kernel loop(const std::string &body, const std::string &more = "",
              const std::string &metadata = "") {
    return kernel(R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
)" + body + R"(
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %after)" +
                  metadata + R"(
after:
  ret void
}
)" + more);
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  Names names_;
};

/// A kernel, !5, of user.cu, which calls `at`, !4, of lib.h.
inline const std::string debugInfo = R"(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "user.cu", directory: "/src")
!2 = !DIFile(filename: "../lib/./lib.h", directory: "/src")
!4 = distinct !DISubprogram(name: "at", file: !2, line: 6, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "k", file: !1, line: 2, unit: !0, spFlags: DISPFlagDefinition)
!9 = !{i32 2, !"Debug Info Version", i32 3}
)";

/// A store in `at` of lib.h, line 7, called from line 3 of user.cu.
inline const std::string inlined = debugInfo + R"(
define ptx_kernel void @k(ptr %a) !dbg !5 {
  %own = alloca [3 x float]
    #dbg_declare(ptr %own, !10, !DIExpression(), !7)
  store i32 1, ptr %a, !dbg !6
  call void @warplint.passed(ptr %own), !dbg !14
  ret void
}
declare void @warplint.passed(ptr)
!6 = !DILocation(line: 7, column: 5, scope: !4, inlinedAt: !7)
!7 = distinct !DILocation(line: 3, column: 9, scope: !5)
!10 = !DILocalVariable(name: "weights", scope: !5, file: !1, line: 2, type: !11)
!11 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 96, elements: !13)
!12 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!13 = !{!15}
!14 = !DILocation(line: 6, column: 1, scope: !4, inlinedAt: !7)
!15 = !DISubrange(count: 3)
)";

} // namespace warplint
