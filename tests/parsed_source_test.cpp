// An AST and what it was read from.
#include "source/parse_once.h"
#include "source/parsed_source.h"
#include "source_on_disk.h"
#include <gtest/gtest.h>

using namespace warplint;

static std::unique_ptr<ParsedSource> parsed(const SourceOnDisk &source) {
  std::set<std::string> asked;
  auto result =
      parseOnce(source.request, {source.translation.clang}, {}, {}, asked);
  EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
  return result ? std::move(*result) : nullptr;
}

// They decide if a precompiled header is worth its time.
TEST(ParsedSource, HeadersAreCountedWithoutTheSource) {
  SourceOnDisk source("#include \"own.h\"\n#include <library.h>\n"
                      "// a line of the source\n",
                      {"-isystem", "system"});
  llvm::sys::fs::create_directory(source.path("system"));
  auto bytes = [&](size_t own, size_t library) {
    writeFile(source.path("own.h"), std::string(own, '\n'));
    writeFile(source.path("system/library.h"), std::string(library, '\n'));
    auto result = parsed(source);
    return result ? result->headerBytes() : 0;
  };
  const uint64_t headers = bytes(0, 0);
  EXPECT_EQ(bytes(1000, 0), headers + 1000);
  EXPECT_EQ(bytes(0, 3000), headers + 3000);
}

// One that others include too counts for the first of them.
TEST(ParsedSource, ALibraryHeaderCountsWithWhatItIncludes) {
  SourceOnDisk source("#include \"own.h\"\n#include <part/b.h>\n"
                      "#include <c.h>\n",
                      {"-isystem", "system"});
  writeFile(source.path("own.h"), "#include <part/a.h>\n");
  llvm::sys::fs::create_directories(source.path("system/part"));
  const std::string once = "#pragma once\n";
  writeFile(source.path("system/part/a.h"), once + "#include <c.h>\n");
  writeFile(source.path("system/part/b.h"), once + "#include \"a.h\"\n//\n");
  writeFile(source.path("system/c.h"), once + std::string(100, '\n'));
  auto result = parsed(source);
  ASSERT_TRUE(result);
  const std::vector<HeaderBytes> bytes =
      result->libraryBytes({"part/b.h", "part/a.h", "c.h", "none.h"});
  ASSERT_EQ(bytes.size(), 2u);
  EXPECT_EQ(bytes[0].name, "part/b.h");
  EXPECT_EQ(bytes[0].bytes, once.size() + 18);
  EXPECT_EQ(bytes[1].name, "part/a.h");
  EXPECT_EQ(bytes[1].bytes, 2 * once.size() + 115);
}

TEST(ParsedSource, ASourceThatIsNotThereCannotBegin) {
  SourceOnDisk source("");
  llvm::sys::fs::remove(source.command.source);
  std::set<std::string> asked;
  auto result =
      parseOnce(source.request, {source.translation.clang}, {}, {}, asked);
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError()), "");
  EXPECT_TRUE(asked.count(source.command.source));
}
