// One run of Clang's parser.
#include "source/parse_once.h"
#include "source_on_disk.h"
#include "clang/AST/Decl.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;
using testing::IsEmpty;

namespace {

struct Once {
  explicit Once(llvm::StringRef text) : source(text) {}

  /// The number of errors.
  size_t errors(const ChangesForClang &changes = {},
                size_t fewestErrors = ParseOptions().fewestErrors,
                bool mayParseLate = true) {
    auto result = parseOnce(
        source.request,
        {source.translation.clang, mayParseLate, /*mayDropUnused=*/true,
         fewestErrors},
        {}, changes, asked);
    EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
    parsed = result ? std::move(*result) : nullptr;
    return parsed ? parsed->errors.size() : 0;
  }

  SourceOnDisk source;
  std::set<std::string> asked;
  std::unique_ptr<ParsedSource> parsed;
};

} // namespace

TEST(ParseOnce, MissingFilesAreAskedForAndAllBehindThemIsRead) {
  Once once("#include \"absent.h\"\nint a = absent;\nint b;\n");
  EXPECT_EQ(once.errors(), 2u);
  EXPECT_THAT(once.asked, Contains(once.source.path("absent.h")));
  ASSERT_FALSE(once.parsed->groups.empty());
  auto *last = llvm::dyn_cast<clang::VarDecl>(
      *std::prev(once.parsed->groups.back().end()));
  ASSERT_TRUE(last);
  EXPECT_EQ(last->getName(), "b");
}

TEST(ParseOnce, ItEndsAtAsManyErrorsAsAnotherRunHas) {
  const char *text = "namespace n {}\nint a = n::a;\nint b = n::b;\n"
                     "int c = n::c;\n";
  EXPECT_EQ(Once(text).errors(), 3u);
  EXPECT_EQ(Once(text).errors({}, 2), 2u);
  // What a change may end does not end it.
  Once changing("template <class T> int f(T t) { return t.run<int>(1); }\n"
                "int a = a_;\nint b = b_;\n");
  EXPECT_EQ(changing.errors({}, 1), 3u);
  EXPECT_EQ(changing.parsed->missingKeywords.size(), 1u);
}

TEST(ParseOnce, AChangedTextIsReadAndTheDisksStays) {
  Once once("int a = b;\n");
  EXPECT_EQ(once.errors(), 1u);
  ChangesForClang changes;
  EXPECT_FALSE(changes.any());
  changes.withKeywords[once.source.command.source] = "int a = 1;\n";
  EXPECT_TRUE(changes.any());
  EXPECT_EQ(once.errors(changes), 0u);
  EXPECT_EQ(once.errors(), 1u);
}

TEST(ParseOnce, AClassInSharedMemoryIsNamedAndThenTrivial) {
  Once once("struct V { float x; __device__ V() : x(0) {} };\n"
            "__global__ void k(float *p) { __shared__ V v; v.x = *p; }\n");
  EXPECT_EQ(once.errors(), 1u);
  ChangesForClang changes;
  changes.inShared = once.parsed->constructedInShared;
  ASSERT_EQ(changes.inShared.size(), 1u);
  EXPECT_EQ(once.errors(changes), 0u);
  EXPECT_THAT(once.parsed->constructedInShared, IsEmpty());
}
