#include "os/scratch.h"
#include "source/parse.h"
#include "tests/nvcc.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// Read by an attempt that says it is nvcc, and by no other.
constexpr const char *forNvcc = "#ifndef __NVCC__\n"
                                "#error this is for nvcc\n"
                                "#endif\n"
                                "__global__ void k(int *p) { *p = 1; }\n";

/// As it is typed: the attempt that is right for it finds the most errors.
constexpr const char *halfTyped = "#ifdef __NVCC__\n"
                                  "int a = ;\n"
                                  "int b = ;\n"
                                  "#else\n"
                                  "int c = ;\n"
                                  "#endif\n";

class Parse : public testing::Test {
protected:
  Scratch scratch = llvm::cantFail(Scratch::create());
  const std::string source = scratch.path("k.cu");

  /// The errors of a text, and the attempts that it took to know them.
  std::pair<size_t, unsigned> attempts(const std::string &text,
                                       std::vector<std::string> flags = {}) {
    writeFile(source, text);
    std::vector<std::string> words{"nvcc", source};
    words.insert(words.end(), flags.begin(), flags.end());
    const Command command = {source, scratch.folder().str(), words};
    auto parsed = parse(command, translate(command.arguments, std::nullopt),
                        std::nullopt, WARPLINT_RESOURCE_DIR);
    EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    return parsed ? std::pair((*parsed)->errors.size(), (*parsed)->attempts)
                  : std::pair(size_t(0), 0u);
  }

  size_t errors(const Store &kept, const Buffers &buffers = {}) {
    const Command command = {source, scratch.folder().str(), {"nvcc", source}};
    auto parsed = parse(command, translate(command.arguments, std::nullopt),
                        std::nullopt, WARPLINT_RESOURCE_DIR, kept, buffers);
    EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    return parsed ? (*parsed)->errors.size() : 0;
  }
};

} // namespace

// Else a source without its headers is parsed for a fifth longer, and told that
// the header's name is a misspelt one of its own.
TEST_F(Parse, ANameThatNothingDeclaresIsNotTakenForAnother) {
  writeFile(source, "struct Tiles {};\nTile tile;\n");
  const Command command = {source, scratch.folder().str(), {"nvcc", source}};
  auto parsed = parse(command, translate(command.arguments, std::nullopt),
                      std::nullopt, WARPLINT_RESOURCE_DIR);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  ASSERT_EQ((*parsed)->errors.size(), 1u);
  EXPECT_EQ((*parsed)->errors[0].text, "unknown type name 'Tile'");
}

// Else each character that one types in a source with large headers would have
// them read four times.
TEST_F(Parse, UnsavedTextIsParsedAsTheSavedOneWas) {
  const Store kept(scratch.path("kept"));
  EXPECT_EQ(errors(kept, {{source, halfTyped}}), 1u);
  writeFile(source, forNvcc);
  EXPECT_EQ(errors(kept), 0u);
  EXPECT_EQ(errors(kept, {{source, halfTyped}}), 2u);
  // Saved half typed, it is no better known than before.
  writeFile(source, halfTyped);
  EXPECT_EQ(errors(kept), 1u);
  EXPECT_EQ(errors(kept, {{source, forNvcc}}), 0u);
  EXPECT_EQ(errors(Store(), {{source, halfTyped}}), 1u);
}

using Attempts = std::pair<size_t, unsigned>;

// A source of large headers takes seconds for each attempt.
TEST_F(Parse, FlagsThatCannotCureTheErrorsAreNotTried) {
  const std::vector<std::string> strict{"-std=c++17"};
  const std::string missing = "#include \"absent.h\"\n"
                              "__global__ void k(int *p) { *p = 1; }\n";
  EXPECT_EQ(attempts(missing, strict), Attempts(1, 1));
  // Without nvcc's macros it may include something else.
  const std::string chosen = "#ifdef __NVCC__\n" + missing + "#endif\n";
  EXPECT_EQ(attempts(chosen, strict), Attempts(0, 2));
  writeFile(scratch.path("between.h"), missing);
  const std::string behind = "#if __CUDACC_VER_MAJOR__ >= 11\n"
                             "#include \"between.h\"\n"
                             "#endif\n";
  EXPECT_EQ(attempts(behind, strict).second, 2u);
  const std::string undeclared = "__global__ void k(int *p) { *p = absent; }\n";
  EXPECT_EQ(attempts(undeclared, strict), Attempts(1, 1));
  EXPECT_EQ(attempts(undeclared), Attempts(1, 1)); // nvcc's own standard
  EXPECT_EQ(attempts(undeclared, {"-std=gnu++17"}), Attempts(1, 1));
  // A file of the user's may declare it for another compiler.
  const std::string other = "#ifndef __NVCC__\nint absent;\n#endif\n";
  EXPECT_EQ(attempts(other + "int a = absent;\n", strict), Attempts(0, 2));
  EXPECT_EQ(attempts("#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__\n"
                     "#pragma nv_diag_suppress 177\n"
                     "#endif\n" +
                         missing,
                     strict),
            Attempts(1, 1));
  EXPECT_EQ(attempts("#ifdef __NVCC__\n#error not for nvcc\n#endif\n", strict),
            Attempts(0, 2));
  // What a namespace lacks, such as `thrust::identity` in CUDA 13, it lacks
  // with any flags; a member of a class may depend on what a template is for.
  for (const char *lacking :
       {"*p = n::absent;", "*p = n::absent<int>(1);", "n::absent<int> a;",
        "typename n::absent a;", "absent<int> a;"})
    EXPECT_EQ(attempts("namespace n {}\n__global__ void k(int *p) { " +
                           std::string(lacking) + " }\n",
                       strict)
                  .second,
              1u)
        << lacking;
  EXPECT_EQ(attempts("struct S {};\n"
                     "__global__ void k(int *p) { *p = S::absent; }\n",
                     strict),
            Attempts(1, 3));
}

