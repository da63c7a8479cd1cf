// What a reader of launches would miss if a variable had an unseen name: a mode
// of 1 that a pointer has made 3.
#include "source/kept_addresses.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Tooling/Tooling.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// What the statements of `run` keep: "n", "p's target".
std::vector<std::string> kept(const std::string &body) {
  const auto ast = clang::tooling::buildASTFromCodeWithArgs(
      "struct Size { int x, y; int *at; Size &grow(); int &width(); };"
      "struct Outer { Size first, sizes[2]; } o;"
      "struct Held { Held(int &); Held(const int *); };"
      "int *same(int *); int count(int *); void fill(void **);"
      "int cudaLaunchKernel(void **);"
      "template <class T> struct List { void add(T &&); };"
      "namespace std { template <class T> T &ref(T &t) { return t; } }"
      "int *all; int *run(int n, Size b, Size *p, int m) { " +
          body + " }",
      {"-w"});
  std::vector<std::string> found;
  using namespace clang::ast_matchers;
  for (const auto &each :
       match(functionDecl(hasName("run"), forEachDescendant(stmt().bind("s"))),
             ast->getASTContext()))
    addressesKeptBy(each.getNodeAs<clang::Stmt>("s"),
                    [&](const HostObject *object, bool isTarget,
                        const MemberPath &part, const clang::VarDecl *) {
                      std::string text = object->getName().str();
                      for (const clang::FieldDecl *member : part)
                        text += "." + member->getName().str();
                      text += isTarget ? "'s target" : "";
                      if (!llvm::is_contained(found, text))
                        found.push_back(text);
                    });
  return found;
}

TEST(KeptAddresses, PointersAndReferencesKeepThem) {
  EXPECT_THAT(kept("int *q = &n;"), ElementsAre("n"));
  EXPECT_THAT(kept("all = &b.x;"), ElementsAre("b"));
  EXPECT_THAT(kept("int &q = n; auto &&r = b.y;"), ElementsAre("n", "b.y"));
  EXPECT_THAT(kept("int *q[] = {&n, &m};"), ElementsAre("n", "m"));
  EXPECT_THAT(kept("Size s{1, 2, &n};"), ElementsAre("n"));
  EXPECT_THAT(kept("int *q = n ? &m : &b.x;"), ElementsAre("m", "b"));
  EXPECT_THAT(kept("return &n;"), ElementsAre("n"));
  EXPECT_THAT(kept("int list[2]; all = list;"), ElementsAre("list"));
  EXPECT_THAT(kept("int list[2]; for (int &each : list) each = 3;"),
              testing::Contains("list"));
  EXPECT_THAT(kept("Held h(n);"), ElementsAre("n"));
}

TEST(KeptAddresses, OfAPointerToAStructureItIsTheTarget) {
  EXPECT_THAT(kept("Size *q = p;"), ElementsAre("p's target"));
  EXPECT_THAT(kept("int &q = p->x;"), ElementsAre("p.x's target"));
  // Another object than 'b'.
  EXPECT_THAT(kept("int &q = b.at[3];"), IsEmpty());
}

TEST(KeptAddresses, OfAnObjectItIsTheMember) {
  EXPECT_THAT(kept("int &q = o.sizes[1].y;"), ElementsAre("o.sizes"));
  EXPECT_THAT(kept("int &q = o.first.width();"), ElementsAre("o.first"));
  EXPECT_THAT(kept("for (Size &each : o.sizes) each.x = 3;"),
              testing::Contains("o.sizes"));
  EXPECT_THAT(kept("int *q = &o.first.x;"), ElementsAre("o.first"))
      << "q[1] is 'y'";
}

TEST(KeptAddresses, ACallKeepsWhatItReturnsOrHolds) {
  EXPECT_THAT(kept("int *q = same(&n);"), ElementsAre("n"));
  EXPECT_THAT(kept("int &q = b.width();"), ElementsAre("b"));
  EXPECT_THAT(kept("List<int *> list; list.add(&n);"), ElementsAre("n"));
  EXPECT_THAT(kept("(void)std::ref(n);"), ElementsAre("n"));
  EXPECT_THAT(kept("m = count(&n);"), IsEmpty()) << "the call is the change";
}

TEST(KeptAddresses, ALambdaKeepsWhatItChanges) {
  EXPECT_THAT(kept("auto f = [&] { n = m; };"), ElementsAre("n"));
  EXPECT_THAT(kept("auto f = [&q = n] { q = 3; };"), ElementsAre("n"));
  EXPECT_THAT(kept("auto f = [n]() mutable { n = 3; };"), IsEmpty());
}

// A launch reads its arguments at once.
TEST(KeptAddresses, AListOfArgumentsIsKeptByOtherFunctionsAlone) {
  const std::string list = "void *list[] = {&n, &m}; ";
  EXPECT_THAT(kept(list + "cudaLaunchKernel(list);"), IsEmpty());
  EXPECT_THAT(kept(list + "fill(list);"), ElementsAre("n", "m"));
}

// A source with an error ended in a crash.
TEST(KeptAddresses, CodeWithErrorsIsLeftOut) {
  for (const char *code :
       {"Size s{missing, &n};", "missing m = {&n};",
        "Size s = {&n, {missing}};", "for (auto &each : missing) each = 3;",
        "return missing(&n);", "auto f = [&] { missing = n; };",
        "Held h(missing, n);"})
    kept(code);
}

TEST(KeptAddresses, WhatIsOnlyReadIsNotKept) {
  EXPECT_THAT(kept("const int *q = &n; const int &r = m; int v = n;"),
              IsEmpty());
  EXPECT_THAT(kept("Held h(&n);"), IsEmpty());
  EXPECT_THAT(kept("int list[2]; for (int each : list) n += each;"), IsEmpty());
}

} // namespace
