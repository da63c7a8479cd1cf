// Why a kernel has so many registers.
#include "input_folder.h"
#include "machine/register_owners.h"
#include "machine/register_reasons.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

struct RegisterReasons : testing::Test {
  InputFolder folder;
  std::string file =
      folder.write("k.cu", "__global__ void k(float *a, int n) {\n"
                           "  float first = a[0];\n"
                           "  for (int i = 0; i < n; ++i) {\n"
                           "    float x = a[i];\n"
                           "    a[i] = x * first;\n"
                           "  }\n"
                           "}\n");
  RegisterReport report;
  std::vector<unsigned> copies; ///< of the first owners; others have one
  Usage usage;
  LaunchLimits limits;
  std::vector<unsigned> loops; ///< the lines of those that reasons speak of
  std::vector<std::string> functions; ///< likewise, with lines in them

  RegisterReasons() { report.live = 64; }
  RegisterOwner &owner(RegisterKind kind, std::string name,
                       unsigned registers) {
    RegisterOwner &one = report.owners.emplace_back();
    one.kind = kind;
    one.name = std::move(name);
    one.registers = registers;
    return one;
  }
  std::vector<std::string> reasons() {
    StatementFiles files(folder.path);
    copies.resize(report.owners.size(), 1);
    std::vector<std::string> texts;
    for (RegisterReason &reason :
         reasonsOf(report, copies, usage, limits, files)) {
      texts.push_back(std::move(reason.text));
      if (reason.loop.line)
        loops.push_back(reason.loop.line);
      if (reason.function.inside.line)
        functions.push_back(reason.function.name + " " +
                            std::to_string(reason.function.inside.line));
    }
    return texts;
  }
};

} // namespace

// Sixteen instructions that differ in their registers are sixteen copies.
TEST_F(RegisterReasons, CopiesOfALoopsBodyNameTheLoop) {
  owner(RegisterKind::Variable, "x", 16).place = {file, 4, 11};
  copies = {16};
  EXPECT_THAT(reasons(),
              ElementsAre("the loop at line 3 is unrolled: values of up to 16 "
                          "copies of its body hold 16 registers (estimate: 15 "
                          "fewer with one copy)"));
  EXPECT_THAT(loops, ElementsAre(3));
}

// The four parts of a float4 are no copies.
TEST_F(RegisterReasons, ValuesOfDifferentInstructionsAreNoCopies) {
  owner(RegisterKind::Variable, "x", 16).place = {file, 4, 11};
  EXPECT_THAT(reasons(), IsEmpty());
}

// Without the copies the peak may be elsewhere, where some of the values may be
// for the copies, too: what one copy saves is not known.
TEST_F(RegisterReasons, NothingIsEstimatedWhereOtherLinesHoldMany) {
  owner(RegisterKind::Variable, "x", 16).place = {file, 4, 11};
  copies = {16};
  report.lines = {{{file, 2, 0}, 49}, {{file, 5, 0}, 64}};
  EXPECT_THAT(reasons(), ElementsAre(HasSubstr("estimate: 15 fewer")));
  report.lines[0].most = 50;
  EXPECT_THAT(reasons(),
              ElementsAre(AllOf(HasSubstr("hold 16 registers; up to 50 are "
                                          "live outside of it"),
                                Not(HasSubstr("estimate")))));
}

