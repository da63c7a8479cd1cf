// Compares two reports: which kernels are the same although their source,
// lines, flags or lambdas changed, and which are worse.
#include "report/resources/resource_diff.h"
#include "report/resources/resource_json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

ResourceRow row(std::string signature, std::string source = "a.cu") {
  ResourceRow row;
  row.kernel = row.signature = std::move(signature);
  row.architecture = "sm_90";
  row.source = std::move(source);
  row.toolkit = "13.0.88";
  row.registers = 32;
  row.stack = row.spillStores = row.spillLoads = row.shared = 0;
  return row;
}

ResourceRow with(ResourceRow row, unsigned registers, unsigned spill = 0) {
  row.registers = registers;
  row.spillStores = row.spillLoads = spill;
  row.stack = spill;
  return row;
}

ResourceComparison compare(std::vector<ResourceRow> before,
                           std::vector<ResourceRow> after) {
  ResourceReport old, now;
  old.rows = std::move(before);
  now.rows = std::move(after);
  return compareResources(old, now, [](const ResourceRow &) { return true; });
}

std::string text(const ResourceComparison &comparison) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printDiffText(comparison, out);
  return text;
}

TEST(Diff, EqualReportsHaveNoDifference) {
  ResourceComparison comparison = compare({row("k()")}, {row("k()")});
  EXPECT_EQ(text(comparison), "nothing changed in 1 kernel\n");
  EXPECT_FALSE(isWorse(comparison));
}

TEST(Diff, TheMostCostlyMeasureDecides) {
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

TEST(Diff, MoreOccupancyIsBetter) {
  ResourceRow before = row("k()"), after = row("k()");
  before.occupancy = 50;
  after.occupancy = 75;
  after.registers = 40;
  EXPECT_THAT(text(compare({before}, {after})), StartsWith("better"));
  EXPECT_THAT(text(compare({after}, {before})), StartsWith("worse"));
}

// One more multiplication must not fail a commit.
TEST(Diff, RegistersAloneAreNoChangeWhileAsManyWarpsFit) {
  EXPECT_THAT(compare({with(row("k()"), 10)}, {with(row("k()"), 14)}).changes,
              IsEmpty());
  EXPECT_TRUE(isWorse(compare({with(row("k()"), 64)}, {with(row("k()"), 72)})));
}

TEST(Diff, PredictedCyclesCountBeyondATolerance) {
  auto taking = [](unsigned cycles) {
    ResourceRow result = row("k()");
    result.cycles = cycles;
    return result;
  };
  EXPECT_THAT(compare({taking(100)}, {taking(105)}).changes, IsEmpty());
  EXPECT_TRUE(isWorse(compare({taking(100)}, {taking(106)})));
  EXPECT_FALSE(isWorse(compare({taking(106)}, {taking(100)})));
}

TEST(Diff, ARenamedKernelIsNoChange) {
  ResourceRow before = row("k()"), after = row("renamed()");
  before.cycles = after.cycles = 100;
  EXPECT_THAT(compare({before}, {after}).changes, IsEmpty());
}

TEST(Diff, ANewKernelIsWorseIfItSpills) {
  EXPECT_FALSE(isWorse(compare({}, {row("k()")})));
  EXPECT_TRUE(isWorse(compare({}, {with(row("k()"), 255, 8)})));
  EXPECT_FALSE(isWorse(compare({with(row("k()"), 255, 8)}, {})));
}

TEST(Diff, TheLinesOfASpillAreNamed) {
  ResourceRow after = with(row("k()"), 64, 16);
  after.spillLines = {{"a.cu", 41, 9}, {"a.cu", 43, 2}, {"b.h", 7, 1}};
  EXPECT_THAT(text(compare({with(row("k()"), 64)}, {after})),
              HasSubstr("spills at a.cu:41, :43, b.h:7\n"));
  // One that became less is no news.
  EXPECT_THAT(text(compare({with(row("k()"), 64, 32)}, {after})),
              testing::Not(HasSubstr("spills at")));
}

// ---- which kernels are the same

TEST(Diff, LinesPlacesAndNamesDoNotMatter) {
  ResourceRow after = row("k()");
  after.place = {"a.cu", 99, 0};
  after.mangled = "_ZN37_GLOBAL__N__b0ba1bc4_4_l_cu_plain1kEv";
  EXPECT_THAT(compare({row("k()")}, {after}).changes, IsEmpty());
}

TEST(Diff, AKernelMayMoveToAnotherFile) {
  EXPECT_THAT(
      compare({row("k()", "old/a.cu")}, {row("k()", "new/b.cu")}).changes,
      IsEmpty());
}

// Two files with a static kernel of one name: each stays itself.
TEST(Diff, KernelsOfOneNameAreToldApartBySource) {
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

TEST(Diff, ArchitecturesAreKeptApart) {
  ResourceRow other = with(row("k()"), 40);
  other.architecture = "sm_80";
  ResourceComparison comparison =
      compare({row("k()"), other}, {other, with(row("k()"), 34)});
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].after.architecture, "sm_90");
}

