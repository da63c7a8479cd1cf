// Tests what a source includes, as far as its directives tell.
#include "input/database.h"
#include "input/include_graph.h"
#include "input_folder.h"
#include "llvm/Support/FormatVariadic.h"
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class IncludeGraphOf : public testing::Test {
protected:
  std::string at(llvm::StringRef name) {
    return folder.path + "/" + name.str();
  }
  std::vector<Directive> scan(llvm::StringRef text) {
    folder.write("a.cu", text);
    return IncludeGraph().scan(at("a.cu")).directives;
  }
  bool mayRead(llvm::StringRef file, std::vector<std::string> flags = {}) {
    return IncludeGraph().mayRead(at("src/a.cu"),
                                  includeFolders(folder.path, flags),
                                  {canonicalPath(at(file))}, folder.path);
  }
  InputFolder folder;
};

std::vector<std::string> namesOf(const std::vector<Directive> &directives) {
  std::vector<std::string> names;
  for (const Directive &directive : directives)
    names.push_back(directive.name);
  return names;
}

bool mentionsKokkos(const ScannedFile &file) { return file.mentionsKokkos; }

} // namespace

TEST_F(IncludeGraphOf, ReadsIncludesButNotThoseInCommentsAndStrings) {
  const auto found = scan("#include \"b.h\"\n"
                          "  #  include <c/d.h> // why\n"
                          "/*\n#include <no.h>\n*/\n"
                          "const char *s = R\"(\n#include <no.h>\n)\";\n"
                          "#inc\\\nlude <e.h>\n");
  EXPECT_THAT(namesOf(found), ElementsAre("b.h", "c/d.h", "e.h"));
  EXPECT_TRUE(found[0].isQuoted);
  EXPECT_FALSE(found[1].isQuoted);
}

TEST_F(IncludeGraphOf, KnowsTheKindsOfDirectives) {
  const auto found = scan("#include HEADER\n"
                          "#include_next <b.h>\n"
                          "#undef B\n"
                          "#pragma push_macro(\"B\")\n");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].kind, Directive::MacroInclude);
  EXPECT_EQ(found[1].kind, Directive::OtherInclude);
  EXPECT_EQ(found[2].kind, Directive::Macro);
  EXPECT_EQ(found[2].name, "B");
  EXPECT_EQ(found[3].kind, Directive::Other);
}

TEST_F(IncludeGraphOf, AnIncludeGuardIsNoCondition) {
  const auto found = scan("#ifndef A_H\n#define A_H\n"
                          "#include <b.h>\n"
                          "#if X\n#include <c.h>\n#endif\n"
                          "#include <d.h>\n"
                          "#endif\n");
  EXPECT_THAT(namesOf(found), ElementsAre("b.h", "c.h", "d.h"));
  EXPECT_FALSE(found[0].isConditional);
  EXPECT_TRUE(found[1].isConditional);
  EXPECT_FALSE(found[2].isConditional);
}

TEST_F(IncludeGraphOf, AFileThatFillsItsPagesIsReadToItsEnd) {
  const std::string include = "#include <b.h>";
  EXPECT_THAT(
      namesOf(scan(std::string(4 * 4096 - include.size(), '\n') + include)),
      ElementsAre("b.h"));
}

TEST_F(IncludeGraphOf, AFileThatIsNotThereHasNoDirectives) {
  IncludeGraph graph;
  EXPECT_FALSE(graph.scan(at("none.h")).isReadable);
  EXPECT_THAT(graph.scan(at("none.h")).directives, IsEmpty());
}

TEST_F(IncludeGraphOf, TheEditorsTextReplacesThatOnDisk) {
  folder.write("a.cu", "#include <old.h>\n");
  const Buffers buffers = {{at("a.cu"), "#include \"new.h\"\n"},
                           {at("new.h"), ""}};
  IncludeGraph graph(buffers);
  const auto &found = graph.scan(at("a.cu")).directives;
  ASSERT_THAT(namesOf(found), ElementsAre("new.h"));
  EXPECT_EQ(graph.find(found[0], at("a.cu"), {}), at("new.h"));
}

TEST_F(IncludeGraphOf, ReadsAFileOnce) {
  folder.write("a.cu", "#include <b.h>\n");
  IncludeGraph graph;
  graph.scan(at("a.cu"));
  folder.write("a.cu", "#include <c.h>\n");
  EXPECT_THAT(namesOf(graph.scan(at("a.cu")).directives), ElementsAre("b.h"));
}

