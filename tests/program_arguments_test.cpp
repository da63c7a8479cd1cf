// Which host code depends on how the program is started.
#include "source/program_arguments.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

bool reads(const std::string &expression) {
  const auto ast = clang::tooling::buildASTFromCode(
      "extern char *optarg; char *getenv(const char *); int atoi(const char *);"
      "int run(int argc, char **argv, int n, char *text) {"
      "int fromMain = atoi(argv[1]), twice = 2 * fromMain, own = n; return " +
      expression + "; }");
  using namespace clang::ast_matchers;
  const auto all = match(
      functionDecl(hasName("run"), forEachDescendant(returnStmt().bind("r"))),
      ast->getASTContext());
  return readsProgramArguments(
      all[0].getNodeAs<clang::ReturnStmt>("r")->getRetValue());
}

TEST(ProgramArguments, AreRead) {
  for (const char *expression :
       {"argc > 1", "argv[1][0]", "atoi(optarg)", "getenv(\"N\") != nullptr",
        "fromMain", "twice + 1"})
    EXPECT_TRUE(reads(expression)) << expression;
}

TEST(ProgramArguments, OtherValuesAreNone) {
  for (const char *expression : {"n", "own", "text[0]", "atoi(text)"})
    EXPECT_FALSE(reads(expression)) << expression;
}

} // namespace
