// Allowances are comments: text in a literal must not become one.
#include "input/source_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

std::vector<std::string> commentsIn(llvm::StringRef text) {
  std::vector<std::string> comments;
  const SourceText source(text); // holds the comments
  for (const SourceComment &comment : source.comments())
    comments.push_back(comment.text.str());
  return comments;
}

using Comments = std::vector<std::string>;

} // namespace

TEST(SourceText, FindsCommentsButNotThoseInLiterals) {
  EXPECT_EQ(commentsIn("int a; // one\nint b; /* two\n */ // three\n"),
            (Comments{"// one", "/* two\n */", "// three"}));
  EXPECT_EQ(commentsIn("f(\"// no\", '\"', \"\\\"// no\"); // yes"),
            Comments{"// yes"});
  EXPECT_EQ(commentsIn("R\"x(// no )\" )x\" // yes"), Comments{"// yes"});
  EXPECT_EQ(commentsIn("int million = 1'000'000; // yes"), Comments{"// yes"});
  EXPECT_EQ(commentsIn("#error don't // yes"), Comments{"// yes"});
  EXPECT_EQ(commentsIn("// one \\\nstill one\n/* open"),
            (Comments{"// one \\\nstill one", "/* open"}));
}

TEST(SourceText, CodeHasBlanksForCommentsAndLiterals) {
  EXPECT_EQ(SourceText("a(\"b\"); // c\nd").code(), "a(\" \");     \nd");
}

TEST(SourceText, PlacesCountFromOne) {
  const llvm::StringRef text = "one\n  // two\nthree";
  const SourceText places(text);
  EXPECT_EQ(places.lines(), 3u);
  EXPECT_EQ(places.lineOf(0), 1u);
  EXPECT_EQ(places.lineOf(text.find("//")), 2u);
  EXPECT_EQ(places.columnOf(text.find("//")), 3u);
  EXPECT_EQ(places.startOf(3), text.find("three"));
  EXPECT_EQ(places.startOf(4), text.size());
  EXPECT_TRUE(places.hasCode(1));
  EXPECT_FALSE(places.hasCode(2));
}
