// Compares two reports: which kernels are the same although their source,
// lines, flags or lambdas changed, and which are worse.
#include "report/resources/resource_diff.h"
#include "resource_rows.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

std::string text(const ResourceComparison &comparison) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printDiffText(comparison, out);
  return text;
}

TEST(ResourceChanges, EqualReportsHaveNoDifference) {
  ResourceComparison comparison = compare({row("k()")}, {row("k()")});
  EXPECT_EQ(text(comparison), "nothing changed in 1 kernel\n");
  EXPECT_FALSE(isWorse(comparison));
}

TEST(ResourceChanges, TheMostCostlyMeasureDecides) {
  ResourceComparison comparison =
      compare({with(row("a()"), 128, 8), with(row("b()"), 64),
               with(row("c()"), 64), row("gone()")},
              {with(row("a()"), 255), with(row("b()"), 64, 16),
               with(row("c()"), 72), row("fresh()")});
  EXPECT_EQ(text(comparison),
            "worse   sm_90   b() (a.cu): spill stores 0 -> 16, spill loads 0 "
            "-> 16, stack 0 -> 16\n"
            "worse   sm_90   c() (a.cu): registers 64 -> 72\n"
            "better  sm_90   a() (a.cu): spill stores 8 -> 0, spill loads 8 -> "
            "0, stack 8 -> 0, registers 128 -> 255\n"
            "new     sm_90   fresh() (a.cu): registers 32\n"
            "gone    sm_90   gone() (a.cu): registers 32\n"
            "2 kernels worse, 1 better, 1 new, 1 gone, 0 unchanged\n");
  EXPECT_TRUE(isWorse(comparison));
}

TEST(ResourceChanges, MoreOccupancyIsBetter) {
  ResourceRow before = row("k()"), after = row("k()");
  before.occupancy = 50;
  after.occupancy = 75;
  after.registers = 40;
  EXPECT_THAT(text(compare({before}, {after})), StartsWith("better"));
  EXPECT_THAT(text(compare({after}, {before})), StartsWith("worse"));
}

// One more multiplication must not fail a commit.
TEST(ResourceChanges, RegistersAloneAreNoChangeWhileAsManyWarpsFit) {
  EXPECT_THAT(compare({with(row("k()"), 10)}, {with(row("k()"), 14)}).changes,
              IsEmpty());
  EXPECT_TRUE(isWorse(compare({with(row("k()"), 64)}, {with(row("k()"), 72)})));
}

TEST(ResourceChanges, PredictedCyclesCountBeyondATolerance) {
  auto taking = [](unsigned cycles) {
    ResourceRow result = row("k()");
    result.cycles = cycles;
    return result;
  };
  EXPECT_THAT(compare({taking(100)}, {taking(105)}).changes, IsEmpty());
  EXPECT_TRUE(isWorse(compare({taking(100)}, {taking(106)})));
  EXPECT_FALSE(isWorse(compare({taking(106)}, {taking(100)})));
}

TEST(ResourceChanges, ARenamedKernelIsNoChange) {
  ResourceRow before = row("k()"), after = row("renamed()");
  before.cycles = after.cycles = 100;
  EXPECT_THAT(compare({before}, {after}).changes, IsEmpty());
}

TEST(ResourceChanges, ANewKernelIsWorseIfItSpills) {
  EXPECT_FALSE(isWorse(compare({}, {row("k()")})));
  EXPECT_TRUE(isWorse(compare({}, {with(row("k()"), 255, 8)})));
  EXPECT_FALSE(isWorse(compare({with(row("k()"), 255, 8)}, {})));
}

TEST(ResourceChanges, TheLinesOfASpillAreNamed) {
  ResourceRow after = with(row("k()"), 64, 16);
  after.spillLines = {{"a.cu", 41, 9}, {"a.cu", 43, 2}, {"b.h", 7, 1}};
  EXPECT_THAT(text(compare({with(row("k()"), 64)}, {after})),
              HasSubstr("spills at a.cu:41, :43, b.h:7\n"));
  // One that became less is no news.
  EXPECT_THAT(text(compare({with(row("k()"), 64, 32)}, {after})),
              testing::Not(HasSubstr("spills at")));
}

// ---- which kernels are the same

TEST(ResourceChanges, LinesPlacesAndNamesDoNotMatter) {
  ResourceRow after = row("k()");
  after.place = {"a.cu", 99, 0};
  after.mangled = "_ZN37_GLOBAL__N__b0ba1bc4_4_l_cu_plain1kEv";
  EXPECT_THAT(compare({row("k()")}, {after}).changes, IsEmpty());
}

TEST(ResourceChanges, AKernelMayMoveToAnotherFile) {
  EXPECT_THAT(
      compare({row("k()", "old/a.cu")}, {row("k()", "new/b.cu")}).changes,
      IsEmpty());
}

