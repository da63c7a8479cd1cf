// The report as a comment on a pull request.
#include "report/page.h"
#include "report_samples.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string markdown(const Report &report, const ReportContext &around = {}) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printMarkdown(report, around, false, "/src", out);
  return text;
}

ReportContext oneKernel() {
  ReportContext around;
  ResourceRow row;
  row.kernel = row.signature = "gather<4>";
  row.architecture = "sm_90";
  row.source = "gather.cu";
  row.stack = 64;
  around.resources.rows = {row};
  return around;
}

TEST(Markdown, FindingsThenResources) {
  EXPECT_EQ(
      markdown(sampleReport({inlinedGather()}), oneKernel()),
      "### warplint: 1 warning\n"
      "\n"
      "| place | finding | verdict | check |\n"
      "| --- | --- | --- | --- |\n"
      "| a b/gather.cu:21 | index of 'count' varies<br>sm_90: 64 local loads: "
      "confirmed | confirmed | dynamic-local-array |\n"
      "\n"
      "<details><summary>resources of the kernels</summary>\n"
      "\n"
      "| arch | stack | kernel |\n"
      "| --- | ---: | --- |\n"
      "| sm_90 | 64 | gather\\<4\\> (gather.cu) |\n"
      "\n"
      "1 kernel on sm_90: 0 spill, 1 have a stack frame; whether 1 spill is "
      "not known\n"
      "\n"
      "</details>\n");
}

// A comment that is too long is refused as a whole.
TEST(Markdown, IsCutToTheLengthOfAComment) {
  std::string text =
      markdown(sampleReport(std::vector<Finding>(400, inlinedGather())));
  EXPECT_LT(text.size(), 20000u);
  EXPECT_THAT(text, HasSubstr("\nand 350 more findings\n"));
}

TEST(Markdown, CellsEscapeTableMarkup) {
  std::string text = markdown(hostileReport());
  EXPECT_THAT(text, Not(HasSubstr("</script>")));
  EXPECT_THAT(text, HasSubstr("\\</script\\>"));
}

} // namespace
