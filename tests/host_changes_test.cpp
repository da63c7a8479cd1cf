// What a reader of launches would miss if a change went unseen: a block of 64
// threads that a call has made 128.
#include "source/host_changes.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Tooling/Tooling.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

/// The changes of all statements of `run`: "b.x = value", "n += value",
/// "p lost".
std::vector<std::string> changes(const std::string &body) {
  const auto ast = clang::tooling::buildASTFromCode(
      "struct dim3 { int x, y; void grow(); int area() const; };"
      "void set(int &); void look(const int &); void fill(int *);"
      "void run(int n, dim3 b, int *p) { " +
      body + " }");
  std::vector<std::string> found;
  using namespace clang::ast_matchers;
  for (const auto &each :
       match(functionDecl(hasName("run"), forEachDescendant(stmt().bind("s"))),
             ast->getASTContext()))
    changesOf(each.getNodeAs<clang::Stmt>("s"), [&](const Change &change) {
      std::string text = change.object->getName().str();
      for (const clang::FieldDecl *field : change.path)
        text += "." + field->getName().str();
      text +=
          change.inCallee ? " in " + change.inCallee->getName().str()
          : !change.value ? " lost"
          : change.with
              ? " " + clang::BinaryOperator::getOpcodeStr(*change.with).str() +
                    "= value"
              : " = value";
      found.push_back(text);
    });
  return found;
}

TEST(HostChanges, AssignmentsNameTheirPart) {
  EXPECT_THAT(changes("b.x = 64; n += 2; int m = n;"),
              ElementsAre("b.x = value", "n += value", "m = value"));
}

TEST(HostChanges, WhatIsCountedUpHasNoValue) {
  EXPECT_THAT(changes("++n; b.y--;"), ElementsAre("n lost", "b.y lost"));
}

TEST(HostChanges, CallsChangeWhatTheyAreGivenToChange) {
  EXPECT_THAT(changes("set(n); fill(&b.x);"),
              ElementsAre("n lost", "b.x lost"));
  EXPECT_THAT(changes("look(n); (void)b.area();"), ElementsAre());
  EXPECT_THAT(changes("b.grow();"), ElementsAre("b lost"));
}

// Of a call whose body is seen, that says what it changes.
TEST(HostChanges, ABodySaysWhatACallChanges) {
  EXPECT_THAT(changes("struct S { dim3 b; void set(int k) { b.x = k; } }; "
                      "S s; s.set(3); S *at = &s; at->set(4);"),
              ElementsAre("s = value", "s in S", "at = value", "at in S",
                          "S.b.x = value"));
  // The run knows which method it is.
  EXPECT_THAT(
      changes("struct S { virtual void set() {} }; "
              "S s; s.set(); S &r = s; r.set();"),
      ElementsAre("s = value", "s in S", "r = value", "s lost", "r lost"));
}

// A pointer to a structure stands for it, and `this` for its object.
TEST(HostChanges, MembersBehindPointersAreParts) {
  EXPECT_THAT(changes("dim3 *q = &b; q->x = 3; (*q).y = 4;"),
              ElementsAre("q = value", "q.x = value", "q.y = value"));
  EXPECT_THAT(changes("struct S { int n; void set() { this->n = 3; } };"),
              ElementsAre("S.n = value"));
}

// A store through a pointer is one to what it points into.
TEST(HostChanges, ElementsBelongToTheirArray) {
  EXPECT_THAT(changes("p[1] = 3;"), ElementsAre("p lost"));
}

// A chain of setters, and an lvalue that is no name.
TEST(HostChanges, WhatACallLeadsToIsLost) {
  EXPECT_THAT(changes("struct S { S &set(int) { return *this; } }; S s; "
                      "s.set(3).set(4);"),
              ElementsAre("s = value", "s lost", "s in S"));
  EXPECT_THAT(changes("struct S { int &at() { return m; } int m; }; S s; "
                      "s.at() = 3;"),
              ElementsAre("s = value", "s lost", "s lost"));
  EXPECT_THAT(changes("int m; (n ? n : m) = 3; void (*f)(int &); f(m);"),
              ElementsAre("n lost", "m lost", "m lost"));
}

// Its value is that of the first call alone.
TEST(HostChanges, AStaticVariableIsSetByNoStatement) {
  EXPECT_THAT(changes("static int m = 3;"), ElementsAre());
}

} // namespace