// Two files with a static kernel of one name: each stays itself.
TEST(ResourceChanges, KernelsOfOneNameAreToldApartBySource) {
  EXPECT_THAT(
      compare({with(row("k()", "a.cu"), 10), with(row("k()", "b.cu"), 20)},
              {with(row("k()", "b.cu"), 20), with(row("k()", "a.cu"), 10)})
          .changes,
      IsEmpty());
  // The same checkout elsewhere.
  EXPECT_THAT(
      compare(
          {with(row("k()", "/x/a.cu"), 10), with(row("k()", "/x/b.cu"), 20)},
          {with(row("k()", "/y/b.cu"), 20), with(row("k()", "/y/a.cu"), 10)})
          .changes,
      IsEmpty());
}

TEST(ResourceChanges, ArchitecturesAreKeptApart) {
  ResourceRow other = with(row("k()"), 40);
  other.architecture = "sm_80";
  ResourceComparison comparison =
      compare({row("k()"), other}, {other, with(row("k()"), 34)});
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].after.architecture, "sm_90");
}

TEST(ResourceChanges, TwoBuildsOfOneSourceAreToldApartByFlags) {
  ResourceRow fast = with(row("k()"), 20);
  fast.flags = "--use_fast_math";
  ResourceComparison comparison =
      compare({row("k()"), fast}, {fast, row("k()")});
  EXPECT_THAT(comparison.changes, IsEmpty());
  EXPECT_THAT(comparison.notes, IsEmpty());
}

TEST(ResourceChanges, OtherFlagsAndToolkitsAreReported) {
  ResourceRow after = with(row("k()"), 40);
  after.flags = "-maxrregcount=40";
  after.toolkit = "13.1.20";
  EXPECT_THAT(
      compare({row("k()")}, {after}).notes,
      ElementsAre("1 kernel compiled by CUDA 13.1.20, before by CUDA 13.0.88: "
                  "differences may come from the compiler",
                  "1 kernel compiled with '-maxrregcount=40', before with no "
                  "such flags"));
}

std::string lambda(const char *number) {
  return std::string("void launch<run()::'lambda") + number +
         "'(int)>(run()::'lambda" + number + "'(int))";
}

// A lambda that is put in front of others takes their numbers.
TEST(ResourceChanges, RenumberedLambdasAreMatchedByTheirResources) {
  ResourceComparison comparison =
      compare({with(row(lambda("")), 10), with(row(lambda("0")), 20)},
              {with(row(lambda("")), 15), with(row(lambda("0")), 10),
               with(row(lambda("1")), 20)});
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].direction, Direction::New);
  EXPECT_EQ(comparison.changes[0].after.registers, 15u);
  EXPECT_EQ(comparison.unchanged, 2u);
  EXPECT_THAT(comparison.notes, ElementsAre(HasSubstr("are renumbered")));
}

TEST(ResourceChanges, EquallyManyLambdasAreMatchedByTheirNumber) {
  ResourceComparison comparison =
      compare({with(row(lambda("")), 64), with(row(lambda("0")), 20)},
              {with(row(lambda("")), 72), with(row(lambda("0")), 20)});
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].direction, Direction::Worse);
  EXPECT_THAT(comparison.notes, IsEmpty());
}

TEST(ResourceChanges,
     LambdasAreOrderedByNumber) { // 'lambda10' comes after 'lambda9'
  std::vector<ResourceRow> before, after;
  for (unsigned i = 0; i < 12; ++i)
    before.push_back(
        with(row(lambda(i ? std::to_string(i - 1).c_str() : "")), i + 1));
  after = before;
  after.push_back(with(row(lambda("11")), 99));
  ResourceComparison comparison = compare(before, after);
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].direction, Direction::New);
  EXPECT_EQ(comparison.changes[0].after.registers, 99u);
}

TEST(ResourceChanges, ATemplateInManySourcesIsOneLine) {
  ResourceComparison comparison =
      compare({row("k()", "a.cu"), row("k()", "b.cu")},
              {with(row("k()", "a.cu"), 40), with(row("k()", "b.cu"), 40)});
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].sources, 2u);
  EXPECT_THAT(text(comparison),
              testing::AllOf(HasSubstr("k() (a.cu) in 2 sources: registers"),
                             HasSubstr("2 kernels worse, 0 unchanged")));
}

// ---- unknown values

TEST(ResourceChanges, AValueMissingOnOneSideIsReportedAndNotCompared) {
  ResourceRow before = with(row("k()"), 32, 8), after = row("k()");
  after.spillStores.reset();
  after.spillLoads.reset();
  after.stack = before.stack;
  ResourceComparison comparison = compare({before}, {after});
  EXPECT_THAT(comparison.changes, IsEmpty());
  EXPECT_THAT(comparison.missing,
              ElementsAre(HasSubstr("'spill loads' of 1 kernel was known"),
                          HasSubstr("'spill stores' of 1 kernel was known")));
}

TEST(ResourceChanges, AKernelOfAnUnreadSourceIsNotGone) {
  ResourceReport old, now;
  old.rows = {row("k()", "a.cu"), row("l()", "b.cu")};
  ResourceComparison comparison = compareResources(
      old, now, [](const ResourceRow &row) { return row.source == "b.cu"; });
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].before.source, "b.cu");
}

} // namespace
