// Counts of findings, of reports that are not small.
#include "gather.h"
#include "report/statistics.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

Finding finding(std::string check, Verdict verdict, std::string kernel = "k") {
  Finding one = gather();
  one.check = std::move(check);
  one.kernels = {{std::move(kernel), "", "sm_90", {verdict, ""}}};
  return one;
}

std::string printed(const Report &report, bool refuted = false) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printStatistics(report, refuted, "/src", out);
  return text;
}

} // namespace

TEST(StatisticsTables, TheMostFrequentComesFirst) {
  Report report;
  report.findings = {finding("a", Verdict::Confirmed),
                     finding("b", Verdict::Confirmed),
                     finding("b", Verdict::Unjudged)};
  EXPECT_THAT(printed(report),
              HasSubstr("by check\n     2  b  (1 confirmed, 1 unjudged)\n"
                        "     1  a  (1 confirmed)\n"));
  EXPECT_THAT(printed(report), HasSubstr("     3  gather.cu"))
      << "relative to the folder";
}

TEST(StatisticsTables, RefutedFindingsCountOnlyIfAskedFor) {
  Report report;
  report.findings = {finding("a", Verdict::Refuted)};
  EXPECT_THAT(printed(report), Not(HasSubstr("by check")));
  EXPECT_THAT(printed(report, true), HasSubstr("1  a  (1 refuted)"));
}

// One finding of two instances counts for both; one of an instance on two
// architectures counts once.
TEST(StatisticsTables, AFindingCountsOnceForEachKernel) {
  Report report;
  Finding both = finding("a", Verdict::Confirmed, "k<4>");
  both.kernels.push_back(both.kernels[0]);
  both.kernels[1].architecture = "sm_80";
  both.kernels.push_back(both.kernels[0]);
  both.kernels[2].name = "k<8>";
  report.findings = {both};
  const std::string text = printed(report);
  EXPECT_THAT(text, HasSubstr("     1  k<4>"));
  EXPECT_THAT(text, HasSubstr("     1  k<8>"));
}

TEST(StatisticsTables, ALongTableIsCutAndSaysSo) {
  Report report;
  for (unsigned i = 0; i < 23; ++i)
    report.findings.push_back(
        finding("a", Verdict::Confirmed, "k" + std::to_string(100 + i)));
  const std::string text = printed(report);
  EXPECT_THAT(text, HasSubstr("k119"));
  EXPECT_THAT(text, Not(HasSubstr("k120")));
  EXPECT_THAT(text, HasSubstr("and 3 more\n"));
}

// A program that reads them wants all rows.
TEST(StatisticsTables, JsonHasEveryRowAndItsVerdicts) {
  Report report;
  for (unsigned i = 0; i < 23; ++i)
    report.findings.push_back(
        finding("a", Verdict::Confirmed, "k" + std::to_string(i)));
  std::string text;
  llvm::raw_string_ostream out(text);
  printStatisticsJson(report, false, "/src", out);
  auto json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &all = *json->getAsObject();
  EXPECT_EQ(all.getArray("kernels")->size(), 23u);
  const llvm::json::Object &check = *(*all.getArray("checks"))[0].getAsObject();
  EXPECT_EQ(check.getString("name"), "a");
  EXPECT_EQ(check.getInteger("findings"), 23);
  EXPECT_EQ(check.getInteger("confirmed"), 23);
  EXPECT_FALSE(check.get("refuted"));
}
