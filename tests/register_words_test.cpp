// Tests what holds registers, in words.
#include "machine/register_words.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

RegisterOwner owner(RegisterKind kind, std::string name,
                    unsigned registers = 1) {
  RegisterOwner one;
  one.kind = kind;
  one.name = std::move(name);
  one.registers = registers;
  return one;
}

CompiledKernel kernelWith(RegisterReport report) {
  CompiledKernel kernel;
  kernel.registers = std::move(report);
  return kernel;
}

} // namespace

TEST(RegisterWords, EachKindIsSaidInWordsOfItsOwn) {
  EXPECT_EQ(inWords(owner(RegisterKind::Variable, "acc[8]")),
            "variable 'acc[8]'");
  EXPECT_EQ(inWords(owner(RegisterKind::Address, "in")), "address into 'in'");
  EXPECT_EQ(inWords(owner(RegisterKind::Load, "in")), "value loaded from 'in'");
  EXPECT_EQ(inWords(owner(RegisterKind::Intermediate, "`x * y`")),
            "intermediate value of `x * y`")
      << "a statement has quotes of its own";
  EXPECT_EQ(inWords(owner(RegisterKind::Special, "threadIdx.x")),
            "threadIdx.x");
  EXPECT_EQ(inWords(owner(RegisterKind::Unnamed, "")), "unnamed");
}

TEST(RegisterWords, ASpillSaysWhereItIsStoredAndLoaded) {
  SpilledOwner spill;
  spill.kind = RegisterKind::Variable;
  spill.name = "acc";
  spill.bytes = 8;
  spill.stored = {3};
  EXPECT_EQ(inWords(spill),
            "variable 'acc' is spilled: 8 bytes, stored at line 3");
  spill.loaded = {7, 9, 11};
  spill.inLoop = true;
  EXPECT_EQ(inWords(spill), "variable 'acc' is spilled: 8 bytes, stored at "
                            "line 3, loaded at lines 7, 9 and 11, in a loop");
}

// Lines of a spilled kernel may be hundreds.
TEST(RegisterWords, ManyLinesAreCounted) {
  SpilledOwner spill;
  spill.name = "acc";
  spill.bytes = 8;
  spill.loaded = {1, 2, 3, 4, 5, 6, 7};
  const std::string text = inWords(spill);
  EXPECT_THAT(text, testing::HasSubstr("stored at an unknown line"));
  EXPECT_THAT(text, testing::HasSubstr("at lines 1, 2, 3, 4 and 3 more, "
                                       "outside of loops"));
}

TEST(RegisterWords, WhatIsNotNamedIsCountedAsOthers) {
  RegisterReport report;
  report.live = 86;
  report.owners = {owner(RegisterKind::Variable, "sum[8][8]", 64),
                   owner(RegisterKind::Address, "in", 4),
                   owner(RegisterKind::Counter, "k", 1)};
  EXPECT_EQ(largestOwners(report, 2),
            "variable 'sum[8][8]' 64, address into 'in' 4, others 18");
  report.live = 69;
  EXPECT_EQ(largestOwners(report, 9), "variable 'sum[8][8]' 64, address into "
                                      "'in' 4, " +
                                          inWords(report.owners[2]) + " 1");
}

TEST(RegisterWords, TheEvidenceNamesThePeakAndTheLargestSpills) {
  RegisterReport report;
  report.live = 10;
  report.place = {"/k.cu", 13, 1};
  report.owners = {owner(RegisterKind::Variable, "a", 10)};
  EXPECT_EQ(registersInWords(kernelWith(report)),
            "10 live at line 13: variable 'a' 10");
  SpilledOwner spill;
  spill.kind = RegisterKind::Variable;
  spill.name = "b";
  spill.bytes = 4;
  spill.stored = {5};
  report.spills.assign(4, spill);
  const std::string text = registersInWords(kernelWith(report));
  size_t spills = 0;
  for (size_t at = text.find("is spilled"); at != std::string::npos;
       at = text.find("is spilled", at + 1))
    ++spills;
  EXPECT_EQ(spills, 3u) << "the rest is in 'warplint registers'";
  report.whyNot = "there is no nvdisasm";
  EXPECT_EQ(registersInWords(kernelWith(report)),
            "what holds its registers is unknown: there is no nvdisasm");
  EXPECT_EQ(registersInWords(CompiledKernel()), "");
}

// A user reads from it which change is worth a try.
TEST(RegisterWords, WhatWasTriedIsSaidWithItsResult) {
  CompiledKernel kernel;
  EXPECT_TRUE(triedInWords(kernel).empty());
  kernel.withoutLimits.emplace().registers = 80;
  OptionBranch option;
  option.parameter = "mode";
  option.place.line = 4;
  option.taken.registers = 1;
  option.notTaken.registers = 72;
  option.notTaken.spillStores = 8;
  option.notTaken.spillLoads = 12;
  kernel.options = {option};
  RolledLoop loop;
  loop.place.line = 9;
  loop.usage.registers = 40;
  loop.usage.stackFrame = 64;
  kernel.rolled = {loop};
  EXPECT_THAT(
      triedInWords(kernel),
      ElementsAre("tried without its limits: 80 registers",
                  "tried with the branch on 'mode' at line 4 fixed: 1 register "
                  "one way, 72 registers and 20 bytes of spills the other",
                  "tried with one copy of the loop at line 9: 40 registers, "
                  "and a stack frame of 64 bytes in place of 0"));
}
