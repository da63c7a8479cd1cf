// The table of kernels' resources: its order, its width and its formats.
#include "report/resources/resource_table.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

ResourceRow row(std::string kernel, unsigned registers, unsigned stack = 0,
                unsigned spill = 0) {
  ResourceRow row;
  row.kernel = row.signature = std::move(kernel);
  row.architecture = "sm_90";
  row.source = "a.cu";
  row.registers = registers;
  row.stack = stack;
  row.spillStores = row.spillLoads = spill;
  row.shared = 0;
  return row;
}

ResourceReport report() {
  ResourceReport report;
  report.rows = {row("few", 8), row("array", 20, 64), row("full", 128),
                 row("spills", 255, 16, 8), row("low", 16)};
  report.rows[2].occupancy = 25;
  report.rows[2].launches = {{"256x1x1", 50, "registers"},
                             {"1024x1x1", 25, "registers"}};
  report.rows[4].occupancy = 12;
  report.rows[4].launches = {{"32x1x1", 12, "blocks"}};
  sortByHarm(report.rows);
  return report;
}

TEST(ResourceTable, IsSortedByCost) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceTable(report(), 0, out);
  EXPECT_EQ(
      text,
      "arch   spill st/ld  stack     occupancy  regs  shared  kernel\n"
      "sm_90          8/8     16                 255       0  spills (a.cu)\n"
      "sm_90          0/0     64                  20       0  array (a.cu)\n"
      "sm_90          0/0      0    12% 32x1x1    16       0  low (a.cu)\n"
      "sm_90          0/0      0  25% 1024x1x1   128       0  full (a.cu)\n"
      "sm_90          0/0      0                   8       0  few (a.cu)\n");
}

TEST(ResourceTable, FitsATerminal) {
  ResourceReport report;
  report.rows = {row(std::string(500, 'k'), 8)};
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceTable(report, 60, out);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines)
    EXPECT_LE(line.size(), 60u);
  EXPECT_THAT(text, HasSubstr("kkk...\n"));
}

// 0 would say that it does not spill.
TEST(ResourceTable, AnUnknownValueIsAnEmptyCell) {
  ResourceReport report;
  report.rows = {row("k", 8)};
  report.rows[0].spillStores.reset();
  report.rows[0].spillLoads.reset();
  report.rows[0].stack = 16;
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceCsv(report, out);
  EXPECT_EQ(text,
            "kernel,arch,source,line,spillStores,spillLoads,stack,arrays,"
            "spills,other,cycles,occupancy,registers,shared,barriers,block,"
            "toolkit,flags,signature\n"
            "k,sm_90,a.cu,,,,16,,,,,,8,0,,,,,k\n");
  EXPECT_EQ(resourceClosing(report),
            "1 kernel on sm_90: 0 spill, 1 have a "
            "stack frame; whether 1 spill is not known");
}

TEST(ResourceTable, CsvQuotesCommas) {
  ResourceReport report;
  report.rows = {row("k<float, 4>", 8)};
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceCsv(report, out);
  EXPECT_THAT(text, HasSubstr("\n\"k<float, 4>\",sm_90,a.cu,"));
}

TEST(ResourceTable, ATemplateOfAHeaderIsOneLine) {
  ResourceReport report;
  report.rows = {row("k", 8), row("k", 8), row("k", 9)};
  report.rows[1].source = "b.cu";
  report.rows[2].source = "c.cu";
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceTable(report, 0, out);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("k (a.cu) in 2 sources\n"),
                                   HasSubstr("k (c.cu)\n")));
}

TEST(ResourceTable, MarkdownShowsWholeNames) {
  ResourceReport report;
  report.rows = {row("k<a|b, __x__>", 8)};
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceMarkdown(report, out);
  EXPECT_THAT(text, HasSubstr("| k\\<a\\|b, \\_\\_x\\_\\_\\> (a.cu) |"));
}

TEST(ResourceTable, TheClosingLineNeverCallsUnknownKernelsClean) {
  ResourceReport report;
  EXPECT_EQ(resourceClosing(report), "no kernels");
  report.rows = {row("k", 8)};
  EXPECT_EQ(resourceClosing(report),
            "1 kernel on sm_90: none spills, none has a stack frame");
  report.rows[0].stack.reset();
  EXPECT_EQ(resourceClosing(report),
            "1 kernel on sm_90; whether 1 spill is not known");
}

} // namespace
