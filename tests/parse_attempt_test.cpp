// A source with one set of flags, written as Clang wants it.
#include "source/parse_attempt.h"
#include "source_on_disk.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;

static size_t errors(llvm::StringRef text) {
  const SourceOnDisk source(text);
  auto parsed = AttemptParser(source.request).parse({});
  EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  return parsed ? (*parsed)->errors.size() : 0;
}

// A kernel of FLAME GPU calls a function with two such arguments. Clang sees
// the second one once it understands the first.
TEST(ParseAttempt, KeywordsThatEachRoundFindsAreAllAdded) {
  EXPECT_EQ(errors("struct M {\n"
                   "  struct In { __device__ In(int); };\n"
                   "  struct Out { __device__ Out(int); };\n"
                   "};\n"
                   "struct All { __device__ All(M::In, M::Out); };\n"
                   "template <class T> __global__ void k(int a) {\n"
                   "  All all = All(\n"
                   "      T::In(a),\n"
                   "      T::Out(a));\n"
                   "}\n"
                   "template __global__ void k<M>(int);\n"),
            0u);
}

// nvcc takes both for one function.
TEST(ParseAttempt, ADefinitionHasTheAttributesOfItsDeclaration) {
  EXPECT_EQ(errors("__device__ int twice(int x);\n"
                   "int twice(int x) { return 2 * x; }\n"
                   "__global__ void k(int *p) { *p = twice(*p); }\n"),
            0u);
}

TEST(ParseAttempt, ClassesInSharedMemoryMayHaveConstructors) {
  EXPECT_EQ(errors("struct V { float x; __device__ V() : x(0) {} };\n"
                   "struct W { float x; __device__ W() : x(0) {} };\n"
                   "__global__ void k(float *p) {\n"
                   "  __shared__ V v; __shared__ W w[2];\n"
                   "  v.x = w[0].x = *p;\n"
                   "}\n"),
            0u);
}

// What one attempt has found is known to the next one.
TEST(ParseAttempt, KeywordsAreThoseOfTheAttemptBefore) {
  const SourceOnDisk source(
      "template <class T> int f(T t) { return t.run<int>(1); }\n"
      "int missing = MISSING;\n");
  AttemptParser parser(source.request);
  auto first = parser.parse({});
  ASSERT_TRUE(bool(first)) << llvm::toString(first.takeError());
  EXPECT_EQ((*first)->errors.size(), 1u);
  auto second = parser.parse({"-DMISSING=1"}, 1);
  ASSERT_TRUE(bool(second)) << llvm::toString(second.takeError());
  EXPECT_EQ((*second)->errors.size(), 0u);
  EXPECT_THAT(parser.asked(), Contains(source.command.source));
}
