// Which findings a reader sees, and in which order.
#include "report/rank.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

namespace {

Finding finding(unsigned line, std::optional<double> share,
                std::string object = "p", std::string kernel = "k") {
  Finding finding;
  finding.check = "strided-global-access";
  finding.place = {"/a.cu", line, 1};
  finding.object = std::move(object);
  finding.share = share;
  finding.kernels.push_back(
      {std::move(kernel), "", "sm_90", {Verdict::Confirmed, ""}});
  return finding;
}

std::vector<unsigned> linesOf(const std::vector<Finding> &findings) {
  std::vector<unsigned> lines;
  for (const Finding &finding : findings)
    lines.push_back(finding.place.line);
  return lines;
}

std::vector<Finding> joinedOf(std::vector<Finding> findings) {
  Report report;
  report.findings = std::move(findings);
  joinCauses(report.findings);
  dropParts(report);
  return report.findings;
}

} // namespace

// Nine fields of one structure have one remedy.
TEST(Rank, AccessesOfOneObjectAreOneFinding) {
  const std::vector<Finding> joined =
      joinedOf({finding(1, 0.1), finding(2, 0.3), finding(3, 0.2),
                finding(4, 0.1, "other"), finding(5, 0.1, "p", "k2")});
  ASSERT_EQ(joined.size(), 3u);
  EXPECT_EQ(joined[0].place.line, 2u);
  EXPECT_THAT(joined[0].places,
              ElementsAre(Place{"/a.cu", 1, 1}, Place{"/a.cu", 3, 1}));
  EXPECT_DOUBLE_EQ(*joined[0].share, 0.6);
}

// One number of a text of the program ends all of them.
TEST(Rank, FindingsOfOneCauseAreOneFinding) {
  auto caused = [](unsigned line, const char *object, const char *cause) {
    Finding one = finding(line, 0.1, object);
    one.cause = cause;
    return one;
  };
  EXPECT_EQ(joinedOf({caused(1, "", "double literals"),
                      caused(2, "", "double literals"), caused(3, "", "roots"),
                      caused(4, "", ""), caused(5, "", "")})
                .size(),
            4u);
}

// Five arrays under one index: the reader changes it once, and sees for which.
TEST(Rank, ObjectsOfOneCauseAreNamed) {
  auto caused = [](unsigned line, double share, const char *object) {
    Finding one = finding(line, share, object);
    one.cause = "the order of threadIdx.x and threadIdx.y";
    return one;
  };
  std::vector<Finding> joined =
      joinedOf({caused(1, 0.1, "u"), caused(2, 0.2, "v"), caused(3, 0.1, "w"),
                caused(4, 0.1, "w"), caused(5, 0.05, "x"), caused(6, 0.05, "y"),
                caused(7, 0.05, "z")});
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].object, "v");
  EXPECT_EQ(joined[0].places.size(), 6u);
  const std::string note =
      "the same change ends it for 'u', 'w', 'x' and 2 more as well";
  EXPECT_THAT(joined[0].notes, ElementsAre(note));
  EXPECT_DOUBLE_EQ(*joined[0].share, 0.65);
  EXPECT_THAT(joinedOf({finding(1, 0.1), finding(2, 0.1)})[0].notes,
              ElementsAre());
}

// Two modes of a kernel, a launch of each: no launch saves both.
TEST(Rank, SharesOfDifferentLaunchesAreNoSum) {
  auto in = [](unsigned line, double share, const char *launch) {
    Finding one = finding(line, share, "x");
    one.launch = std::string("a.cu:") + launch;
    return one;
  };
  EXPECT_DOUBLE_EQ(
      *joinedOf({in(1, 0.3, "7"), in(2, 0.6, "8"), in(3, 0.2, "7")})[0].share,
      0.6);
  EXPECT_DOUBLE_EQ(*joinedOf({in(1, 0.3, "7"), in(2, 0.6, "7")})[0].share, 0.9);
}

