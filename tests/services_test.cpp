// Reports for the services that run checks, of findings that are hard to write.
#include "gather.h"
#include "report/services.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

using Printer = void (*)(const Report &, bool, const std::string &,
                         llvm::raw_ostream &);

std::string printed(Printer printer, const Report &report,
                    bool refuted = false) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printer(report, refuted, "/src", out);
  return text;
}

Report reportOf(std::vector<Finding> findings) {
  Report report;
  report.findings = std::move(findings);
  return report;
}

Finding refutedOne() {
  Finding finding = gather();
  finding.kernels[0].judgement = {Verdict::Refuted, "no stack frame"};
  return finding;
}

} // namespace

// A line break or a colon in a text would end the command, and what follows
// would be a command of its own.
TEST(Services, TextCannotEndAWorkflowCommand) {
  Finding finding = gather();
  finding.place.file = "/src/a,b:c.cu";
  finding.message = "one\n::error::100 %";
  const std::string text = printed(printGithub, reportOf({finding}));
  EXPECT_THAT(text, HasSubstr("file=a%2Cb%3Ac.cu,line=21,col=31"));
  EXPECT_THAT(text, HasSubstr("::one%0A::error::100 %25"));
  EXPECT_THAT(text, Not(HasSubstr("\n::error")));
}

TEST(Services, RefutedFindingsAreLeftOutUnlessAskedFor) {
  for (Printer printer : {printGithub, printGitlab, printJunit}) {
    EXPECT_THAT(printed(printer, reportOf({refutedOne()})),
                Not(HasSubstr("gather.cu")));
    EXPECT_THAT(printed(printer, reportOf({refutedOne()}), true),
                HasSubstr("gather.cu"));
  }
}

// A job with an unread source and no finding would be green.
TEST(Services, WhatWasNotReadIsAnError) {
  Report report;
  report.unread.push_back(
      {"/src/broken.cu", "broken.cu:1: expected ';'", true});
  report.unreadKernels.push_back({"/src/a.cu", "k<4>", "no template"});
  const std::string github = printed(printGithub, report);
  EXPECT_THAT(github, HasSubstr("::error file=broken.cu,title=not read::read "
                                "in part: broken.cu:1: expected ';'"));
  EXPECT_THAT(github, HasSubstr("kernel 'k<4>' not read: no template"));
  const std::string junit = printed(printJunit, report);
  EXPECT_THAT(junit, HasSubstr("tests=\"2\" failures=\"0\" errors=\"2\""));
  EXPECT_THAT(junit, HasSubstr("kernel &apos;k&lt;4&gt;&apos; not read"));
}

// A refuted finding is a test that was skipped, not one that failed.
TEST(Services, JunitCountsARefutedFindingAsSkipped) {
  const std::string text =
      printed(printJunit, reportOf({gather(), refutedOne()}), true);
  EXPECT_THAT(text, HasSubstr("<testsuites name=\"warplint\" tests=\"2\" "
                              "failures=\"1\" errors=\"0\">"));
  EXPECT_THAT(text, HasSubstr("skipped=\"1\""));
  EXPECT_THAT(
      text,
      HasSubstr(
          "<skipped message=\"refuted: index of &apos;count&apos; varies\"/>"));
}

// An attribute with a line break in it is read back with a blank.
TEST(Services, JunitKeepsLineBreaksInAttributes) {
  Finding finding = gather();
  finding.message = "one\n<two> \"three\"";
  EXPECT_THAT(printed(printJunit, reportOf({finding})),
              HasSubstr("message=\"one&#10;&lt;two&gt; &quot;three&quot;\""));
}

// GitLab refuses a report with a line 0, and merges findings with one
// fingerprint.
TEST(Services, GitlabHasALineAndAFingerprintOfItsOwnForEach) {
  Finding whole = gather();
  whole.place.line = 0;
  auto json = llvm::json::parse(
      printed(printGitlab, reportOf({whole, gather(), gather()})));
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Array &all = *json->getAsArray();
  ASSERT_EQ(all.size(), 3u);
  std::set<llvm::StringRef> prints;
  for (const llvm::json::Value &one : all) {
    prints.insert(*one.getAsObject()->getString("fingerprint"));
    EXPECT_EQ(one.getAsObject()->getString("severity"), "minor");
  }
  EXPECT_EQ(prints.size(), 3u);
  const auto *lines =
      all[0].getAsObject()->getObject("location")->getObject("lines");
  EXPECT_EQ(lines->getInteger("begin"), 1);
}
