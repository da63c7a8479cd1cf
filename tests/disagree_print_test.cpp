// The disagreements of the two readers, for people and for programs.
#include "report/disagree.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

Disagreement at(unsigned line, const char *kernel = "k") {
  Disagreement found;
  found.kernel = kernel;
  found.shape = {{64, 1, 1}, ShapeSource::Launch, {}};
  found.place = {"/src/k.cu", line, 3};
  found.accessed = "a[i, 1]";
  found.source = "32 sectors";
  found.ptx = "none";
  found.why = "its value is still in a register";
  return found;
}

std::string printed(void (*print)(const std::vector<Disagreement> &,
                                  const std::string &, llvm::raw_ostream &),
                    const std::vector<Disagreement> &all) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(all, "/src", out);
  return text;
}

TEST(DisagreePrint, TextNamesAKernelAndItsBlockOnce) {
  Disagreement wide = at(9);
  wide.shape.shape = {32, 8, 1};
  EXPECT_EQ(printed(printDisagreements, {at(8), at(9), wide, at(8, "l")}),
            "k, blocks of 64x1x1\n"
            "  k.cu:8: global load 'a[i, 1]': source 32 sectors; ptx none: its "
            "value is still in a register\n"
            "  k.cu:9: global load 'a[i, 1]': source 32 sectors; ptx none: its "
            "value is still in a register\n"
            "\nk, blocks of 32x8x1\n"
            "  k.cu:9: global load 'a[i, 1]': source 32 sectors; ptx none: its "
            "value is still in a register\n"
            "\nl, blocks of 64x1x1\n"
            "  k.cu:8: global load 'a[i, 1]': source 32 sectors; ptx none: its "
            "value is still in a register\n"
            "\n4 disagreements\n");
  EXPECT_EQ(printed(printDisagreements, {}), "the source and the PTX agree\n");
}

// An index holds commas; without quotes the columns behind it move.
TEST(DisagreePrint, CsvKeepsItsColumns) {
  Disagreement moved = at(8);
  moved.ptxLine = 12;
  EXPECT_EQ(printed(printDisagreementsCsv, {at(8), moved}),
            "file,line,kernel,block,space,op,accessed,source,ptx,ptx_line,why\n"
            "k.cu,8,k,64x1x1,global,load,\"a[i, 1]\",32 sectors,none,8,its "
            "value is still in a register\n"
            "k.cu,8,k,64x1x1,global,load,\"a[i, 1]\",32 sectors,none,12,its "
            "value is still in a register\n");
}

TEST(DisagreePrint, JsonHasBothFigures) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printDisagreementsJson({at(8)}, out);
  auto json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Array *all = json->getAsObject()->getArray("disagreements");
  ASSERT_TRUE(all && all->size() == 1);
  const llvm::json::Object &one = *all->front().getAsObject();
  EXPECT_EQ(one.getString("source"), "32 sectors");
  EXPECT_EQ(one.getString("ptx"), "none");
  EXPECT_EQ(one.getInteger("ptxLine"), 8);
  EXPECT_EQ(one.getString("file"), "/src/k.cu");
}

} // namespace
