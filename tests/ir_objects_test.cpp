// The object of a pointer decides which memory an access is said to touch.
#include "ir/ir_objects.h"
#include "graph_of_ir.h"

namespace warplint {

using IrObjectsTest = IrGraphTest;

TEST_F(IrObjectsTest, GlobalsAreObjectsOfTheirSpaceAndSize) {
  read(R"(
@tile = internal addrspace(3) global [64 x float] undef
@table = addrspace(4) constant [8 x i32] zeroinitializer
define void @k() {
  %s = getelementptr float, ptr addrspace(3) @tile, i64 3
  %c = getelementptr i32, ptr addrspace(4) @table, i64 1
  ret void
})");
  EXPECT_EQ(value("s"), "(&tile + 12)");
  EXPECT_EQ(value("c"), "(&table + 4)");
  ASSERT_EQ(kernel_.objects.size(), 2u);
  EXPECT_EQ(kernel_.objects[0].space, Space::Shared);
  EXPECT_EQ(kernel_.objects[0].bytes, 256u);
  EXPECT_EQ(kernel_.objects[1].space, Space::Constant);
}

TEST_F(IrObjectsTest, APointerThatALoopMovesKeepsItsObject) {
  read(R"(
define void @k(ptr %a, ptr %b, i1 %c) {
entry:
  %either = select i1 %c, ptr %a, ptr %b
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %next, %loop ]
  %next = getelementptr i8, ptr %p, i64 4
  br i1 %c, label %loop, label %after
after:
  ret void
})");
  EXPECT_EQ(objectBehind(named("next")), &*function_->arg_begin());
  EXPECT_EQ(objectBehind(named("either")), named("either"));
}

// nvcc puts `__constant__` variables there and no others: a `const` table is
// global memory and has sectors.
TEST_F(IrObjectsTest, OnlyVariablesInConstantMemoryAreConstant) {
  read(R"(
@declared = addrspace(4) constant i32 1
@constexpr = addrspace(4) constant i32 2, !warplint.global !9
@literal = private constant [4 x i8] c"abc\00"
@plain = constant i32 3
@inside = internal addrspace(4) constant i32 4, !dbg !0
define void @k() {
  ret void
}
!llvm.dbg.cu = !{!4}
!llvm.module.flags = !{!8}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = !DIGlobalVariable(name: "inside", scope: !2, file: !3, line: 3, type: !6)
!2 = distinct !DISubprogram(name: "f", file: !3, line: 2, unit: !4, spFlags: DISPFlagDefinition)
!3 = !DIFile(filename: "k.cu", directory: "/")
!4 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, emissionKind: FullDebug)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !{i32 2, !"Debug Info Version", i32 3}
!9 = !{})");
  auto isConstant = [&](const char *name) {
    return isInConstantMemory(*module_->getNamedGlobal(name));
  };
  EXPECT_TRUE(isConstant("declared"));
  EXPECT_FALSE(isConstant("constexpr"));
  EXPECT_TRUE(isConstant("literal"));
  EXPECT_FALSE(isConstant("plain"));
  EXPECT_FALSE(isConstant("inside"));
}

// Readers compare an object's name with what the source calls an access's
// object: by its mangled name it would be another one.
TEST_F(IrObjectsTest, AVariableHasTheNameOfTheSource) {
  read(R"(
@_ZZ1kPfE4tile = internal addrspace(3) global [64 x float] undef
@_ZN4deep5tableE = addrspace(1) global [8 x i32] zeroinitializer
define void @k() {
  %s = getelementptr float, ptr addrspace(3) @_ZZ1kPfE4tile, i64 3
  %t = getelementptr i32, ptr addrspace(1) @_ZN4deep5tableE, i64 1
  ret void
})");
  EXPECT_EQ(value("s"), "(&tile + 12)");
  EXPECT_EQ(value("t"), "(&table + 4)");
}

} // namespace warplint
