// Which of a source's macros may change a precompiled library.
#include "source/clang_command.h"
#include "source/macros_before_libraries.h"
#include "source/parse_once.h"
#include "source/precompile.h"
#include "source_on_disk.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// Those of a source that continues from <a.h> and <part/b.h>.
std::set<std::string> macrosIn(const std::string &text) {
  SourceOnDisk source(text, {"-isystem", "system", "-DFLAG"});
  llvm::sys::fs::create_directories(source.path("system/part"));
  writeFile(source.path("system/a.h"), "#pragma once\n#define OF_A\n");
  writeFile(source.path("system/part/b.h"), "#pragma once\n#include <a.h>\n");
  writeFile(source.path("own.h"), "#undef IN_HEADER\n#define IN_HEADER 1\n"
                                  "#include <part/b.h>\n#define LATE\n");
  ParsedBefore before;
  before.header = source.path("base");
  before.libraries = "#include <a.h>\n#include <part/b.h>\n";
  before.texts = {{"/none/all.cu", before.libraries}};
  std::vector<std::string> words = sharedFlags(source.request);
  llvm::append_range(words, source.translation.clang);
  PrecompiledHeaderNames names;
  EXPECT_TRUE(writePrecompiledHeader(source.request, words, before.texts[0],
                                     before.header, names));
  std::set<std::string> asked;
  auto parsed =
      parseOnce(source.request, {source.translation.clang}, before, {}, asked);
  EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  return parsed ? (*parsed)->macrosBeforeLibraries : std::set<std::string>();
}

} // namespace

TEST(MacrosBeforeLibraries, AreThoseBeforeTheLastOfThem) {
  EXPECT_THAT(macrosIn("#define FIRST\n#include <a.h>\n#define SECOND\n"
                       "#include \"own.h\"\n#define LATER\n"),
              ElementsAre("FIRST", "IN_HEADER", "SECOND"));
  EXPECT_THAT(macrosIn("#include <a.h>\n#define LATER\n"), IsEmpty());
}

TEST(MacrosBeforeLibraries, AreNoneWithoutALibrary) {
  EXPECT_THAT(macrosIn("#define FIRST\nint a;\n"), IsEmpty());
}

// The preprocessor knows conditions that the text does not show.
TEST(MacrosBeforeLibraries, AreThoseThatAreDefined) {
  EXPECT_THAT(macrosIn("#include <a.h>\n#ifdef OF_A\n#define TAKEN\n#else\n"
                       "#define NOT_TAKEN\n#endif\n#include <part/b.h>\n"),
              ElementsAre("TAKEN"));
}