TEST_F(IncludeGraphOf, OnlyQuotedNamesAreSearchedBesideTheFileAndInIquote) {
  for (const char *name :
       {"src/beside.h", "quote/quoted.h", "include/both.h", "system/s.h"})
    folder.write(name, "");
  const IncludeFolders folders = includeFolders(
      folder.path, {"-iquote", "quote", "-Iinclude", "-isystem", "system"});
  IncludeGraph graph;
  auto find = [&](const char *name, bool isQuoted) {
    return graph.find({Directive::Include, name, isQuoted}, at("src/a.cu"),
                      folders);
  };
  EXPECT_EQ(find("beside.h", true), at("src/beside.h"));
  EXPECT_EQ(find("beside.h", false), "");
  EXPECT_EQ(find("quoted.h", true), at("quote/quoted.h"));
  EXPECT_EQ(find("quoted.h", false), "");
  EXPECT_EQ(find("both.h", true), at("include/both.h"));
  EXPECT_EQ(find("both.h", false), at("include/both.h"));
  EXPECT_EQ(find("s.h", false), "") << "a system header is not the project's";
}

TEST_F(IncludeGraphOf, ReachesThroughHeadersAndCircles) {
  folder.write("src/a.cu", "#if X\n#include \"b.h\"\n#endif\n");
  folder.write("src/b.h", "#include \"a.cu\"\n#include <c.h>\n");
  folder.write("include/c.h", "// Kokkos\n");
  IncludeGraph graph;
  const auto folders = includeFolders(folder.path, {"-Iinclude"});
  EXPECT_TRUE(graph.reaches(at("src/a.cu"), folders, mentionsKokkos));
  EXPECT_FALSE(graph.reaches(at("src/a.cu"), {}, mentionsKokkos));
}

TEST_F(IncludeGraphOf, MayReadAnyHeaderOfAName) {
  folder.write("src/a.cu", "#include <b.h>\n");
  folder.write("one/b.h", "");
  folder.write("two/b.h", "#include \"c.h\"\n");
  folder.write("two/c.h", "");
  const std::vector<std::string> flags = {"-Ione", "-isystem", "two"};
  EXPECT_TRUE(mayRead("src/a.cu", flags));
  EXPECT_TRUE(mayRead("one/b.h", flags));
  EXPECT_TRUE(mayRead("two/c.h", flags)) << "a condition may choose it";
  EXPECT_FALSE(mayRead("two/c.h", {"-Ione"}));
}

TEST_F(IncludeGraphOf, MayReadWhatFlagsInclude) {
  folder.write("src/a.cu", "");
  folder.write("forced.h", "#include \"more.h\"\n");
  folder.write("more.h", "");
  EXPECT_TRUE(mayRead("more.h", {"-include", "forced.h"}));
  EXPECT_FALSE(mayRead("more.h"));
}

TEST_F(IncludeGraphOf, AMacroOfTheProjectMayNameAnyFile) {
  folder.write("src/a.cu", "#include HEADER\n");
  folder.write("any.h", "");
  EXPECT_TRUE(mayRead("any.h"));
}

// glm's headers do, and a source of 300 lines was never done.
TEST_F(IncludeGraphOf, LooksForPipesInHeadersThatNameEachOtherByDots) {
  for (const char *folderOfOne : {"a", "b", "c"}) {
    std::string text;
    for (const char *other : {"a", "b", "c"})
      for (const char *header : {"1.h", "2.h", "3.h"})
        text += llvm::formatv("#include \"./../{0}/{1}\"\n", other, header);
    for (const char *header : {"1.h", "2.h", "3.h"})
      folder.write(std::string(folderOfOne) + "/" + header, text);
  }
  folder.write("a.cu", "#include \"a/1.h\"\n");
  auto firstPipe = [&] {
    return IncludeGraph().firstPipe(at("a.cu"), {}, "/usr");
  };
  EXPECT_EQ(firstPipe(), "");
  folder.write("c/3.h", "#include \"pipe.h\"\n");
  ASSERT_EQ(mkfifo(at("c/pipe.h").c_str(), 0600), 0);
  EXPECT_EQ(firstPipe(), canonicalPath(folder.path) + "/c/pipe.h");
}

// What a header includes lies beside the link by which it was found.
TEST_F(IncludeGraphOf, LooksForPipesBesideALink) {
  folder.write("real/a.h", "#include \"pipe.h\"\n");
  folder.write("link/unused.h", "");
  ASSERT_EQ(symlink(at("real/a.h").c_str(), at("link/a.h").c_str()), 0);
  ASSERT_EQ(mkfifo(at("link/pipe.h").c_str(), 0600), 0);
  folder.write("a.cu", "#include \"real/a.h\"\n#include \"link/a.h\"\n");
  EXPECT_EQ(IncludeGraph().firstPipe(at("a.cu"), {}, "/usr"),
            canonicalPath(folder.path) + "/link/pipe.h");
}

