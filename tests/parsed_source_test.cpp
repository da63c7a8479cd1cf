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
    return result ? std::pair(result->headerBytes(), result->libraryBytes())
                  : std::pair(uint64_t(0), uint64_t(0));
  };
  const auto [headers, libraries] = bytes(0, 0);
  EXPECT_EQ(bytes(1000, 0), std::pair(headers + 1000, libraries));
  EXPECT_EQ(bytes(0, 3000), std::pair(headers + 3000, libraries + 3000));
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
