// The last line of a report: what it counts, and what it must not hide.
#include "gather.h"
#include "report/closing.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

Finding finding(Verdict verdict, std::string evidence = "",
                Level level = Level::Likely) {
  Finding one = gather();
  one.level = level;
  one.kernels[0].judgement = {verdict, std::move(evidence)};
  return one;
}

Report read(unsigned sources, unsigned kernels) {
  Report report;
  report.sourcesRead = sources;
  report.kernelsRead = kernels;
  return report;
}

std::string closing(const Report &report, bool refutedShown = false) {
  return closingLine(report, refutedShown);
}

} // namespace

TEST(ClosingLine, SilenceSaysWhatWasLinted) {
  EXPECT_EQ(closing(read(3, 12)), "no findings in 12 kernels of 3 sources");
  EXPECT_EQ(closing(read(1, 0)), "no kernels in 1 source");
  EXPECT_EQ(closing(read(0, 2)), "no findings in 2 kernels"); // of a PTX file
}

// Without it a run that could read nothing would look clean.
TEST(ClosingLine, WhatWasNotLintedIsCounted) {
  Report none;
  none.unread = {{"/a.cu", "an error"}};
  EXPECT_EQ(closing(none), "no source could be linted");
  Report some = read(2, 5);
  some.unread = {{"/a.cu", "an error"}, {"/b.cu", "an error", true}};
  some.unreadKernels = {{"/b.cu", "k", "an error"}};
  some.kernelsInPart = 2;
  some.kernelTemplatesIdle = 3;
  EXPECT_EQ(closing(some),
            "no findings in 5 kernels of 2 sources, 1 source not linted, 1 "
            "kernel not linted, 3 kernel templates without an instance, 2 "
            "kernels linted in part");
}

TEST(ClosingLine, UnjudgedFindingsHaveTheirReasonIfItIsOne) {
  Report report = read(1, 2);
  report.findings = {finding(Verdict::Confirmed),
                     finding(Verdict::Unjudged, "no nvcc found")};
  EXPECT_EQ(closing(report),
            "2 warnings (1 confirmed, 1 unjudged: no nvcc found)");
  report.findings.push_back(finding(Verdict::Unjudged, "another"));
  EXPECT_EQ(closing(report), "3 warnings (1 confirmed, 2 unjudged)");
  report.findings = {finding(Verdict::Confirmed)};
  EXPECT_EQ(closing(report), "1 warning");
}

TEST(ClosingLine, ALongReasonThatANoteHasIsLeftOut) {
  const std::string message =
      "nvcc stopped at /project/include/utils.h:25: mpi.h: No such file";
  Report report = read(1, 2);
  report.findings = {finding(Verdict::Unjudged, message)};
  EXPECT_EQ(closing(report), "1 warning (unjudged: " + message + ")");
  report.notes = {"1 source was not compiled: " + message};
  EXPECT_EQ(closing(report), "1 warning (unjudged)");
}

TEST(ClosingLine, OpinionsAreNoWarnings) {
  Report report = read(1, 1);
  report.findings = {finding(Verdict::Confirmed),
                     finding(Verdict::Confirmed, "", Level::Opinion),
                     finding(Verdict::Confirmed, "", Level::Opinion)};
  EXPECT_EQ(closing(report), "1 warning and 2 opinions");
}

// A refuted finding is no warning, and the reader learns how to see it.
TEST(ClosingLine, RefutedSuspicionsStandApart) {
  Report report = read(1, 1);
  report.findings = {finding(Verdict::Refuted)};
  EXPECT_EQ(closing(report),
            "no findings in 1 kernel of 1 source, 1 suspicion refuted by the "
            "compiled code (--refuted shows it)");
  EXPECT_EQ(closing(report, true),
            "no findings in 1 kernel of 1 source, 1 suspicion refuted by the "
            "compiled code");
}

TEST(ClosingLine, WhatWasLeftOutIsCountedByItsReason) {
  Report report = read(1, 1);
  report.minor = 1;
  report.beyond = 3;
  report.known = 4;
  report.allowed = 5;
  Finding useless = finding(Verdict::Confirmed);
  useless.check = "useless-allow";
  report.findings = {useless};
  EXPECT_EQ(closing(report),
            "no findings in 1 kernel of 1 source, 1 useless allowance, 1 minor "
            "(--minor shows it), 3 beyond --max-findings, 4 known from the "
            "baseline, 5 allowed by comments");
}