// `#pragma unroll 1` on such a loop of HeCBench's match took 78 registers for
// 54, and 104 for 56.
TEST_F(RegisterReasons, NothingIsEstimatedWhereTheCounterIndexesRegisters) {
  const std::string rows = folder.write("rows.cu", R"(__global__ void k() {
  float sum[4], all[4];
  __shared__ float tile[4];
  for (int r = 0; r < 4; ++r) {
    float x = a[r];
    sum[r] += x * all[0] + tile[r];
  }
}
)");
  owner(RegisterKind::Variable, "x", 16).place = {rows, 5, 11};
  copies = {4};
  owner(RegisterKind::Variable, "all[4]", 4).place = {rows, 9, 1};
  owner(RegisterKind::Variable, "tile[4]", 4).place = {rows, 9, 1};
  EXPECT_THAT(reasons(), ElementsAre(HasSubstr("estimate: 12 fewer")))
      << "each copy has the same element of 'all', and 'tile' is shared";
  copies = {4};
  owner(RegisterKind::Variable, "sum[4]", 4).place = {rows, 6, 5};
  EXPECT_THAT(reasons(),
              ElementsAre(HasSubstr("hold 16 registers; without them 'sum' "
                                    "would be indexed at run time")));
}

// An array has its own values.
TEST_F(RegisterReasons, ElementsOfAnArrayAreNoCopies) {
  owner(RegisterKind::Variable, "acc[16]", 16).place = {file, 4, 11};
  copies = {16};
  EXPECT_THAT(reasons(),
              ElementsAre("elements of 'acc[16]' hold 16 registers"));
}

TEST_F(RegisterReasons, AValueOutsideOfALoopIsNoCopyOfIt) {
  owner(RegisterKind::Variable, "first", 16).place = {file, 2, 9};
  copies = {16};
  EXPECT_THAT(reasons(), IsEmpty());
}

TEST_F(RegisterReasons, AnInlinedFunctionAddsUp) {
  owner(RegisterKind::Variable, "u", 9).function = "solve";
  owner(RegisterKind::Variable, "v", 9).function = "solve";
  EXPECT_THAT(reasons(),
              ElementsAre("values of the inlined 'solve' hold 18 of 64"));
  EXPECT_THAT(functions, IsEmpty()) << "no place in its body is known";
}

TEST_F(RegisterReasons, AnInlinedFunctionHasThePlaceOfItsOwnCode) {
  RegisterOwner &one = owner(RegisterKind::Variable, "u", 20);
  one.function = "solve";
  one.place = {file, 9, 1};
  one.callSites = {{file, 5, 1}, {file, 7, 1}}; // it calls another function
  reasons();
  EXPECT_THAT(functions, ElementsAre("solve 7"));
  functions.clear();
  one.callSites = {{file, 5, 1}};
  reasons();
  EXPECT_THAT(functions, ElementsAre("solve 9"));
}

TEST_F(RegisterReasons, TheLargestReasonComesFirst) {
  owner(RegisterKind::Address, "a", 16).bits = 64;
  RegisterOwner &real = owner(RegisterKind::Intermediate, "d", 40);
  real.bits = 64;
  real.isFloat = true;
  EXPECT_THAT(reasons(), ElementsAre(HasSubstr("type double hold 40"),
                                     HasSubstr("64-bit addresses hold 16")));
}

// A handful of addresses is in every kernel.
TEST_F(RegisterReasons, ASmallPartIsNoReason) {
  owner(RegisterKind::Address, "a", 14).bits = 64;
  EXPECT_THAT(reasons(), IsEmpty()) << "less than a quarter";
  report.live = 20;
  report.owners[0].registers = 6;
  EXPECT_THAT(reasons(), IsEmpty()) << "less than eight";
  report.owners[0].registers = 8;
  EXPECT_EQ(reasons().size(), 1u);
}

// Launch bounds that cost nothing are no reason; those that make it spill are.
TEST_F(RegisterReasons, ALimitCountsIfItIsOneOfRegistersOrMakesSpills) {
  limits.maxThreads = 256;
  EXPECT_THAT(reasons(), IsEmpty());
  usage.spillStores = 8;
  EXPECT_THAT(reasons(), ElementsAre("launch bounds limit them"));
  usage.spillStores = 0;
  limits.maxThreads = 0;
  limits.commandRegisters = 32;
  EXPECT_THAT(reasons(), ElementsAre(HasSubstr("'-maxrregcount'")));
}
