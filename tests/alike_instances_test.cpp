// Which instances of a kernel template are left unread.
#include "parsed_text.h"
#include "program_runs.h"
#include "source/alike_instances.h"
#include "clang/AST/Attr.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

namespace {

std::vector<const clang::FunctionDecl *> kernelsOf(const ParsedSource &source) {
  std::vector<const clang::FunctionDecl *> kernels;
  for (clang::DeclGroupRef group : source.groups)
    for (const clang::Decl *decl : group)
      if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
          function && function->hasAttr<clang::CUDAGlobalAttr>())
        kernels.push_back(function);
  return kernels;
}

const char *options =
    "template <typename T, int tile, bool... has> __global__ void k(T *p) {\n"
    "  p[tile] = sizeof...(has);\n"
    "}\n"
    "template <typename T> void run(T *p) {\n"
    "  k<T, 0, true><<<1, 32>>>(p); k<T, 1, true><<<1, 32>>>(p);\n"
    "  k<T, 2, false><<<1, 32>>>(p); k<T, 2, false, true><<<1, 32>>>(p);\n"
    "}\n"
    "void all(float *a, int *b) { run(a); run(b); }\n";

TEST(AlikeInstances, ThoseThatDifferInNumbersAloneAreCountedTogether) {
  auto source = parsedText(options);
  ASSERT_TRUE(source);
  const auto alike = alikeInstances(kernelsOf(*source), 2);
  ASSERT_THAT(alike, SizeIs(2)) << "of float and of int, with one option";
  for (const AlikeInstances &instances : alike) {
    EXPECT_EQ(instances.all, 3u);
    EXPECT_THAT(instances.leftOut, SizeIs(1));
  }
  EXPECT_THAT(alikeInstances(kernelsOf(*source), 3), SizeIs(0));
}

// A library's kernel that executes the user's lambdas has an instance for each.
TEST(AlikeInstances, ThoseOfOtherTypesAreOtherCode) {
  auto source =
      parsedText("template <typename F> __global__ void each(F f) { f(); }\n"
                 "struct A { __device__ void operator()() const {} };\n"
                 "struct B { __device__ void operator()() const {} };\n"
                 "void run() { each<<<1, 1>>>(A()); each<<<1, 1>>>(B()); }\n");
  ASSERT_TRUE(source);
  EXPECT_THAT(alikeInstances(kernelsOf(*source), 1), SizeIs(0));
}

std::string withInstances(unsigned count) {
  std::string text = "template <int n> __global__ void k(float *p) {\n"
                     "  p[threadIdx.x * 32 + n] = 1;\n"
                     "}\n"
                     "template <int n> void run(float *p) {\n"
                     "  k<n><<<1, 256>>>(p);\n"
                     "  if constexpr (n > 0) run<n - 1>(p);\n"
                     "}\n"
                     "void all(float *p) { run<" +
                     std::to_string(count - 1) + ">(p); }\n";
  return text;
}

// Without it, a source with thousands of them was not read in ten minutes.
// Silence about what was not read would call it clean.
TEST(AlikeInstances, AReportSaysHowManyWereRead) {
  InputFolder folder;
  const Outcome many =
      runProgram({"check", "--no-judge",
                  folder.write("many.cu", withInstances(mostAlike + 2))});
  EXPECT_THAT(many.out + many.err,
              HasSubstr("kernel 'k' has " + std::to_string(mostAlike + 2) +
                        " instances in many.cu that differ in numbers alone: " +
                        std::to_string(mostAlike) + " of them were read"));
  EXPECT_THAT(many.out, HasSubstr("strided-global-access"));
  const Outcome few = runProgram(
      {"check", "--no-judge", folder.write("few.cu", withInstances(3))});
  EXPECT_THAT(few.out + few.err, Not(HasSubstr("instances in")));
}

} // namespace
