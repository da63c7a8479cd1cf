#include "lsp/places.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class Places : public testing::Test {
protected:
  /// "first-last" columns of the range on line 1, from 0.
  std::string columns(unsigned column, llvm::StringRef text = "") {
    return show(places_.range({"/a.cu", 1, column}, text));
  }
  std::string columnsOf(unsigned column, llvm::StringRef text) {
    return show(places_.rangeOf({"/a.cu", 1, column}, text));
  }

private:
  static std::string show(const llvm::lsp::Range &range) {
    EXPECT_EQ(range.start.line, 0);
    EXPECT_EQ(range.end.line, 0);
    return std::to_string(range.start.character) + "-" +
           std::to_string(range.end.character);
  }

  // The umlaut has two bytes and one UTF-16 code unit.
  EditorPlaces places_{{{"/a.cu", "/* \u00fc */ out[i] += in[i];\n"}}};
};

} // namespace

TEST_F(Places, ARangeIsTheWordOrOperatorAtThePlace) {
  EXPECT_EQ(columns(10), "8-11");  // out
  EXPECT_EQ(columns(17), "15-17"); // +=
  EXPECT_EQ(columns(13), "11-12"); // [
}

TEST_F(Places, ARangeIsTheTextIfItIsAtThePlace) {
  EXPECT_EQ(columns(10, "out[i]"), "8-14");
  EXPECT_EQ(columns(10, "in[i]"), "8-11");
}

TEST_F(Places, ARangeIsTheLineIfTheColumnIsUnknown) {
  EXPECT_EQ(columns(0), "0-24");
}

TEST_F(Places, RangeOfFindsTheNearestOccurrence) {
  EXPECT_EQ(columnsOf(10, "[i]"), "11-14");
  EXPECT_EQ(columnsOf(20, "[i]"), "20-23");
  EXPECT_EQ(columnsOf(10, "elsewhere"), "8-11");
}
