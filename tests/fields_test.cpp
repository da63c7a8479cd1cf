// Text as a field of a format: names and messages hold any bytes.
#include "report/fields.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace warplint;

// 'k<float, 4>' would be two columns of a table.
TEST(FieldText, CsvQuotesWhatWouldEndAField) {
  EXPECT_EQ(csvField("k<4>"), "k<4>");
  EXPECT_EQ(csvField("k<float, 4>"), "\"k<float, 4>\"");
  EXPECT_EQ(csvField("operator\"\"_x"), "\"operator\"\"\"\"_x\"");
  EXPECT_EQ(csvField("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csvField(""), "");
}

// On standard output, such a line is a command for GitHub's runner.
TEST(FieldText, ACsvFieldIsNoCommand) {
  EXPECT_EQ(csvField("::error::x"), "\"::error::x\"");
  EXPECT_EQ(csvField("a\x1b[2J\n::error::x"), "\"a\uFFFD[2J\n| ::error::x\"");
}

// A file name in Latin-1 would make the whole report unreadable.
TEST(FieldText, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(utf8("größe.cu"), "größe.cu");
  const std::string fixed = utf8("gr\xF6\xDF"
                                 "e.cu");
  EXPECT_TRUE(llvm::json::isUTF8(fixed));
  EXPECT_NE(fixed.find("\xEF\xBF\xBD"), std::string::npos);
  EXPECT_EQ(fixed.substr(0, 2), "gr");
  EXPECT_EQ(fixed.substr(fixed.size() - 4), "e.cu");
}

TEST(FieldText, MarkupIsText) {
  EXPECT_EQ(markupEscaped("k<int&> \"x\""), "k&lt;int&amp;&gt; &quot;x&quot;");
}

// One such character makes an XML report that no reader takes.
TEST(FieldText, CharactersThatXmlForbidsAreReplaced) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(markupEscaped(llvm::StringRef("a\0b", 3)), "a" + replacement + "b");
  EXPECT_EQ(markupEscaped("\x1B[31m"), replacement + "[31m");
  EXPECT_EQ(markupEscaped("\v\f"), replacement + replacement);
  EXPECT_EQ(markupEscaped("\xEF\xBF\xBF|"), replacement + "|");
  EXPECT_EQ(markupEscaped("a\tb\nc\r"), "a\tb\nc\r") << "XML allows these";
}
