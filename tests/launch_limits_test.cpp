// Directives and flags as nvcc 13.0 writes and takes them.
#include "machine/launch_limits.h"
#include "nvcc/judging_arguments.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

static const char *const ptx = R"(
.version 9.0
.target sm_90
.address_size 64

.visible .entry _Z1aPf(
	.param .u64 _Z1aPf_param_0
)
.maxntid 32, 8, 2
.minnctapersm 2
.maxclusterrank 4
{
	.reg .b32 	%r<3>;
	ret;
}
.visible .entry _Z1aPfi(
	.param .align 8 .b8 _Z1aPfi_param_0[24],
	.param .u32 _Z1aPfi_param_1
)
.maxnreg 40
{
	ret;
}
.entry _Z1c()
{
	ret;
}
)";

TEST(LaunchLimits, AreReadPerKernel) {
  const auto limits = limitsInPtx(ptx);
  LaunchLimits a = limits.lookup("_Z1aPf");
  EXPECT_EQ(a.maxThreads, 512u);
  EXPECT_EQ(a.minBlocks, 2u);
  EXPECT_EQ(a.maxRegisters, 0u);
  LaunchLimits longer = limits.lookup("_Z1aPfi");
  EXPECT_EQ(longer.maxThreads, 0u);
  EXPECT_EQ(longer.maxRegisters, 40u);
  EXPECT_FALSE(limits.lookup("_Z1c").any());
  EXPECT_FALSE(limits.lookup("_Z1").any());
  EXPECT_TRUE(limitsInPtx(".entry k(").empty());
}

// A cluster's size says nothing of registers, and the other kernels stay.
TEST(LaunchLimits, RemovingThemChangesNothingElse) {
  std::string without = withoutLimits(ptx, {"_Z1aPf"});
  EXPECT_THAT(without, Not(HasSubstr(".maxntid")));
  EXPECT_THAT(without, Not(HasSubstr(".minnctapersm")));
  EXPECT_THAT(without, HasSubstr(".maxclusterrank 4\n{"));
  EXPECT_THAT(without, HasSubstr(".maxnreg 40\n{"));
  EXPECT_FALSE(limitsInPtx(without).lookup("_Z1aPf").any());
  EXPECT_THAT(withoutLimits(ptx, {"_Z1aPfi"}), Not(HasSubstr(".maxnreg")));
  EXPECT_EQ(withoutLimits(ptx, {"_Z1c", "nowhere"}), ptx);
}

TEST(LaunchLimits, AllSpellingsOfTheFlagsAreRead) {
  EXPECT_EQ(registersOfCommand({"nvcc", "-maxrregcount=32", "k.cu"}), 32u);
  EXPECT_EQ(registersOfCommand({"nvcc", "--maxrregcount", "48", "k.cu"}), 48u);
  EXPECT_EQ(registersOfCommand({"nvcc", "-Xptxas", "-maxrregcount=64", "k.cu"}),
            64u);
  EXPECT_EQ(registersOfCommand(
                {"nvcc", "-Xptxas", "--maxrregcount", "-Xptxas", "40", "k.cu"}),
            40u);
  EXPECT_EQ(registersOfCommand({"nvcc", "-DN=maxrregcount", "k.cu"}), 0u);
}

TEST(LaunchLimits, LimitAndLanguageFlagsDoNotReachThePtxCompile) {
  EXPECT_THAT(
      argumentsWithoutLimits({"nvcc", "-O3", "-x", "cu", "-Xptxas",
                              "-maxrregcount=64", "-Xptxas", "-warn",
                              "-maxrregcount", "32", "-rdc=true", "/src/k.cu"},
                             "/tmp/k.ptx"),
      ElementsAre("nvcc", "-O3", "-Xptxas", "-warn", "-rdc=true",
                  "/tmp/k.ptx"));
}