TEST_F(IncludeGraphOf, CountsTheBytesOfHeadersOnceAndNotThoseOfEverySource) {
  folder.write("src/a.cu", "#include \"b.h\"\n#include <c.h>\n"); // 30 bytes
  folder.write("src/b.h", "#include <c.h>\n");                    // 15
  folder.write("lib/c.h", "int c = 10;\n");                       // 12
  folder.write("lib/every.h", "#include <below.h>\n");
  folder.write("lib/below.h", std::string(1000, '\n'));
  IncludeGraph graph;
  const IncludeFolders folders = includeFolders(folder.path, {"-Ilib"});
  EXPECT_EQ(graph.bytes(at("src/a.cu"), folders, "every.h"), 57u);
  folder.write("src/d.cu", "#include <every.h>\n"); // 19
  EXPECT_EQ(graph.bytes(at("src/d.cu"), folders, "every.h"), 19u);
  EXPECT_EQ(graph.bytes(at("src/d.cu"), folders, "none.h"), 19u + 19 + 1000);
}

TEST_F(IncludeGraphOf, WhatNoFolderHasIsMissing) {
  folder.write("src/a.cu", "#include \"b.h\"\n#include <none.h>\n"
                           "#ifdef OPTION\n#include \"optional.h\"\n#endif\n"
                           "#define NAME <c.h>\n#include NAME\n");
  folder.write("src/b.h", "#pragma once\n#include <util.h>\n"
                          "#include \"none.h\"\n");
  folder.write("include/util.h", "#include \"b.h\"\n");
  const auto missing = [&](std::vector<std::string> flags) {
    return IncludeGraph().missing(at("src/a.cu"),
                                  includeFolders(folder.path, flags));
  };
  EXPECT_THAT(missing({}), ElementsAre("none.h", "util.h"));
  EXPECT_THAT(missing({"-Iinclude"}), ElementsAre("b.h", "none.h"));
}

// ExaMiniMD's headers are lists of cases first and declarations where no
// source asks for a list.
TEST_F(IncludeGraphOf, WhatConditionsLetThroughIsMissing) {
  folder.write("src/a.cu", "#define LIST\n"
                           "#include \"cases.h\"\n"
                           "#undef LIST\n"
                           "#include \"cases.h\"\n");
  folder.write("src/cases.h", "#ifdef LIST\n#include <listed.h>\n#endif\n"
                              "#if !defined(LIST) && \\\n"
                              "    !defined(OTHER) // why\n"
                              "#include <declared.h>\n#endif\n"
                              "#ifdef _WIN32\n#include <windows.h>\n"
                              "#elif defined(__CUDACC__)\n"
                              "#include <cuda.h>\n#else\n"
                              "#include <host.h>\n#endif\n");
  const auto missing = [&](std::vector<std::string> flags) {
    return IncludeGraph().missing(
        at("src/a.cu"), includeFolders(folder.path, flags), flags);
  };
  EXPECT_THAT(missing({}), ElementsAre("cuda.h", "declared.h", "listed.h"));
  EXPECT_THAT(missing({"-DOTHER=1"}), ElementsAre("cuda.h", "listed.h"));
}

TEST_F(IncludeGraphOf, WhatNoMacroDecidesIsNotMissing) {
  folder.write("src/a.cu", "#if LIBRARY_VERSION > 3\n#include <a.h>\n"
                           "#else\n#include <b.h>\n#endif\n"
                           "#if __has_include(<c.h>)\n#include <c.h>\n"
                           "#endif\n"
                           "#if LIBRARY_VERSION > 3\n#define MAY\n#endif\n"
                           "#ifndef MAY\n#include <d.h>\n#endif\n");
  EXPECT_THAT(IncludeGraph().missing(at("src/a.cu"), {}), IsEmpty());
}

TEST_F(IncludeGraphOf, GuardsOfAnyFormAreFollowed) {
  folder.write("src/a.cu", "#include \"b.h\"\n#include \"b.h\"\n");
  folder.write("src/b.h", "// what\n#include \"a.cu\"\n"
                          "#ifndef _B_H_\n#define _B_H_\n"
                          "#include <c.h>\n#endif\n");
  EXPECT_THAT(IncludeGraph().missing(at("src/a.cu"), {}), ElementsAre("c.h"));
}

// Each includes the other twice: without a limit the walk never ends.
TEST_F(IncludeGraphOf, CirclesWithoutGuardsEnd) {
  folder.write("src/a.cu", "#include \"b.h\"\n#include \"b.h\"\n");
  folder.write("src/b.h", "#include \"a.cu\"\n#include \"a.cu\"\n");
  EXPECT_THAT(IncludeGraph().missing(at("src/a.cu"), {}), IsEmpty());
}
