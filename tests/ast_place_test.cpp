// Places and texts of the AST: findings are shown at them.
#include "parsed_text.h"
#include "source/ast_place.h"
#include "clang/AST/Stmt.h"

using namespace warplint;

namespace {

class AstPlace : public testing::Test {
protected:
  /// The expression that the function `f` of the text returns.
  const clang::Expr *returned(llvm::StringRef text) {
    source_ = parsedText(text);
    if (!source_)
      return nullptr;
    const auto *f = declared<clang::FunctionDecl>(*source_, "f");
    if (!f || !f->hasBody()) {
      ADD_FAILURE() << "no function";
      return nullptr;
    }
    return llvm::cast<clang::ReturnStmt>(
               *llvm::cast<clang::CompoundStmt>(f->getBody())->body_begin())
        ->getRetValue();
  }
  std::string text(llvm::StringRef source) {
    const clang::Expr *expression = returned(source);
    return expression ? astText(source_->context(), expression) : "";
  }
  /// "source.cu:2:5".
  std::string place(llvm::StringRef source) {
    const clang::Expr *expression = returned(source);
    if (!expression)
      return "";
    const Place at = astPlace(source_->instance(), expression->getExprLoc());
    return llvm::sys::path::filename(at.file).str() + ":" +
           std::to_string(at.line) + ":" + std::to_string(at.column);
  }

  std::unique_ptr<ParsedSource> source_;
};

// The IR's debug places stand there as well: by them the two are joined.
TEST_F(AstPlace, TextOfAMacroStandsWhereTheMacroIsUsed) {
  EXPECT_EQ(place("int f(int *a) {\n  return a[1]; }\n"), "source.cu:2:10");
  EXPECT_EQ(place("#define AT(i) a[i]\nint f(int *a) {\n"
                  "  return AT(1); }\n"),
            "source.cu:3:10");
  EXPECT_EQ(place("#define TWICE(x) x\nint f(int *a) {\n"
                  "  return TWICE(a[1]); }\n"),
            "source.cu:3:16");
}

TEST_F(AstPlace, ALineDirectiveNamesTheFileThatTheUserWrote) {
  EXPECT_EQ(place("#line 40 \"grammar.y\"\nint f(int *a) {\n"
                  "  return a[1]; }\n"),
            "grammar.y:41:10");
}

// A message is one line.
TEST_F(AstPlace, TextIsOneLineWithoutComments) {
  EXPECT_EQ(text("int f(int *a) { return a[1 +   /* of x */\n"
                 "   2 // and y\n];}\n"),
            "a[1 + 2 ]");
  EXPECT_EQ(text("int f(int *a) { return *\"//\" + a[0]; }\n"),
            "*\"//\" + a[0]");
}

TEST_F(AstPlace, ALongTextIsCut) {
  const std::string name(70, 'n');
  const std::string cut =
      text("int f(int *" + name + ") { return " + name + "[0]; }\n");
  EXPECT_EQ(cut, std::string(57, 'n') + "...");
}

// vpic-kokkos' stores were "store of ''".
TEST_F(AstPlace, APartOfAMacroHasTheTextOfTheBody) {
  EXPECT_EQ(text("#define AT a[1]\n#define GET() ( AT + 1 )\n"
                 "int f(int *a) { return GET(); }\n"),
            "GET()");
  EXPECT_EQ(text("#define BODY return a[1]; }\nint f(int *a) { BODY\n"),
            "a[1]");
  EXPECT_EQ(text("#define AT a[1]\n#define BODY return AT; }\n"
                 "int f(int *a) { BODY\n"),
            "AT");
  EXPECT_EQ(text("#define LONG return a[1 + \\\n   2]; }\n"
                 "int f(int *a) { LONG\n"),
            "a[1 + 2]");
  EXPECT_EQ(text("#define OF(a, i) return a[i + 1]; }\n"
                 "int f(int *p) { OF(p, 2)\n"),
            "p[2 + 1]");
}

// Parboil's LBM had "store of '(g)[CALC_INDEX((dx)+SWEEP_X, ...)]'", which no
// kernel of it says.
TEST_F(AstPlace, AMacroThatPutsAnAccessInParenthesesIsTheAccess) {
  const std::string entry = "#define ENTRY(g, i) ((g)[(i) + 1])\n"
                            "#define EAST(g) ( ENTRY( g, 2 ) )\n"
                            "#define TWICE(x) ((x) * 2)\n";
  auto accessed = [&](const std::string &body) {
    const clang::Expr *expression = returned(entry + body);
    return expression ? astText(source_->context(),
                                expression->IgnoreParenImpCasts())
                      : "";
  };
  EXPECT_EQ(accessed("int f(int *a) { return ENTRY(a, 1); }\n"), "ENTRY(a, 1)");
  EXPECT_EQ(accessed("int f(int *a) { return EAST (a); }\n"), "EAST (a)");
  EXPECT_EQ(accessed("int f(int *a) { return TWICE(a[1]); }\n"), "TWICE(a[1])");
  EXPECT_EQ(accessed("#define BODY(a) return (a); }\n"
                     "int f(int *p) { BODY(p[3])\n"),
            "p[3]");
}

TEST_F(AstPlace, TheMacroAroundAPlaceIsNamedAsItIsUsed) {
  auto macro = [&](llvm::StringRef source) {
    const clang::Expr *expression = returned(source);
    return expression
               ? astMacro(source_->context(), expression->getExprLoc())
               : "none";
  };
  EXPECT_EQ(macro("#define BODY return a[1]; }\nint f(int *a) { BODY\n"),
            "BODY");
  EXPECT_EQ(macro("#define IN(i) return a[i]; }\n#define OUT IN(1)\n"
                  "int f(int *a) { OUT\n"),
            "OUT");
  EXPECT_EQ(macro("#define IN(i) return a[i]; }\nint f(int *a) { IN(1)\n"),
            "IN(...)");
  EXPECT_EQ(macro("#define SAME(x) x\nint f(int *a) { return SAME(a[1]); }\n"),
            "");
}

} // namespace
