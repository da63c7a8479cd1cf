// A parsed source as device IR: what is emitted, and what errors take away.
#include "parsed_text.h"
#include "source/emit.h"
#include "llvm/IR/GlobalVariable.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

namespace {

class Emit : public testing::Test {
protected:
  void emit(llvm::StringRef text) {
    source_ = parsedText(text);
    ASSERT_TRUE(source_);
    emitted = emitDevice(*source_, context_);
    ASSERT_TRUE(emitted.module);
    for (const auto &[name, decl] : emitted.functions)
      names.push_back(decl->getNameAsString());
    for (const clang::FunctionDecl *decl : emitted.dropped)
      dropped.push_back(decl->getNameAsString());
  }
  // The module must go before its context.
  llvm::LLVMContext context_;
  std::unique_ptr<ParsedSource> source_;
  Emitted emitted;
  std::vector<std::string> names, dropped;
};

TEST_F(Emit, KernelsAndWhatTheyCallHaveABody) {
  emit("__device__ float twice(float x) { return 2 * x; }\n"
       "template <int N> __global__ void k(float *p) { p[N] = twice(p[0]); }\n"
       "void run(float *p) { k<3><<<1, 32>>>(p); }\n");
  EXPECT_THAT(names, Contains("k"));
  EXPECT_THAT(names, Contains("twice"));
  EXPECT_THAT(names, Not(Contains("run"))) << "host code";
  EXPECT_THAT(dropped, IsEmpty());
}

// The kernel would do less than its source says: a clean report would lie.
TEST_F(Emit, AKernelWithAnErrorIsDroppedAndNamed) {
  emit("__device__ float broken(float x) { return x + undeclared; }\n"
       "__device__ float through(float x) { return broken(x); }\n"
       "__global__ void good(float *p) { p[0] = 1; }\n"
       "__global__ void own(float *p) { p[0] = 1; oops(p); }\n"
       "__global__ void called(float *p) { p[0] = through(p[1]); }\n");
  EXPECT_THAT(names, Contains("good"));
  EXPECT_THAT(names, Not(Contains("own")));
  EXPECT_THAT(dropped, ElementsAre("own", "called"));
}

// A header that is not found leaves structures without a layout, on which code
// generation crashes.
TEST_F(Emit, WhatHoldsAnUndefinedTypeIsLeftOut) {
  emit("struct Undefined;\n"
       "struct Holds { Undefined undefined; int x; };\n"
       "struct Member { Holds holds[2]; int y; };\n"
       "struct Derived : Holds { int y; };\n"
       "template <class T> struct Static { static __device__ T member; };\n"
       "template <class T> __device__ T Static<T>::member;\n"
       "__shared__ Member shared;\n"
       "__global__ void good(int *o) { o[0] = 1; }\n"
       "__global__ void reads(int *o) { o[0] = shared.y; }\n"
       "__global__ void local(int *o) { Derived d; o[0] = d.y; }\n"
       "__global__ void given(int *o, Derived d) { o[0] = 1; }\n"
       "__global__ void pointed(int *o, Derived *d) { o[0] = d->y; }\n"
       "__global__ void member(int *o) { o[0] = Static<Member>::member.y; }\n"
       "__device__ int calls(Undefined &);\n"
       "__global__ void passes(int *o, Undefined *u) { o[0] = calls(*u); }\n");
  EXPECT_THAT(names, UnorderedElementsAre("good", "passes"));
  EXPECT_THAT(dropped,
              ElementsAre("reads", "local", "given", "pointed", "member"));
}

TEST_F(Emit, AnErrorInANamespaceLeavesItsOtherKernels) {
  emit("namespace n {\n"
       "__global__ void bad(float *p) { p[0] = undeclared; }\n"
       "extern \"C\" { __global__ void good(float *p) { p[0] = 1; } }\n"
       "}\n");
  EXPECT_THAT(names, Contains("good"));
  EXPECT_THAT(dropped, ElementsAre("bad"));
}

// Clang puts a constant table into constant memory, nvcc into global memory:
// the one serialises lanes, the other does not.
TEST_F(Emit, AConstantTableIsWhereNvccPutsIt) {
  emit("__constant__ int own[4];\n"
       "static const int table[4] = {1, 2, 3, 4};\n"
       "__global__ void k(int *p, int i) { p[0] = table[i] + own[i]; }\n");
  unsigned marked = 0, unmarked = 0;
  for (const llvm::GlobalVariable &variable : emitted.module->globals())
    if (variable.getAddressSpace() == 4)
      ++(variable.hasMetadata("warplint.global") ? marked : unmarked);
  EXPECT_EQ(marked, 1u);
  EXPECT_EQ(unmarked, 1u);
}

} // namespace
