// The file of known findings: what a run says of it.
#include "base/folders.h"
#include "gather.h"
#include "input_folder.h"
#include "run/baseline_file.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class BaselineFile : public testing::Test {
protected:
  Report reportOf(std::vector<Finding> findings) {
    Report report;
    report.sources = {folder / "a.cu"};
    for (Finding &finding : findings) {
      finding.place.file = folder / "a.cu";
      finding.callSites.clear();
    }
    report.findings = std::move(findings);
    return report;
  }
  Finding at(unsigned line) {
    Finding finding = gather();
    finding.place.line = line;
    finding.about = finding.message = "index " + std::to_string(line);
    return finding;
  }
  Baseline saved(const Report &report) {
    EXPECT_FALSE(bool(saveBaseline(file, report)));
    auto loaded = loadBaseline(file);
    if (loaded)
      return std::move(*loaded);
    ADD_FAILURE() << llvm::toString(loaded.takeError());
    return {};
  }
  void SetUp() override {
    std::string lines;
    for (unsigned line = 1; line <= 40; ++line)
      lines += "line" + std::to_string(line) + "();\n";
    folder.write("a.cu", lines);
  }
  InputFolder folder;
  std::string file = folder / "base.json";
};

TEST_F(BaselineFile, AMissingFileSaysHowToWriteIt) {
  auto loaded = loadBaseline(file);
  ASSERT_FALSE(bool(loaded));
  EXPECT_THAT(llvm::toString(loaded.takeError()),
              HasSubstr("'warplint check --write-baseline' writes it"));
}

TEST_F(BaselineFile, RecordedFindingsAreDroppedAndCounted) {
  const Baseline baseline = saved(reportOf({at(3), at(9)}));
  Report report = reportOf({at(3), at(9), at(12)});
  dropBaselined(baseline, file, {"dynamic-local-array"}, report);
  EXPECT_EQ(report.known, 2u);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].place.line, 12u);
  EXPECT_THAT(report.notes, IsEmpty());
}

// A suspicion that the compiler refuted would hide the next finding there.
TEST_F(BaselineFile, RefutedFindingsAreNotRecorded) {
  Finding refuted = at(3);
  refuted.kernels[0].judgement.verdict = Verdict::Refuted;
  EXPECT_EQ(saved(reportOf({refuted, at(9)})).findings.size(), 1u);
}

// Without the notes the file never shrinks; with all of them, a report of a
// large clean-up would be nothing else.
TEST_F(BaselineFile, TenThatAreGoneAreNamed) {
  std::vector<Finding> many;
  for (unsigned line = 1; line <= 13; ++line)
    many.push_back(at(line));
  const Baseline baseline = saved(reportOf(many));
  Report report = reportOf({});
  dropBaselined(baseline, file, {"dynamic-local-array"}, report);
  ASSERT_EQ(report.notes.size(), 12u);
  EXPECT_THAT(report.notes[0], HasSubstr("[dynamic-local-array]: gone from "
                                         "kernel 'gather<4>'"));
  EXPECT_EQ(report.notes[10], "3 more are gone");
  EXPECT_EQ(report.notes[11], "'" + file +
                                  "' records 13 that are gone; "
                                  "--write-baseline removes them");
}

// A check that did not run finds nothing, which says nothing.
TEST_F(BaselineFile, WhatDidNotRunIsNotGone) {
  const Baseline baseline = saved(reportOf({at(3)}));
  Report report = reportOf({});
  dropBaselined(baseline, file, {"register-spill"}, report);
  EXPECT_THAT(report.notes, IsEmpty());
}

} // namespace