// Two loads of one array, without either of which DRAM binds the kernel.
TEST(Rank, SharesOfOneResourceAreNoSum) {
  Saving half;
  half.now.sectors = 100;
  half.now.dramSectors = 18;
  half.saved.sectors = 48;
  half.warps = 1 << 20;
  half.warpsPerBlock = 8;
  half.capability = 90;
  auto in = [&](unsigned line, const char *object) {
    Finding one = finding(line, half.share(), object);
    one.kernels.front().saving = half;
    one.cause = "the order of threadIdx.x and threadIdx.y";
    return one;
  };
  Saving all = half;
  all += half;
  all += half;
  EXPECT_LT(all.share(), 2 * half.share());
  // Joined by the object first, and by their cause then.
  EXPECT_DOUBLE_EQ(*joinedOf({in(1, "x"), in(2, "x"), in(3, "y")})[0].share,
                   all.share());
}

// A loop over 'a' and a store of it before have each a change of their own.
TEST(Rank, AnObjectIsOneFindingWhateverEndsIt) {
  Finding loop = finding(1, 0.5), store = finding(2, 0.1),
          other = finding(3, 0.2, "b");
  loop.cause = other.cause = "the loop at line 1";
  const std::vector<Finding> joined = joinedOf({loop, store, other});
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].place.line, 1u);
  EXPECT_THAT(joined[0].places,
              UnorderedElementsAre(Place{"/a.cu", 2, 1}, Place{"/a.cu", 3, 1}));
}

// Bounds that make a kernel spill, and the spills: one cause under two names.
TEST(Rank, AFindingStandsForThoseOfItsCauseThatItCovers) {
  Finding bounds = finding(1, 0.3, ""), spills = finding(1, 0.3, "");
  bounds.check = "tight-launch-bounds";
  spills.check = "register-spill";
  bounds.cause = spills.cause = "spilled registers";
  bounds.covers = {{"register-spill", bounds.place}};
  const std::vector<Finding> joined = joinedOf({spills, bounds});
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].check, "tight-launch-bounds");
  EXPECT_DOUBLE_EQ(*joined[0].share, 0.3);
  // Another architecture spills without its bounds as well.
  spills.kernels.push_back(spills.kernels.front());
  spills.kernels.back().architecture = "sm_80";
  EXPECT_EQ(joinedOf({spills, bounds}).size(), 2u);
}

// Sixteen pointers of one structure, each stored in every iteration of a loop.
TEST(Rank, FieldsWithOneFixAreOneFinding) {
  auto field = [](unsigned line, const char *object, const char *fix) {
    Finding one = finding(line, 0.1, object);
    one.fix = fix;
    return one;
  };
  EXPECT_EQ(
      joinedOf({field(1, "p->x", "store once"), field(2, "p->y", "store once")})
          .size(),
      1u);
  EXPECT_EQ(
      joinedOf({field(1, "p->x", "store once"), field(2, "q->y", "store once")})
          .size(),
      2u);
  EXPECT_EQ(joinedOf({field(1, "p->x", "transpose x"),
                      field(2, "p->y", "transpose y")})
                .size(),
            2u);
  EXPECT_EQ(joinedOf({field(1, "p->x", ""), field(2, "p->y", "")}).size(), 2u);
}

TEST(Rank, InstancesOfATemplateAreOneFinding) {
  EXPECT_EQ(
      joinedOf({finding(1, 0.1, "p", "k<4>"), finding(2, 0.1, "p", "k<8>")})
          .size(),
      1u);
}

// Each instance has its own time: nineteen that save half of theirs save half.
TEST(Rank, SharesOfInstancesDoNotAddUp) {
  const std::vector<Finding> joined =
      joinedOf({finding(1, 0.5, "p", "k<4>"), finding(2, 0.1, "p", "k<4>"),
                finding(3, 0.5, "p", "k<8>"), finding(4, 0.05, "p", "k<8>")});
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_DOUBLE_EQ(*joined[0].share, 0.6);
}

// Two lines are 0.5 of one instance each, and 0.1 of the other: all of a kernel
// was said to be bank conflicts.
TEST(Rank, AnInstanceCountsWithItsOwnShare) {
  auto inBoth = [](unsigned line, double ofFour, double ofEight) {
    Finding four = finding(line, ofFour, "p", "k<4>"),
            eight = finding(line, ofEight, "p", "k<8>");
    four.message = eight.message = "line";
    return std::vector<Finding>{four, eight};
  };
  std::vector<Finding> all = inBoth(1, 0.5, 0.1);
  for (const Finding &other : inBoth(2, 0.1, 0.5))
    all.push_back(other);
  const std::vector<Finding> joined = joinedOf(mergeFindings(all));
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_DOUBLE_EQ(*joined[0].share, 0.6);
}

