#include "input_folder.h"
#include "machine/option_branches.h"
#include "machine/register_owners.h"
#include "gtest/gtest.h"

using namespace warplint;
using namespace llvm;

namespace {

/// A kernel whose branch at line 3 guards many instructions if `condition`
/// holds; a loop at line 5 has a condition of its own.
std::string ptxWith(const std::string &file, const std::string &condition) {
  std::string heavy;
  for (unsigned i = 0; i < 30; ++i)
    heavy += "\tfma.rn.f32 \t%f1, %f1, %f1, %f1;\n";
  return ".version 9.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(\n\t.param .u64 k_param_0,\n\t.param .u8 "
         "k_param_1,\n\t.param .u32 k_param_2\n)\n{\n"
         "\t.reg .pred \t%p<9>;\n\t.reg .b16 \t%rs<9>;\n\t.reg .f32 \t%f<9>;\n"
         "\t.reg .b32 \t%r<9>;\n\t.reg .b64 \t%rd<9>;\n"
         "\t.loc\t1 1 0\n"
         "\tld.param.u64 \t%rd1, [k_param_0];\n"
         "\tld.param.s8 \t%rs1, [k_param_1];\n"
         "\tld.param.u32 \t%r1, [k_param_2];\n"
         "\tmov.u32 \t%r3, %tid.x;\n"
         "\tmov.f32 \t%f1, 0f3F800000;\n" +
         condition + heavy +
         "$L__BB0_2:\n"
         "\t.loc\t1 7 3\n"
         "\tst.global.f32 \t[%rd1], %f1;\n\tret;\n}\n\t.file\t1 \"" +
         file + "\"\n";
}

const char *const source = "__global__ void k(float *p, bool refine, int n) {\n"
                           "  float x = 1;\n"
                           "  if (refine) {\n"
                           "    x = heavy(x);\n"
                           "  for (int i = 0; i < n; ++i)\n"
                           "    x = heavy(x); }\n"
                           "  *p = x;\n"
                           "}\n";

struct Read {
  explicit Read(const std::string &condition)
      : file(folder.write("k.cu", source)), ptx(ptxWith(file, condition)) {
    StatementFiles files("/");
    auto read = optionConditions(ptx, "k", files);
    EXPECT_TRUE(bool(read));
    if (read)
      conditions = std::move(*read);
    else
      consumeError(read.takeError());
  }
  InputFolder folder;
  std::string file, ptx;
  std::vector<OptionCondition> conditions;
};

const char *const onFlag = "\t.loc\t1 3 3\n"
                           "\tand.b16 \t%rs2, %rs1, 1;\n"
                           "\tsetp.eq.s16 \t%p1, %rs2, 0;\n"
                           "\t@%p1 bra \t$L__BB0_2;\n";

TEST(OptionBranches, FindsABranchOnAnArgument) {
  Read read(onFlag);
  ASSERT_EQ(read.conditions.size(), 1u);
  const OptionCondition &condition = read.conditions.front();
  EXPECT_EQ(condition.branch.parameter, "refine");
  EXPECT_EQ(condition.branch.place.line, 3u);
  EXPECT_EQ(condition.guarded, 30u);
  EXPECT_TRUE(condition.branch.worksTaken && condition.branch.worksNotTaken);
}

TEST(OptionBranches, FixesTheCondition) {
  Read read(onFlag);
  ASSERT_EQ(read.conditions.size(), 1u);
  const std::string with = withCondition(read.ptx, read.conditions[0], true);
  EXPECT_NE(with.find("\tmov.pred %p1, -1;\n"), std::string::npos);
  EXPECT_EQ(with.find("setp"), std::string::npos);
  const std::string without =
      withCondition(read.ptx, read.conditions[0], false);
  EXPECT_NE(without.find("\tmov.pred %p1, 0;\n"), std::string::npos);
  EXPECT_EQ(StringRef(with).count('\n'), StringRef(read.ptx).count('\n'));
}

TEST(OptionBranches, FollowsAConditionThatIsOnlyPartOfABranch) {
  Read read("\t.loc\t1 3 3\n"
            "\tsetp.eq.s16 \t%p1, %rs1, 0;\n"
            "\tsetp.gt.s32 \t%p2, %r3, 7;\n"
            "\tor.pred \t%p3, %p1, %p2;\n"
            "\t@%p3 bra \t$L__BB0_2;\n");
  ASSERT_EQ(read.conditions.size(), 1u);
  EXPECT_EQ(read.conditions[0].guarded, 30u);
}

// The compiler takes a test out of a loop, and has no place for it then.
TEST(OptionBranches, TakesThePlaceOfTheBranchWhereTheTestHasNone) {
  Read read("\t.loc\t1 0 3\n"
            "\tsetp.eq.s16 \t%p1, %rs1, 0;\n"
            "\t.loc\t1 3 3\n"
            "\t@%p1 bra \t$L__BB0_2;\n");
  ASSERT_EQ(read.conditions.size(), 1u);
  EXPECT_EQ(read.conditions[0].branch.place.line, 3u);
  EXPECT_EQ(read.conditions[0].branch.parameter, "refine");
}

// All threads of a launch read one variable of constant memory alike; elements
// of an array there differ.
TEST(OptionBranches, FindsABranchOnConstantMemory) {
  auto on = [](const std::string &address) {
    return Read("\t.loc\t1 3 3\n"
                "\tld.const.u32 \t%r4, [" +
                address +
                "];\n"
                "\tsetp.eq.s32 \t%p1, %r4, 0;\n"
                "\t@%p1 bra \t$L__BB0_2;\n")
        .conditions;
  };
  ASSERT_EQ(on("_ZN7options6refineE").size(), 1u);
  EXPECT_EQ(on("_ZN7options6refineE")[0].branch.parameter, "refine");
  EXPECT_EQ(on("_ZN7options6refineE+4").size(), 1u);
  EXPECT_TRUE(on("%rd1").empty());
}

// The members of a lambda have no names in the PTX; the statement names them.
TEST(OptionBranches, NamesWhatALambdaCarriesAsTheStatementDoes) {
  const std::string condition = "\t.loc\t1 3 3\n"
                                "\tsetp.lt.s16 \t%p1, %rs1, 2;\n"
                                "\t@%p1 bra \t$L__BB0_2;\n";
  auto named = [&](const std::string &text) {
    InputFolder folder;
    const std::string file =
        folder.write("k.cu", "__global__ void k(float *p, F f, int n) {\n"
                             "  float x = 1;\n"
                             "  " +
                                 text + "\n}\n");
    StatementFiles files("/");
    auto read = optionConditions(ptxWith(file, condition), "k", files);
    EXPECT_TRUE(bool(read));
    if (!read)
      consumeError(read.takeError());
    return read && read->size() == 1 ? read->front().branch.parameter : "";
  };
  EXPECT_EQ(named("if (scheme > 1) x = 2;"), "scheme");
  EXPECT_EQ(named("if (!model.viscous) x = 2;"), "model.viscous");
  EXPECT_EQ(named("if (bias != nullptr) x = 2;"), "bias");
  EXPECT_EQ(named("if (a > b) x = 2;"), "if (a > b)");
  EXPECT_EQ(named("if (enabled(flags)) x = 2;"), "if (enabled(flags))");
}

// '__grid_constant__' parameters are read by an address in a register.
TEST(OptionBranches, FollowsTheAddressOfAParameter) {
  Read read("\t.loc\t1 3 3\n"
            "\tmov.b64 \t%rd2, k_param_1;\n"
            "\tld.param.u8 \t%rs3, [%rd2+8];\n"
            "\tsetp.eq.s16 \t%p1, %rs3, 0;\n"
            "\t@%p1 bra \t$L__BB0_2;\n");
  ASSERT_EQ(read.conditions.size(), 1u);
  EXPECT_EQ(read.conditions[0].branch.parameter, "refine");
}

TEST(OptionBranches, LeavesOutWhatThreadsOrDataDecide) {
  EXPECT_TRUE(Read("\t.loc\t1 3 3\n"
                   "\tsetp.gt.s32 \t%p1, %r3, %r1;\n"
                   "\t@%p1 bra \t$L__BB0_2;\n")
                  .conditions.empty());
  EXPECT_TRUE(Read("\t.loc\t1 3 3\n"
                   "\tld.global.u32 \t%r4, [%rd1];\n"
                   "\tsetp.gt.s32 \t%p1, %r4, 0;\n"
                   "\t@%p1 bra \t$L__BB0_2;\n")
                  .conditions.empty());
}

// A loop's bound is no option, nor what the compiler tests for itself.
TEST(OptionBranches, LeavesOutTheConditionsOfLoops) {
  EXPECT_TRUE(Read("\t.loc\t1 5 3\n"
                   "\tsetp.lt.s32 \t%p1, %r1, 1;\n"
                   "\t@%p1 bra \t$L__BB0_2;\n")
                  .conditions.empty());
  EXPECT_TRUE(Read("\t.loc\t1 2 3\n"
                   "\tsetp.lt.s32 \t%p1, %r1, 1;\n"
                   "\t@%p1 bra \t$L__BB0_2;\n")
                  .conditions.empty());
}

// A return at the top guards all of the kernel.
TEST(OptionBranches, KnowsWhatLeavesNothingToDo) {
  Read read("\t.loc\t1 3 3\n"
            "\tsetp.eq.s16 \t%p1, %rs1, 0;\n"
            "\t@!%p1 bra \t$L__BB0_1;\n\tret;\n$L__BB0_1:\n");
  ASSERT_EQ(read.conditions.size(), 1u);
  EXPECT_FALSE(read.conditions[0].branch.worksTaken);
  EXPECT_TRUE(read.conditions[0].branch.worksNotTaken);
}

} // namespace