TEST(Diff, TwoBuildsOfOneSourceAreToldApartByFlags) {
  ResourceRow fast = with(row("k()"), 20);
  fast.flags = "--use_fast_math";
  ResourceComparison comparison =
      compare({row("k()"), fast}, {fast, row("k()")});
  EXPECT_THAT(comparison.changes, IsEmpty());
  EXPECT_THAT(comparison.notes, IsEmpty());
}

TEST(Diff, OtherFlagsAndToolkitsAreReported) {
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
TEST(Diff, RenumberedLambdasAreMatchedByTheirResources) {
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

TEST(Diff, EquallyManyLambdasAreMatchedByTheirNumber) {
  ResourceComparison comparison =
      compare({with(row(lambda("")), 64), with(row(lambda("0")), 20)},
              {with(row(lambda("")), 72), with(row(lambda("0")), 20)});
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].direction, Direction::Worse);
  EXPECT_THAT(comparison.notes, IsEmpty());
}

TEST(Diff, LambdasAreOrderedByNumber) { // 'lambda10' comes after 'lambda9'
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

TEST(Diff, ATemplateInManySourcesIsOneLine) {
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

TEST(Diff, AValueMissingOnOneSideIsReportedAndNotCompared) {
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

TEST(Diff, AKernelOfAnUnreadSourceIsNotGone) {
  ResourceReport old, now;
  old.rows = {row("k()", "a.cu"), row("l()", "b.cu")};
  ResourceComparison comparison = compareResources(
      old, now, [](const ResourceRow &row) { return row.source == "b.cu"; });
  ASSERT_EQ(comparison.changes.size(), 1u);
  EXPECT_EQ(comparison.changes[0].before.source, "b.cu");
}

// ---- formats

TEST(Diff, MarkdownShowsWholeNames) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printDiffMarkdown(
      compare({row("k<float*, a|b>")}, {with(row("k<float*, a|b>"), 40)}), out);
  EXPECT_THAT(text, HasSubstr("| worse | sm_90 | k\\<float\\*, a\\|b\\> (a.cu) "
                              "| registers 32 -\\> 40 |\n"));
}

TEST(Diff, JsonHasBothSides) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printDiffJson(compare({row("k()")}, {with(row("k()"), 40)}), out);
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json));
  const llvm::json::Object &change =
      *(*json->getAsObject()->getArray("changes"))[0].getAsObject();
  EXPECT_EQ(change.getString("change"), "worse");
  EXPECT_EQ(change.getObject("before")->getInteger("registers"), 32);
  EXPECT_EQ(change.getObject("after")->getInteger("registers"), 40);
  EXPECT_TRUE(change.getObject("after")->get("barriers")->getAsNull());
}

// ---- reports that are read back

