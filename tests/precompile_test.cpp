// What Clang has parsed, in a file.
#include "source/clang_command.h"
#include "source/precompile.h"
#include "source_on_disk.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::AllOf;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

// A source that continues from half a header would lack the other half.
TEST(Precompile, OnlyHeadersWithoutAnErrorAreWritten) {
  const SourceOnDisk source("");
  PrecompiledHeaderNames names;
  auto writes = [&](const char *text) {
    names.clear();
    return writePrecompiledHeader(source.request, sharedFlags(source.request),
                                  {"/none/all.cu", text}, source.path("out"),
                                  names);
  };
  EXPECT_TRUE(
      writes("#include <cmath>\ninline int own_name() { return 1; }\n"));
  EXPECT_THAT(names, AllOf(Contains("own_name"), Contains("<cmath"),
                           Not(Contains("<vector"))));
  EXPECT_FALSE(writes("int a = b;\n"));
  EXPECT_FALSE(writes("#include \"absent.h\"\n"));
}

TEST(Precompile, APreambleNumbersWhatTheUsersHeadersDeclare) {
  const SourceOnDisk source("");
  writeFile(source.path("own.h"), "struct S;\nint f();\n");
  ParsedBefore base;
  base.header = source.path("base");
  base.texts = {{"/none/all.cu", "#include <cmath>\n"}};
  PrecompiledHeaderNames names;
  ASSERT_TRUE(writePrecompiledHeader(source.request,
                                     sharedFlags(source.request), base.texts[0],
                                     base.header, names));
  MadePreamble made;
  auto writes = [&](const char *text) {
    made = {};
    return writePreamble(
        source.request, {}, base, {source.path("preamble.cu"), text},
        diskFor(source.request), source.path("out"), made);
  };
  EXPECT_TRUE(writes("#include \"own.h\"\n"));
  EXPECT_EQ(made.declarations.size(), 2u);
  EXPECT_EQ(made.files.size(), 3u); // the source, Clang's own, and the header
  EXPECT_TRUE(writes("#include <cstdio>\n"));
  EXPECT_THAT(made.declarations, IsEmpty());
  EXPECT_FALSE(writes("#include \"absent.h\"\n"));
}
