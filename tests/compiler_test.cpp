// The compiler in a build's command line: a command that is taken for another
// compiler's is read with the wrong flags.
#include "input/compiler.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

TEST(Compiler, IsKnownWithItsVersionFolderAndTarget) {
  for (const char *nvcc :
       {"nvcc", "/usr/local/cuda/bin/nvcc", "nvcc-12.4", "nvcc.exe"})
    EXPECT_EQ(compilerNamed(nvcc), Compiler::Nvcc) << nvcc;
  for (const char *clang : {"clang", "clang++-22", "clang++.exe",
                            "/opt/bin/x86_64-linux-gnu-clang++-22"})
    EXPECT_EQ(compilerNamed(clang), Compiler::Clang) << clang;
  EXPECT_EQ(compilerNamed("/k/bin/nvcc_wrapper"), Compiler::NvccWrapper);
  for (const char *other :
       {"g++", "clang-tidy", "clang-format-22", "nvcc.sh", "nvcc/bin", ""})
    EXPECT_EQ(compilerNamed(other), Compiler::Other) << other;
}

TEST(Compiler, IsFoundBehindLaunchers) {
  auto compiler = [](std::vector<std::string> words) {
    return words[compilerIndex(words)];
  };
  EXPECT_EQ(compiler({"ccache", "nvcc", "-c"}), "nvcc");
  EXPECT_EQ(compiler({"/usr/bin/cmake", "-E", "env", "A=B", "/c/bin/nvcc"}),
            "/c/bin/nvcc");
  EXPECT_EQ(compiler({"/k/kokkos_launch_compiler", "/k/nvcc_wrapper", "g++",
                      "/usr/bin/g++", "-c"}),
            "/k/nvcc_wrapper");
  EXPECT_EQ(compiler({"sccache", "clang++-22", "-x", "cuda"}), "clang++-22");
  // nvcc as the value of a flag is no compiler.
  EXPECT_EQ(compiler({"g++", "-o", "nvcc"}), "g++");
}

// With flags of its own, a launcher is one that is known to have them.
TEST(Compiler, TheFlagsOfAnUnknownProgramHideNoCompiler) {
  EXPECT_EQ(compilerIndex({}), 0u);
  EXPECT_EQ(compilerIndex({"time", "-v", "nvcc"}), 2u);
  EXPECT_EQ(compilerIndex({"wrapper", "-v", "nvcc"}), 0u);
  // Its own: a build with PYTORCH_NVCC has it in the commands.
  EXPECT_EQ(compilerIndex({"/b/warplint", "wrap", "--", "/c/nvcc", "-c"}), 3u);
}

// The last -x counts, as it does for the compilers.
TEST(Compiler, ASourceIsCudaByItsEndingOrByAFlag) {
  auto isCuda = [](const char *source, std::vector<std::string> words) {
    return compilesCuda({source, "/", std::move(words)});
  };
  EXPECT_TRUE(isCuda("/a.cu", {"nvcc", "-c", "a.cu"}));
  EXPECT_FALSE(isCuda("/a.cpp", {"nvcc", "-c", "a.cpp"}));
  for (const std::vector<std::string> &flag :
       {std::vector<std::string>{"-x", "cu"},
        {"-x=cu"},
        {"-xcuda"},
        {"--x", "cu"},
        {"--x=cu"},
        {"--language", "cu"},
        {"--language=cu"}}) {
    std::vector<std::string> words = {"ccache", "nvcc"};
    words.insert(words.end(), flag.begin(), flag.end());
    EXPECT_TRUE(isCuda("/a.cpp", words)) << flag.front();
  }
  EXPECT_FALSE(isCuda("/a.cu", {"clang++", "-x", "cuda", "-xc++"}));
  EXPECT_FALSE(isCuda("/a.cu", {"nvcc", "-x=cu", "--language=c++"}));
  EXPECT_FALSE(isCuda("/a.cu", {}));
}

TEST(Compiler, KokkosWrapperCompilesEverythingAsCuda) {
  EXPECT_TRUE(compilesCuda({"/a.cpp", "/", {"nvcc_wrapper", "-c"}}));
  EXPECT_FALSE(compilesCuda({"/a.cpp", "/", {"nvcc_wrapper", "--host-only"}}));
}

TEST(Compiler, ACommandLineIsSplitAsAShellDoes) {
  EXPECT_THAT(splitCommandLine(R"(nvcc -DNAME=\"a\" '-I/my code' "b c"d)"),
              ElementsAre("nvcc", R"(-DNAME="a")", "-I/my code", "b cd"));
}
