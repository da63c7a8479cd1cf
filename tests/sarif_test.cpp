// Findings as SARIF, as code-scanning services and editors read it.
#include "report/sarif.h"
#include "report_samples.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

TEST(Sarif, OnlyPathsBelowTheRootAreRelative) {
  llvm::json::Value log =
      parsed(printed(printSarif, sampleReport({inlinedGather()})));
  const std::string result = "runs.0.results.0.";
  EXPECT_EQ(at(log, result + "locations.0.physicalLocation.artifactLocation"),
            R"({"index":0,"uri":"a%20b/gather.cu","uriBaseId":"SRCROOT"})");
  EXPECT_EQ(at(log, result + "relatedLocations.2.physicalLocation."
                             "artifactLocation.uri"),
            "\"file:///usr/include/lib.cuh\"");
  EXPECT_EQ(at(log, "runs.0.originalUriBaseIds.SRCROOT.uri"),
            "\"file:///src/\"");
  EXPECT_EQ(at(log, "runs.0.artifacts.0.location.uri"), "\"a%20b/gather.cu\"");
}

// Readers find the check's page by this index.
TEST(Sarif, ARuleHasItsPage) {
  llvm::json::Value log =
      parsed(printed(printSarif, sampleReport({inlinedGather()})));
  std::string rule =
      "runs.0.tool.driver.rules." + at(log, "runs.0.results.0.ruleIndex") + ".";
  EXPECT_EQ(at(log, rule + "id"), "\"dynamic-local-array\"");
  EXPECT_THAT(at(log, rule + "help.markdown"), HasSubstr("```cuda\\n"));
  EXPECT_THAT(at(log, rule + "help.text"), HasSubstr("What to do"));
}

TEST(Sarif, LevelsFollowThePromiseAndRefutedFindingsPass) {
  Finding certain = inlinedGather(), opinion = inlinedGather();
  certain.level = Level::Certain;
  opinion.level = Level::Opinion;
  Report report =
      sampleReport({certain, inlinedGather(), opinion,
                    withVerdict(inlinedGather(), Verdict::Refuted)});
  llvm::json::Value log = parsed(printed(printSarif, report, true));
  for (auto [index, level] : {std::pair("0", "\"error\""),
                              {"1", "\"warning\""},
                              {"2", "\"note\""},
                              {"3", "\"none\""}})
    EXPECT_EQ(at(log, std::string("runs.0.results.") + index + ".level"),
              level);
  EXPECT_EQ(at(log, "runs.0.results.3.kind"), "\"pass\"");
  EXPECT_EQ(at(parsed(printed(printSarif, report)), "runs.0.results.3"),
            "nothing");
}

TEST(Sarif, CallsToInlinedCodeAreACodeFlow) {
  llvm::json::Value log =
      parsed(printed(printSarif, sampleReport({inlinedGather()})));
  const std::string steps =
      "runs.0.results.0.codeFlows.0.threadFlows.0.locations.";
  EXPECT_EQ(at(log, steps + "0.location.physicalLocation.region.startLine"),
            "7");
  EXPECT_EQ(at(log, steps + "2.location.physicalLocation.region.startLine"),
            "21");
  EXPECT_EQ(at(log, steps + "2.nestingLevel"), "2");
  EXPECT_EQ(at(log, steps + "3"), "nothing");
}

// An incomplete run must not look like a clean one.
TEST(Sarif, AnUnreadSourceIsANotification) {
  Report report = sampleReport({});
  report.unread = {{"/src/b.cu", "b.cu:1: unknown type name 'T'", false}};
  llvm::json::Value log = parsed(printed(printSarif, report));
  EXPECT_EQ(at(log, "runs.0.invocations.0.exitCode"), "3");
  EXPECT_EQ(at(log, "runs.0.invocations.0.toolExecutionNotifications.0.level"),
            "\"error\"");
  EXPECT_EQ(at(log, "runs.0.invocations.0.toolExecutionNotifications.0."
                    "locations.0.physicalLocation.artifactLocation.uri"),
            "\"b.cu\"");
}

TEST(Sarif, TextIsNeitherALinkNorAPlaceholder) {
  Finding finding = inlinedGather();
  finding.message = "a[i](x) {0}";
  finding.kernels.clear();
  finding.notes.clear();
  finding.fix.clear();
  EXPECT_EQ(at(parsed(printed(printSarif, sampleReport({finding}))),
               "runs.0.results.0.message.text"),
            R"("a[i\\](x) {{0}}\nsee: warplint explain dynamic-local-array")");
}

} // namespace
