// JSON reports that another program wrote, or another release.
#include "gather.h"
#include "report/json.h"
#include "report/read_json.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

std::string written(const Report &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printJson(report, /*refuted=*/true, out);
  return text;
}

Report small() {
  Report report;
  report.findings = {gather()};
  report.sourcesRead = report.kernelsRead = 1;
  return report;
}

/// The error of a text; empty if it is read.
std::string errorOf(llvm::StringRef text) {
  auto report = readJson(text);
  return report ? "" : llvm::toString(report.takeError());
}

/// The text with its first `from` replaced, which it must have.
std::string replaced(std::string text, llvm::StringRef from,
                     llvm::StringRef to) {
  const size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  if (at != std::string::npos)
    text.replace(at, from.size(), to.str());
  return text;
}

} // namespace

// 'merge' and a baseline would lose what does not come back.
TEST(ReadJsonReport, EachFieldOfAFindingComesBack) {
  Report report = small();
  report.findings[0].share = 0.25;
  report.findings[0].cost = "bound by DRAM";
  report.findings[0].launch = "a.cu:8 with n = 4096";
  report.findings[0].object = "count";
  report.findings[0].cause = "small sums";
  report.findings[0].kernels[0].judgement.condition = "'n' is above 8";
  report.unread = {{"/a.cu", "an error", true}};
  report.unreadKernels = {{"/a.cu", "k<\"x\">", "why"}};
  report.notes = {"a note"};
  report.allowed = 7;
  report.kernelsInPart = 2;
  report.kernelTemplatesIdle = 4;
  auto back = readJson(written(report));
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(written(*back), written(report));
  EXPECT_EQ(back->findings[0].share, 0.25);
  EXPECT_EQ(back->findings[0].kernels[0].judgement.condition, "'n' is above 8");
  EXPECT_EQ(back->unreadKernels[0].name, "k<\"x\">");
  EXPECT_EQ(back->allowed, 7u);
}

TEST(ReadJsonReport, AShareThatIsNotKnownStaysSo) {
  auto back = readJson(written(small()));
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_FALSE(back->findings[0].share);
}

// A field with another meaning must not be read as if it were the same.
TEST(ReadJsonReport, AnotherSchemaIsRefusedWithItsReason) {
  EXPECT_THAT(
      errorOf(replaced(written(small()), "\"schema\": 1", "\"schema\": 2")),
      HasSubstr("another release"));
}

TEST(ReadJsonReport, AWordThatIsNoVerdictOrLevelIsRefusedWithItsPlace) {
  // The kernel's verdict comes after that of the whole finding.
  const std::string text = written(small());
  const size_t kernels = text.find("\"kernels\": [");
  ASSERT_NE(kernels, text.npos);
  EXPECT_THAT(
      errorOf(text.substr(0, kernels) +
              replaced(text.substr(kernels), "\"confirmed\"", "\"maybe\"")),
      HasSubstr("no verdict"));
  EXPECT_THAT(errorOf(replaced(written(small()), "\"likely\"", "\"sure\"")),
              HasSubstr("no level"));
}

TEST(ReadJsonReport, OtherTextsAreRefused) {
  for (const char *text :
       {"", "[]", "{}", "null", "{\"schema\": 1}", "{\"schema\": \"1\"}",
        "{\"schema\": 1, "
        "\"findings\": 3}"})
    EXPECT_NE(errorOf(text), "") << text;
  const std::string whole = written(small());
  EXPECT_EQ(errorOf(whole), "");
  EXPECT_NE(errorOf(llvm::StringRef(whole).drop_back(3)), "") << "cut off";
}

// Newer releases add fields; older ones read on.
TEST(ReadJsonReport, AFieldThatIsNotKnownIsPassedOver) {
  EXPECT_EQ(errorOf(replaced(written(small()), "\"schema\": 1",
                             "\"new\": [1], \"schema\": 1")),
            "");
}
