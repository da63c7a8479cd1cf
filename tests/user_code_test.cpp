// Kernels of a library that hold nothing of the user's: to read them takes time
// for nothing, and to leave out one that calls the user's functor would lose
// it.
#include "ir/user_code.h"
#include "ir_text.h"
#include <gmock/gmock.h>

namespace warplint {

namespace {

class LibrarysOwnKernels : public testing::Test {
protected:
  /// `functions` use !1 for a subprogram of the user's, !2 for a library's.
  std::vector<std::string> of(const std::string &functions) {
    auto module = parseIr(functions + R"(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!7}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3)
!1 = distinct !DISubprogram(name: "own", file: !3, line: 1, unit: !0, type: !6, spFlags: DISPFlagDefinition)
!2 = distinct !DISubprogram(name: "lib", file: !4, line: 1, unit: !0, type: !6, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "more", file: !4, line: 9, unit: !0, type: !6, spFlags: DISPFlagDefinition)
!3 = !DIFile(filename: "/src/user.cu", directory: "/src")
!4 = !DIFile(filename: "/lib/lib.h", directory: "/src")
!6 = !DISubroutineType(types: !{})
!7 = !{i32 2, !"Debug Info Version", i32 3}
)",
                          context_);
    std::vector<std::string> kernels;
    Names names;
    names.systemFiles.insert("/lib/lib.h");
    for (const llvm::Function *kernel : librarysOwnKernels(*module, names))
      kernels.push_back(kernel->getName().str());
    return kernels;
  }

  llvm::LLVMContext context_;
};

} // namespace

TEST_F(LibrarysOwnKernels, ReachNoFunctionOfTheUsers) {
  EXPECT_THAT(of("define void @helper() !dbg !5 {\n  ret void\n}\n"
                 "define ptx_kernel void @sort() !dbg !2 {\n"
                 "  call void @helper(), !dbg !8\n  ret void\n}\n"
                 "!8 = !DILocation(line: 1, scope: !2)\n"),
              testing::ElementsAre("sort"));
}

TEST_F(LibrarysOwnKernels, OneThatCallsTheUsersFunctorIsNone) {
  EXPECT_THAT(of("define void @functor() !dbg !1 {\n  ret void\n}\n"
                 "define void @helper() !dbg !5 {\n"
                 "  call void @functor(), !dbg !9\n  ret void\n}\n"
                 "define ptx_kernel void @forEach() !dbg !2 {\n"
                 "  call void @helper(), !dbg !8\n  ret void\n}\n"
                 "!8 = !DILocation(line: 1, scope: !2)\n"
                 "!9 = !DILocation(line: 9, scope: !5)\n"),
              testing::IsEmpty());
}

TEST_F(LibrarysOwnKernels, OneWithATableOfTheUsersFunctionsIsNone) {
  EXPECT_THAT(of("@table = constant [1 x ptr] [ptr @functor]\n"
                 "define void @functor() !dbg !1 {\n  ret void\n}\n"
                 "define ptx_kernel void @forEach() !dbg !2 {\n"
                 "  %f = load ptr, ptr @table, !dbg !8\n"
                 "  call void %f(), !dbg !8\n  ret void\n}\n"
                 "!8 = !DILocation(line: 1, scope: !2)\n"),
              testing::IsEmpty());
}

TEST_F(LibrarysOwnKernels, OneOfUnknownOriginIsNone) {
  EXPECT_THAT(of("define ptx_kernel void @k() {\n  ret void\n}\n"
                 "define ptx_kernel void @own() !dbg !1 {\n  ret void\n}\n"
                 "define void @lib() !dbg !2 {\n  ret void\n}\n"
                 "define void @more() !dbg !5 {\n  ret void\n}\n"),
              testing::IsEmpty());
}

} // namespace warplint
