#include "report/report.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;

static Finding finding(std::string file, unsigned line, unsigned column,
                       std::string check, std::string kernel,
                       Verdict verdict = Verdict::Confirmed) {
  Finding finding;
  finding.check = check;
  finding.place = {file, line, column};
  finding.message = "m";
  finding.kernels.push_back({kernel, "_Z" + kernel, "sm_90", {verdict, "e"}});
  return finding;
}

static std::vector<std::string> names(const Finding &finding) {
  std::vector<std::string> result;
  for (const FindingKernel &kernel : finding.kernels)
    result.push_back(kernel.name + "@" + kernel.architecture);
  return result;
}

// Ten instances of a template need one fix, not ten.
TEST(Report, InstancesOfOnePlaceAreOneFinding) {
  std::vector<Finding> merged =
      mergeFindings({finding("/a.cu", 3, 1, "x", "k<16>"),
                     finding("/a.cu", 3, 1, "x", "k<4>"),
                     finding("/a.cu", 3, 1, "x", "k<16>")});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_THAT(names(merged[0]), ElementsAre("k<4>@sm_90", "k<16>@sm_90"));
}

TEST(Report, KernelsAreSortedByArchitectureNumber) {
  Finding old = finding("/a.cu", 3, 1, "x", "k");
  Finding next = old, newest = old;
  next.kernels[0].architecture = "sm_100";
  newest.kernels[0].architecture = "sm_120";
  EXPECT_THAT(names(mergeFindings({newest, next, old})[0]),
              ElementsAre("k@sm_90", "k@sm_100", "k@sm_120"));
}

// One header, compiled by two sources with different flags: both verdicts are
// kept.
TEST(Report, OneKernelWithTwoVerdictsKeepsBoth) {
  std::vector<Finding> merged =
      mergeFindings({finding("/a.cuh", 3, 1, "x", "k", Verdict::Refuted),
                     finding("/a.cuh", 3, 1, "x", "k", Verdict::Confirmed)});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].kernels.size(), 2u);
  EXPECT_EQ(merged[0].verdict(), Verdict::Confirmed);
}

TEST(Report, DifferentCallsSubjectsAndChecksAreNotMerged) {
  Finding one = finding("/a.cu", 3, 1, "x", "k");
  Finding about = one, call = one, check = one;
  about.about = "b[i]";
  call.callSites = {{"/a.cu", 9, 1}};
  check.check = "y";
  EXPECT_EQ(mergeFindings({one, about, call, check}).size(), 4u);
}

// Instances of a template lose different amounts: one warning names the worst
// confirmed one.
TEST(Report, TheHeaviestConfirmedInstanceRepresentsAll) {
  Finding light = finding("/a.cu", 3, 1, "x", "k<2>");
  light.message = "8 sectors";
  light.weight = 4;
  light.notes = {"light"};
  Finding heavy = finding("/a.cu", 3, 1, "x", "k<8>");
  heavy.message = "32 sectors";
  heavy.weight = 28;
  heavy.notes = {"heavy"};
  Finding refuted = finding("/a.cu", 3, 1, "x", "k<9>", Verdict::Refuted);
  refuted.message = "36 sectors";
  refuted.weight = 32;
  std::vector<Finding> merged = mergeFindings({refuted, light, heavy});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].message, "32 sectors");
  EXPECT_THAT(merged[0].notes, ElementsAre("heavy"));
  EXPECT_EQ(merged[0].kernels.size(), 3u);
}

TEST(Report, MergedFindingsKeepTheirFix) {
  Finding one = finding("/a.cu", 3, 1, "x", "k");
  Finding other = one;
  other.notes = {"z"};
  other.fix = "swap";
  std::vector<Finding> merged = mergeFindings({other, one});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].fix, "swap");
}

// "no order of the indexes coalesces it" stood beside "fix: let neighbouring
// lanes differ in the quotient", of instances of oneflow's softmax.
TEST(Report, TheNotesAreOfTheInstanceThatHasTheFix) {
  Finding heavy = finding("/a.cu", 3, 1, "x", "k<8>");
  heavy.weight = 28;
  heavy.share = 0.5;
  heavy.notes = {"no order of its indexes coalesces it"};
  Finding light = finding("/a.cu", 3, 1, "x", "k<2>");
  light.weight = 4;
  light.share = 0.4;
  light.notes = {"lanes 0 and 1"};
  light.fix = "swap";
  const std::vector<Finding> merged = mergeFindings({light, heavy});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].fix, "swap");
  EXPECT_THAT(merged[0].notes, ElementsAre("lanes 0 and 1"));
  EXPECT_EQ(merged[0].share, 0.5);
}

