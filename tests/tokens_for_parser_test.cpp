// What a library declares and nothing names is not parsed; all else means what
// it meant.
#include "source/parse_attempt.h"
#include "source/tokens_for_parser.h"
#include "source_on_disk.h"
#include "clang/AST/Decl.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

namespace {

class TokensForParserOf : public testing::Test {
protected:
  /// Parses `source` behind a system header with the text `library`.
  void parse(const std::string &library, const std::string &source) {
    parsed.reset();
    disk = std::make_unique<SourceOnDisk>("#include \"library.h\"\n" + source);
    writeFile(disk->path("library.h"), "#pragma GCC system_header\n" + library);
    auto result = AttemptParser(disk->request).parse({});
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    parsed = std::move(*result);
  }

  std::vector<std::string> errors() const {
    std::vector<std::string> texts;
    for (const ParseError &error : parsed->errors)
      texts.push_back(error.text);
    return texts;
  }

  /// The names of the file's scope.
  std::vector<std::string> declared() const {
    std::vector<std::string> names;
    for (const clang::DeclGroupRef &group : parsed->groups)
      for (const clang::Decl *decl : group)
        if (const auto *named = llvm::dyn_cast<clang::NamedDecl>(decl))
          names.push_back(named->getNameAsString());
    return names;
  }

  std::unique_ptr<SourceOnDisk> disk;
  std::unique_ptr<ParsedSource> parsed;
};

constexpr const char *library = "struct Of { int x; };\n"
                                "struct Used { Of of; };\n"
                                "struct Unused { Of of; };\n"
                                "inline int unused(Unused) { return 1; }\n";

} // namespace

TEST_F(TokensForParserOf, WhatNothingNamesIsNotParsed) {
  parse(library, "__device__ Used used;\n");
  EXPECT_THAT(errors(), IsEmpty());
  EXPECT_THAT(parsed->dropped, Not(IsEmpty()));
  EXPECT_THAT(declared(), IsSupersetOf({"Of", "Used", "used"}));
  EXPECT_THAT(declared(), Not(Contains("Unused")));
  EXPECT_THAT(declared(), Not(Contains("unused")));
}

TEST_F(TokensForParserOf, TheProjectsOwnDeclarationsStay) {
  parse("", "struct Mine {};\nint mine() { return 1; }\n");
  EXPECT_THAT(declared(), IsSupersetOf({"Mine", "mine"}));
}

// An error may be due to what is missing; that of a name that the library does
// not have is not.
TEST_F(TokensForParserOf, BehindAnErrorAllIsParsed) {
  parse(library, "__device__ Used used;\nint a = Used();\n");
  EXPECT_EQ(parsed->errors.size(), 1u);
  EXPECT_THAT(parsed->dropped, IsEmpty());
  EXPECT_THAT(declared(), Contains("Unused"));
  parse(library, "__device__ Used used;\nint a = b;\nReal c;\n");
  EXPECT_EQ(parsed->errors.size(), 2u);
  EXPECT_THAT(declared(), Not(Contains("Unused")));
  parse("#include \"absent.h\"\n" + std::string(library), "");
  EXPECT_EQ(parsed->errors.size(), 1u);
  EXPECT_THAT(declared(), Contains("Unused"));
}

// Clang's own <complex> does so with the functions of the C++ library. What was
// left out in front of the pragma does not move it.
TEST_F(TokensForParserOf, APragmaHoldsForTheFunctionsThatItStandsAround) {
  const std::string around = "inline int unused() { return 0; }\n"
                             "inline int before(int x) { return x; }\n"
                             "#pragma clang force_cuda_host_device begin\n"
                             "inline int unusedToo() { return 0; }\n"
                             "inline int within(int x) { return x + 1; }\n"
                             "#pragma clang force_cuda_host_device end\n"
                             "inline int behind(int x) { return x - 1; }\n";
  parse(around, "__global__ void k(int *p) { *p = within(*p); }\n");
  EXPECT_THAT(errors(), IsEmpty());
  EXPECT_THAT(parsed->dropped, Not(IsEmpty()));
  parse(around, "__global__ void k(int *p) { *p = before(*p); }\n");
  EXPECT_THAT(errors(), Not(IsEmpty()));
  parse(around, "__global__ void k(int *p) { *p = behind(*p); }\n");
  EXPECT_THAT(errors(), Not(IsEmpty()));
}

// The body of a library's template is parsed where it is used, the project's in
// place: it may not name what is declared later.
TEST_F(TokensForParserOf, OnlyALibrarysTemplatesWait) {
  const std::string late =
      "template <class T> int late(T x) { return declaredLater(1); }\n";
  parse(late + "template <class T> int named(T x) { return 1; }\n",
        "int (*use)(int) = named<int>;\n"
        "struct late_ { int late; };\n");
  EXPECT_THAT(errors(), IsEmpty());
  parse("", late);
  EXPECT_THAT(errors(), Not(IsEmpty()));
}

// libstdc++ has classes with the names of Clang's traits, which are no keywords
// from there on.
TEST_F(TokensForParserOf, AKeywordThatALibraryDeclaresIsAName) {
  parse("template <class T> struct __is_void { enum { value = 0 }; };\n"
        "template <> struct __is_void<void> { enum { value = 1 }; };\n",
        "static_assert(__is_void<void>::value, \"\");\n"
        "static_assert(!__is_void<int>::value, \"\");\n");
  EXPECT_THAT(errors(), IsEmpty());
}

TEST_F(TokensForParserOf, AnEmptySourceIsOne) {
  parse("", "");
  EXPECT_THAT(errors(), IsEmpty());
}
