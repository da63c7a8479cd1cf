#include "input_folder.h"
#include "machine/statement_files.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

TEST(StatementFiles, RelativeNamesAreRelativeToTheFolder) {
  InputFolder folder;
  folder.write("a.cu", "void f() {\n  int x = 1;\n}\n");
  StatementFiles files(folder.path);
  const SourceStatements *source = files.of("a.cu");
  ASSERT_TRUE(source);
  EXPECT_EQ(source->at(2, 7)->names, std::vector<std::string>{"x"});
  EXPECT_EQ(files.of("a.cu"), source) << "read once";
}

TEST(StatementFiles, WhatCannotBeReadHasNone) {
  InputFolder folder;
  StatementFiles files(folder.path);
  EXPECT_FALSE(files.of("none.cu"));
  EXPECT_FALSE(files.of(""));
  EXPECT_FALSE(files.of("."));
}

} // namespace
