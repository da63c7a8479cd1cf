// PTX text as declarations and statements.
#include "ptx/ptx_text.h"
#include <gmock/gmock.h>

using namespace warplint::ptx;
using testing::ElementsAre;
using testing::StartsWith;

static Module parsed(llvm::StringRef text) {
  auto module = parsePtx(text);
  if (module)
    return std::move(*module);
  ADD_FAILURE() << llvm::toString(module.takeError());
  return {};
}

static std::string failureOf(llvm::StringRef text) {
  auto module = parsePtx(text);
  return module ? "none" : llvm::toString(module.takeError());
}

static const char *const kernel = R"(
.version 8.8
.target sm_90
.address_size 64
.global .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.extern .shared .align 16 .b8 tile[];
.visible .entry k(
  .param .u64 .ptr .align 1 k_param_0,
  .param .u32 k_param_1
)
.maxntid 256, 1, 1
.minnctapersm 2
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [k_param_0];
  setp.lt.s32 %p1, %r1, 4;
  @!%p1 bra $L_end;
  st.global.v2.f32 [%rd1+-8], {%r2, 0f3F800000};
$L_end:
  ret;
}
)";

TEST(PtxText, DeclarationsHaveTheirSizes) {
  const Module module = parsed(kernel);
  ASSERT_EQ(module.variables.size(), 2u);
  EXPECT_EQ(module.variables[0].name, "table");
  EXPECT_EQ(module.variables[0].bytes(), 8u);
  EXPECT_EQ(module.variables[0].initial.size(), 8u);
  EXPECT_EQ(module.variables[0].initial[2].value, 3);
  EXPECT_TRUE(module.variables[1].isExtern);
  EXPECT_EQ(module.variables[1].space, Space::Shared);
  EXPECT_EQ(module.variables[1].bytes(), 0u);
}

TEST(PtxText, AKernelHasParametersAndLimits) {
  const Module module = parsed(kernel);
  ASSERT_EQ(module.functions.size(), 1u);
  const Function &k = module.functions[0];
  EXPECT_EQ(k.name, "k");
  EXPECT_TRUE(k.isKernel && k.isVisible && k.isDefined);
  ASSERT_EQ(k.parameters.size(), 2u);
  EXPECT_TRUE(k.parameters[0].isPointer);
  EXPECT_EQ(k.parameters[1].type.bits, 32u);
  EXPECT_THAT(k.directives.at("maxntid").values, ElementsAre(256, 1, 1));
  EXPECT_THAT(k.directives.at("minnctapersm").values, ElementsAre(2));
}

TEST(PtxText, TypesHaveLanes) {
  EXPECT_EQ(typeNamed("f16x2")->lanes, 2u);
  EXPECT_EQ(typeNamed("f16x2")->bits, 16u);
  EXPECT_TRUE(typeNamed("s64")->isSigned());
  EXPECT_TRUE(typeNamed("bf16")->isFloat());
  EXPECT_FALSE(typeNamed("global"));
}

TEST(PtxText, MalformedTextFailsWithItsLine) {
  EXPECT_THAT(failureOf(".version 8.8\n.target sm_90\n.visible .entry k( {\n"),
              StartsWith("line 3:"));
  EXPECT_THAT(failureOf(".visible .entry k()\n{\n  add.s32 %r1, \n"),
              StartsWith("line "));
}

// A broken kernel beside it must not hide a good one's limits.
TEST(PtxText, HeadsAreReadWithoutBodies) {
  const std::string text = std::string(kernel) +
                           ".visible .entry broken( ,\n"
                           ".visible .entry late() .maxnreg 64 { ??? }\n";
  const std::vector<Function> heads = kernelHeads(text);
  std::vector<std::string> names;
  for (const Function &head : heads)
    names.push_back(head.name.str());
  EXPECT_THAT(names, ElementsAre("k", "late"));
  EXPECT_THAT(heads.back().directives.at("maxnreg").values, ElementsAre(64));
  EXPECT_TRUE(heads.front().statements.empty());
}
