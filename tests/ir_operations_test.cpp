// The operations that instructions stand for.
#include "ir/ir_operations.h"
#include "graph_of_ir.h"

namespace warplint {

using IrOperationsTest = IrGraphTest;

TEST_F(IrOperationsTest, ComparisonsAreWrittenWithLess) {
  read(R"(
define void @k(i32 %a, i32 %b) {
  %gt = icmp sgt i32 %a, %b
  %uge = icmp uge i32 %a, %b
  %ult = icmp ult i32 %a, %b
  ret void
})");
  EXPECT_EQ(value("gt"), "(b < a)");
  EXPECT_EQ(kernel_.graph.node(idOf("uge")).op, Op::LessEqualUnsigned);
  EXPECT_EQ(textOf(kernel_, kernel_.graph.operand(idOf("uge"), 0)), "b");
  EXPECT_EQ(value("ult"), "(a <u b)");
}

// Indexes that floats compute are known where the floats are.
TEST_F(IrOperationsTest, OperationsOnFloatsHaveTheirNames) {
  read(R"(
define void @k(i32 %a, float %f, half %h) {
  %float = sitofp i32 %a to float
  %half = fmul float %float, 5.000000e-01
  %small = fptrunc float %half to half
  %index = fptosi float %half to i32
  %less = fcmp olt float %half, %f
  ret void
})");
  EXPECT_EQ(value("index"),
            "opaque{fptosi 32}(opaque{fmul 32}(opaque{sitofp 32}(a), " +
                std::to_string(0x3fe0000000000000) + "))");
  EXPECT_NE(value("less").find("opaque{fcmp olt 32}"), std::string::npos);
  EXPECT_EQ(value("small").find("fptrunc"), std::string::npos)
      << "a half is not followed";
}

} // namespace warplint