// '8 sectors' and '2 arrays' of k<2> stood beside the time of k<1000>, whose
// elements are too far apart for a remedy.
TEST(Report, TheRemedyOfAMilderInstanceIsNoneOfTheWorst) {
  Finding heavy = finding("/a.cu", 3, 1, "x", "k<1000>");
  std::tie(heavy.weight, heavy.message) = std::pair(32, "32 sectors");
  heavy.share = 0.84;
  Finding light = finding("/a.cu", 3, 1, "x", "k<2>");
  std::tie(light.weight, light.message) = std::pair(8, "8 sectors");
  light.share = 0.4;
  light.fix = "2 arrays";
  const std::vector<Finding> merged = mergeFindings({light, heavy});
  EXPECT_EQ(merged[0].message, "32 sectors");
  EXPECT_EQ(merged[0].fix, "");
}

// Of 46 instances 44 were refuted, and the launch bounds that one of the others
// was advised to have were for the one that spills next to nothing.
TEST(Report, TheWorstInstanceInWhichItHoldsDecides) {
  auto instance = [](const char *name, double share, const char *fix,
                     Verdict verdict = Verdict::Confirmed) {
    Finding one = finding("/a.cu", 3, 1, "x", name, verdict);
    one.share = share;
    one.fix = fix;
    return one;
  };
  std::vector<Finding> merged = mergeFindings(
      {instance("k<513>", 0.5, ""), instance("k<21>", 0.001, "32 blocks"),
       instance("k<4>", 0.9, "less", Verdict::Refuted)});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].share, 0.5);
  EXPECT_EQ(merged[0].fix, "");
  merged = mergeFindings({instance("k<2>", 0.1, "swap"),
                          instance("k<4>", 0.3, "tile"),
                          instance("k<8>", 0.2, "swap")});
  EXPECT_EQ(merged[0].fix, "tile");
  // The heaviest one has elements of 20 bytes.
  Finding heavy = instance("k<5>", 0.1, "5 arrays"),
          light = instance("k<2>", 0.3, "2 arrays");
  std::tie(heavy.weight, heavy.message) = std::pair(16, "20 sectors");
  std::tie(light.weight, light.message) = std::pair(4, "8 sectors");
  merged = mergeFindings({heavy, light});
  EXPECT_EQ(merged[0].fix, "2 arrays");
  EXPECT_EQ(merged[0].message, "8 sectors");
  // Nothing launches the instance in which it holds.
  Finding unlaunched = instance("k<2>", 0.5, "");
  unlaunched.minor = true;
  merged =
      mergeFindings({unlaunched, instance("k<4>", 0.5, "", Verdict::Refuted)});
  EXPECT_TRUE(merged[0].minor);
}

// pow(x, 2) of a template's float is a double; of its double nothing is
// converted.
TEST(Report, AnInstanceWhosePowerConvertsItsBaseDecidesOnTheEdit) {
  Finding plain = finding("/a.cu", 3, 1, "x", "k<double>");
  Finding converted = finding("/a.cu", 3, 1, "x", "k<float>");
  plain.edit = Fix{.change = Change::ReplacePower, .name = "@ * @"};
  converted.edit = Fix{.change = Change::ReplacePower, .name = "double(@) * @"};
  for (const std::vector<Finding> &both :
       {std::vector{plain, converted}, std::vector{converted, plain}})
    EXPECT_EQ(mergeFindings(both)[0].edit->name, "double(@) * @");
}

// Same input, same output, whatever the number of threads.
TEST(Report, TheOrderOfFindingsDoesNotMatter) {
  std::vector<Finding> findings = {
      finding("/b.cu", 1, 1, "x", "k"), finding("/a.cu", 10, 2, "x", "k"),
      finding("/a.cu", 9, 5, "x", "k"), finding("/a.cu", 10, 1, "y", "k"),
      finding("/a.cu", 10, 1, "x", "k")};
  findings[1].notes = {"n"};
  findings.push_back(findings[1]);
  findings.back().notes = {"a"};
  std::vector<size_t> order = {0, 1, 2, 3, 4, 5};
  do {
    std::vector<Finding> shuffled;
    for (size_t index : order)
      shuffled.push_back(findings[index]);
    std::vector<Finding> merged = mergeFindings(shuffled);
    std::vector<std::string> places;
    for (const Finding &finding : merged)
      places.push_back(finding.place.file + ":" +
                       std::to_string(finding.place.line) + ":" +
                       std::to_string(finding.place.column) + finding.check);
    ASSERT_THAT(places, ElementsAre("/a.cu:9:5x", "/a.cu:10:1x", "/a.cu:10:1y",
                                    "/a.cu:10:2x", "/b.cu:1:1x"));
    ASSERT_THAT(merged[3].notes, ElementsAre("a"));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Report, ExitCodeFollowsTheFindings) {
  Report report;
  EXPECT_EQ(exitCode(report), ExitCode::Clean);
  report.findings = {finding("/a.cu", 1, 1, "x", "k", Verdict::Refuted)};
  EXPECT_EQ(exitCode(report), ExitCode::Clean);
  report.unread = {{"/b.cu", "", true}};
  EXPECT_EQ(exitCode(report), ExitCode::Unread);
  report.findings.push_back(
      finding("/a.cu", 2, 1, "x", "k", Verdict::Unjudged));
  EXPECT_EQ(exitCode(report), ExitCode::Findings);
}