// Six kernels that call one function template: six findings of one line.
TEST(Rank, CallersOfOneFunctionAreOneFinding) {
  auto calledFrom = [](unsigned line, double share, const char *kernel) {
    Finding one = finding(7, share, "out", kernel);
    one.callSites = {{"/a.cu", line, 1}};
    return one;
  };
  const std::vector<Finding> all = {
      calledFrom(20, 0.3, "one"), calledFrom(21, 0.1, "two"),
      calledFrom(22, 0.1, "two"), finding(7, 0.2, "out", "macro")};
  const std::vector<Finding> joined = joinedOf(all);
  ASSERT_EQ(joined.size(), 2u) << "a line of a kernel's own is no function's";
  EXPECT_DOUBLE_EQ(*joined[0].share, 0.3);
  EXPECT_TRUE(joined[0].places.empty()) << "all are at its own place";
  std::map<std::string, double> shares;
  for (const FindingKernel &kernel : joined[0].kernels)
    shares[kernel.name] = kernel.share.value_or(-1);
  EXPECT_EQ(shares,
            (std::map<std::string, double>{{"one", 0.3}, {"two", 0.2}}));
}

// '#pragma unroll' in a function that one kernel calls at twenty places.
TEST(Rank, CallsOfOneFunctionInOneKernelAddUp) {
  auto unrolled = [](unsigned line, double share, const char *about) {
    Finding one = finding(7, share, "", "k");
    one.about = about;
    one.callSites = {{"/a.cu", line, 1}};
    return one;
  };
  const std::vector<Finding> joined = joinedOf(
      {unrolled(20, 0.1, "n"), unrolled(21, 0.2, "n"), unrolled(22, 0.1, "m")});
  ASSERT_EQ(joined.size(), 2u);
  EXPECT_DOUBLE_EQ(*joined[0].share, 0.3);
  EXPECT_EQ(joined[0].kernels.size(), 1u);
}

TEST(Rank, FindingsWithoutAnObjectStayApart) {
  EXPECT_EQ(joinedOf({finding(1, 0.1, ""), finding(2, 0.1, "")}).size(), 2u);
}

TEST(Rank, RefutedFindingsDoNotHideConfirmedOnes) {
  Finding refuted = finding(1, 0.9);
  refuted.kernels[0].judgement.verdict = Verdict::Refuted;
  EXPECT_EQ(joinedOf({refuted, finding(2, 0.1)}).size(), 2u);
}

TEST(Rank, TheDearestComesFirstAndUnknownOnesAreNotLast) {
  std::vector<Finding> findings = {finding(1, 0.01), finding(2, std::nullopt),
                                   finding(3, 0.8), finding(4, 0.8)};
  sortByCost(findings);
  EXPECT_THAT(linesOf(findings), ElementsAre(3, 4, 2, 1));
}

TEST(Rank, MinorFindingsAreCountedAndDoNotFail) {
  Report report;
  report.findings = {finding(1, 0.01)};
  markMinor(report.findings, std::nullopt);
  EXPECT_TRUE(report.findings[0].minor);
  EXPECT_EQ(exitCode(report), ExitCode::Clean);
  dropMinor(report);
  EXPECT_EQ(report.findings.size(), 0u);
  EXPECT_EQ(report.minor, 1u);
}

// A level promises that a finding is true, not that it is worth the work.
TEST(Rank, UnknownFindingsAreNotMinorAndCertainOnesMayBe) {
  Finding certain = finding(2, 0.01);
  certain.level = Level::Certain;
  std::vector<Finding> findings = {finding(1, std::nullopt), certain};
  markMinor(findings, std::nullopt);
  EXPECT_FALSE(findings[0].minor);
  EXPECT_TRUE(findings[1].minor);
}

// A project that sets a least share of its own keeps it for its sources, and
// the command line overrides it.
TEST(Rank, TheCommandLineOverridesTheLeastShareOfAFinding) {
  std::vector<Finding> findings = {finding(1, 0.1), finding(2, 0.1)};
  findings[0].leastShare = 0.2;
  std::vector<Finding> given = findings;
  markMinor(findings, std::nullopt);
  EXPECT_TRUE(findings[0].minor);
  EXPECT_FALSE(findings[1].minor);
  markMinor(given, 0.05);
  EXPECT_FALSE(given[0].minor);
}