ResourceReport report() {
  ResourceReport report;
  report.warplint = WARPLINT_VERSION;
  report.rows = {with(row("void k<float>(float*)"), 40, 8), row("plain")};
  ResourceRow &first = report.rows[0];
  first.kernel = "k<float>";
  first.mangled = "_Z1kIfEvPT_";
  first.place = {"a.cu", 12, 0};
  first.flags = "-maxrregcount=40 -DN=\"x\"";
  first.barriers = 1;
  first.occupancy = 50;
  first.launches = {{"256x1x1", 50, "registers"}};
  first.spillLines = {{"a.cu", 14, 3}};
  report.missing = {{"b.cu", "not compiled: nvcc stopped"}};
  return report;
}

TEST(ResourceJson, RoundTrips) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceJson(report(), {}, out);
  llvm::Expected<ResourceReport> read = readResourceJson(text, "old.json");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->rows, report().rows);
  EXPECT_EQ(read->missing, report().missing);
}

std::string file(const ResourceReport &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceFile(report, out);
  return text;
}

// A merge conflict, a blame and a review want one line for one kernel.
TEST(ResourceFile, HasOneLineForEachKernelInAnyOrder) {
  ResourceReport turned = report();
  std::swap(turned.rows[0], turned.rows[1]);
  EXPECT_EQ(file(report()), file(turned));
  EXPECT_EQ(
      file(report()),
      "{\n\"warplint\": \"" WARPLINT_VERSION "\",\n\"schema\": 1,\n"
      "\"toolkit\": \"13.0.88\",\n\"resources\": [\n"
      "{\"source\":\"a.cu\",\"signature\":\"plain\",\"arch\":\"sm_90\","
      "\"spillStores\":0,\"spillLoads\":0,\"stack\":0,\"registers\":32,"
      "\"shared\":0},\n"
      "{\"source\":\"a.cu\",\"signature\":\"void k<float>(float*)\",\"arch\":"
      "\"sm_90\",\"flags\":\"-maxrregcount=40 "
      "-DN=\\\"x\\\"\",\"spillStores\":8,"
      "\"spillLoads\":8,\"stack\":8,\"occupancy\":50,\"registers\":40,"
      "\"shared\":0,\"barriers\":1}\n]\n}\n");
}

TEST(ResourceFile, ComparesLikeTheReportThatItCameFrom) {
  llvm::Expected<ResourceReport> read = readResourceJson(file(report()), "f");
  ASSERT_TRUE(bool(read));
  ResourceComparison comparison = compareResources(
      *read, report(), [](const ResourceRow &) { return true; });
  EXPECT_THAT(comparison.changes, IsEmpty());
  EXPECT_THAT(comparison.notes, IsEmpty());
  EXPECT_THAT(comparison.missing, IsEmpty());
  EXPECT_EQ(comparison.unchanged, 2u);
}

std::string whyNot(llvm::StringRef text) {
  llvm::Expected<ResourceReport> read = readResourceJson(text, "old.json");
  return read ? "read" : llvm::toString(read.takeError());
}

TEST(ResourceJson, AnInvalidReportIsAnError) {
  EXPECT_THAT(whyNot(""), HasSubstr("'old.json' is no report"));
  EXPECT_THAT(whyNot("[]"), HasSubstr("'old.json' is no report"));
  EXPECT_THAT(whyNot("{\"warplint\": \"0.1.0\", \"findings\": []}"),
              HasSubstr("is no report"));
  EXPECT_THAT(
      whyNot("{\"warplint\": \"9\", \"schema\": 99, \"resources\": []}"),
      HasSubstr("of another release"));
  EXPECT_THAT(whyNot("{\"warplint\": \"0.1.0\", \"schema\": 1, "
                     "\"resources\": [3]}"),
              HasSubstr("an entry without a signature"));
}

// A truncated report is an error wherever it is cut.
TEST(ResourceJson, ATruncatedFileIsAnError) {
  std::string whole = file(report());
  for (size_t length = 0; length + 2 < whole.size(); ++length)
    EXPECT_NE(whyNot(whole.substr(0, length)), "read") << length;
}

} // namespace
