// YAML text to a tree: a configuration that is read otherwise than it is meant
// is worse than none.
#include "input/yaml.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

YamlValue read(llvm::StringRef text) {
  auto value = readYaml("c.yaml", text);
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError());
  return {};
}

/// The error in the text; empty if there is none.
std::string wrong(llvm::StringRef text) {
  return llvm::toString(readYaml("c.yaml", text).takeError());
}

} // namespace

TEST(Yaml, AMapHasItsEntriesInTheOrderOfTheFile) {
  const YamlValue map = read("b: 1\na:\n  - x\n  - {c: 'y z'}\n");
  ASSERT_EQ(map.kind, YamlValue::Map);
  ASSERT_EQ(map.entries.size(), 2u);
  EXPECT_EQ(map.entries[0].key, "b");
  EXPECT_EQ(map.entries[0].value.kind, YamlValue::Text);
  EXPECT_EQ(map.entries[0].value.text, "1");
  const YamlValue &list = map.entries[1].value;
  ASSERT_EQ(list.kind, YamlValue::List);
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_EQ(list.items[0].text, "x");
  ASSERT_EQ(list.items[1].entries.size(), 1u);
  EXPECT_EQ(list.items[1].entries[0].value.text, "y z");
}

// A mistake in a value is named with the value's place.
TEST(Yaml, EachKeyAndValueHasItsPlace) {
  const YamlValue map = read("# why\nskip:\n  - a\nnone:\n");
  ASSERT_EQ(map.entries.size(), 2u);
  EXPECT_EQ(map.entries[0].line, 2u);
  EXPECT_EQ(map.entries[0].column, 1u);
  EXPECT_EQ(map.entries[0].value.items.at(0).line, 3u);
  EXPECT_EQ(map.entries[0].value.items.at(0).column, 5u);
  // An absent value has that of its key.
  EXPECT_EQ(map.entries[1].value.kind, YamlValue::Nothing);
  EXPECT_EQ(map.entries[1].value.line, 4u);
}

TEST(Yaml, AnEmptyTextIsNothing) {
  for (const char *text : {"", "# nothing\n", "---\n"})
    EXPECT_EQ(read(text).kind, YamlValue::Nothing) << text;
}

// Nobody sees the tab that an editor puts before a comment.
TEST(Yaml, ATabBeforeACommentIsNone) {
  const YamlValue map = read("\t# why\nskip: a\n \t # more\n\t\n");
  ASSERT_EQ(map.entries.size(), 1u);
  EXPECT_EQ(map.entries[0].value.text, "a");
}

TEST(Yaml, WhatNoConfigurationNeedsIsRefusedWithItsPlace) {
  const std::pair<const char *, const char *> cases[] = {
      {"skip: a\nskip: b\n", "2:1: 'skip' is there a second time"},
      {"skip: a\n---\nskip: b\n",
       "3:1: a second document; there is one in a configuration"},
      {"skip: &a [x]\nheaders: *a\n",
       "3:1: aliases and blocks of text have no meaning here"},
      {"skip: |\n  a\n",
       "2:1: aliases and blocks of text have no meaning here"},
      {"? [a]\n: b\n", "1:4: a key is a word"},
      {"skip: [a\n", "1:9: "},
      {"# why\n\tskip: a\n",
       "2:1: a tab, where blanks tell what belongs together"},
  };
  for (const auto &[text, what] : cases)
    EXPECT_THAT(wrong(text), StartsWith("c.yaml:" + std::string(what))) << text;
}

// LLVM's reader recurses: the stack would end before the text.
TEST(Yaml, TextThatWouldExhaustTheMachineIsRefused) {
  EXPECT_THAT(wrong("a: &a [x, x]\nb: &b [*a, *a]\nskip: [*b, *b]\n"),
              HasSubstr("aliases"));
  constexpr size_t levels = 50'000;
  for (const std::string &level : {"[", "{a: ", "- ", "? ", "{? "}) {
    std::string text;
    for (size_t i = 0; i < levels; ++i)
      text += level;
    EXPECT_NE(wrong(text), "") << level;
    EXPECT_NE(wrong("skip: " + text), "") << level;
  }
  EXPECT_THAT(wrong("skip: " + std::string(2 << 20, 'x')),
              HasSubstr("more than 1 MiB"));
}