// omp.h behind a project's own functions, for those who compile without it.
TEST_F(Parse, AFunctionThatTheSystemDeclaresOtherwiseIsNotTriedAsATemplate) {
  EXPECT_EQ(attempts("inline int threads() { return 1; }\n"
                     "extern \"C++\" int threads() noexcept;\n"),
            Attempts(1, 2));
}

// The attempt that nvcc's macros are missing from finds errors in the toolkit's
// headers, and goes on through all others.
TEST_F(Parse, AnAttemptIsReadOnlyUpToAsManyErrorsAsAnotherHas) {
  writeFile(scratch.path("late.h"), "");
  auto asksForLate = [&](llvm::StringRef first, llvm::StringRef second) {
    attempts(("namespace n {}\n"
              "#ifdef __NVCC__\n" +
              first + "#else\n" + second +
              "int after;\n"
              "#include \"late.h\"\n"
              "#endif\n")
                 .str());
    const Command command = {source, scratch.folder().str(), {"nvcc", source}};
    auto parsed = parse(command, translate(command.arguments, std::nullopt),
                        std::nullopt, WARPLINT_RESOURCE_DIR);
    EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    return parsed &&
           llvm::is_contained((*parsed)->asked, scratch.path("late.h"));
  };
  EXPECT_FALSE(asksForLate("int a = n::a;\n", "int b = n::b;\n"));
  EXPECT_TRUE(asksForLate("int a = n::a + n::b;\n", "int b = n::b;\n"));
  // Another round may end it.
  EXPECT_TRUE(asksForLate("int a = n::a;\n",
                          "template <class T> struct S {\n"
                          "  int get(T t) { return t.run<int>(); }\n"
                          "};\n"
                          "int b = n::b;\n"));
}

TEST_F(Parse, ErrorsThatFlagsCureAreCured) {
  const std::vector<std::string> strict{"-std=c++17"};
  for (const char *text :
       {"__global__ void k(int *p) { typeof(*p) a = 1; *p = a; }",
        "__device__ int g; typeof(g) h;",
        "#define SWAP(a, b) { typeof(a) t = a; a = b; b = t; }\n"
        "__global__ void k(int *p) { SWAP(p[0], p[1]) }"})
    EXPECT_EQ(attempts(text, strict), Attempts(0, 2)) << text;
  const std::string relocatable = "extern __shared__ int x;\n"
                                  "__global__ void k(int *p) { *p = x; }\n";
  EXPECT_EQ(attempts(relocatable, strict).first, 0u);
  // A kernel that launches kernels was not read for a helper of its host code.
  EXPECT_EQ(attempts("#include \"absent.h\"\n" + relocatable, strict).first,
            1u);
  EXPECT_EQ(attempts("template <class T> T &&made();\n"
                     "template <class T> __device__ T twice(T x) {\n"
                     "  decltype(made<T>() + made<T>()) y = x + x;\n"
                     "  return y;\n"
                     "}\n"
                     "__global__ void k(int *p) { *p = twice(*p); }\n",
                     strict)
                .first,
            0u);
}

// A source of CTranslate2 lacks a name that CUDA 13 has no more. What was said
// of it was that a host function calls a host function.
TEST_F(Parse, ACureOfErrorsMakesNone) {
  const std::string host = "struct View { int size() const; };\n"
                           "template <int D> int run(const View &v) {\n"
                           "  return v.size();\n"
                           "}\n"
                           "template int run<1>(const View &);\n",
                    device = "template <class T> T &&made();\n"
                             "template <class T> __device__ T twice(T x) {\n"
                             "  decltype(made<T>() + made<T>()) y = x + x;\n"
                             "  return y;\n"
                             "}\n"
                             "__global__ void k(int *p) { *p = twice(*p); }\n";
  EXPECT_EQ(attempts(host), Attempts(0, 1));
  EXPECT_EQ(attempts(host + device).first, 0u);
  EXPECT_EQ(attempts(host + "__global__ void f(View v) { v.size(); }\n").first,
            1u);
}
