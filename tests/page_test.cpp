// The report as one HTML page: the data that its script reads.
#include "input_folder.h"
#include "report/page.h"
#include "report_samples.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

std::string page(const Report &report, const ReportContext &around = {}) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printPage(report, around, false, "/src", out);
  return text;
}

/// The JSON between the page's markup.
llvm::json::Value dataOf(const std::string &text) {
  constexpr llvm::StringRef mark =
      "<script type=\"application/json\" id=\"data\">";
  size_t begin = text.find(mark) + mark.size();
  return parsed(text.substr(begin, text.find("</script>", begin) - begin));
}

TEST(Page, ReportTextCannotEndTheScript) {
  llvm::json::Value data = dataOf(page(hostileReport()));
  EXPECT_THAT(at(data, "findings.0.message"), HasSubstr("</script><!--"));
  EXPECT_THAT(at(data, "unread.0"), HasSubstr("</script>"));
}

TEST(Page, FilesHaveTheLinesOfInterest) {
  InputFolder folder;
  std::string lines;
  for (int line = 1; line <= 100; ++line)
    lines += "line " + std::to_string(line) + "\n";
  Finding finding = inlinedGather();
  finding.place = {folder.write("a.cu", lines), 50, 3};
  finding.callSites.clear();
  ReportContext around;
  Figure figure;
  figure.place = {finding.place.file, 99, 1};
  figure.space = Space::Global;
  figure.words = "32 sectors, 4 needed";
  figure.kernels = {"k"};
  around.figures = {figure};
  llvm::json::Value data = dataOf(page(sampleReport({finding}), around));
  EXPECT_EQ(at(data, "files.0.pieces.0.first"), "44");
  EXPECT_EQ(at(data, "files.0.pieces.0.lines.6"), "\"line 50\"");
  EXPECT_EQ(at(data, "files.0.pieces.0.lines.13"), "nothing");
  EXPECT_EQ(at(data, "files.0.pieces.1.first"), "93");
  EXPECT_EQ(at(data, "files.0.figures.0.line"), "99");
  EXPECT_EQ(at(data, "files.0.figures.0.of.0.words"),
            "\"32 sectors, 4 needed\"");
}

} // namespace
