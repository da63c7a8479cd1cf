#include "input/compiler.h"
#include "input/translate.h"
#include "input_folder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

static Translation translated(llvm::StringRef line) {
  return translate(splitCommandLine(line), std::nullopt);
}

/// The flags without what every translation has.
static std::vector<std::string> flags(llvm::StringRef line) {
  std::vector<std::string> all = translated(line).clang;
  EXPECT_EQ(all.at(0), "-x");
  EXPECT_EQ(all.at(1), "cuda");
  EXPECT_EQ(all.back(), "-std=c++17");
  return {all.begin() + 2, all.end() - 1};
}

static std::vector<std::string> architectures(llvm::StringRef line) {
  return translated(line).architectures;
}

// CMake 3.25, CUDA 12, a project with OpenMP and warnings.
TEST(Translate, ACommandOfCMakeIsTranslated) {
  Translation result = translated(
      R"(/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DUSE_CUDA -DNAME=\"a\" -I/src/include -isystem=/usr/local/cuda/include -O3 -DNDEBUG --generate-code=arch=compute_80,code=[compute_80,sm_80] "--generate-code=arch=compute_90,code=[sm_90]" -Xcompiler=-fPIC -Xcompiler -Wall,-fopenmp --expt-relaxed-constexpr -Xcudafe --diag_suppress=177 -std=c++20 -MD -MT a.o -MF a.o.d -x cu -rdc=true -c /src/a.cu -o a.o)");
  EXPECT_THAT(result.clang,
              ElementsAre("-x", "cuda", "-DUSE_CUDA", "-DNAME=\"a\"",
                          "-I/src/include", "-isystem",
                          "/usr/local/cuda/include", "-DNDEBUG",
                          "-D__CUDACC_RELAXED_CONSTEXPR__", "-D_OPENMP=201511",
                          "-D__CUDACC_RDC__", "-std=c++20"));
  EXPECT_THAT(result.architectures, ElementsAre("sm_80", "sm_90"));
  EXPECT_TRUE(result.relocatable);
}

// By PyTorch's setup.py. Otherwise findings stand in PyTorch's headers, a
// finding for each type.
TEST(Translate, InstalledHeadersOfPythonAreALibrarys) {
  EXPECT_THAT(flags("nvcc -I/v/lib/python3.11/site-packages/torch/include "
                    "-I/usr/lib/python3/dist-packages/numpy -Imine "
                    "-Xcompiler -I,/v/site-packages/a -c a.cu"),
              ElementsAre("-isystem",
                          "/v/lib/python3.11/site-packages/torch/include",
                          "-isystem", "/usr/lib/python3/dist-packages/numpy",
                          "-Imine", "-isystem", "/v/site-packages/a"));
  EXPECT_THAT(flags("nvcc -I/v/my-site-packages -c a.cu"),
              ElementsAre("-I/v/my-site-packages"));
}

// The Makefile of llm.c and those like it.
TEST(Translate, ACommandOfMakeIsTranslated) {
  Translation result = translated(
      "nvcc --threads=0 -t=0 --use_fast_math -std=c++17 -O3 -DMULTI_GPU "
      "-DENABLE_BF16 --generate-code "
      "arch=compute_90,code=[compute_90,sm_90] -I$HOME/cudnn/include "
      "train.cu -lcublas -lcublasLt -lnvidia-ml -L/usr/lib/openmpi -lmpi -o "
      "train");
  EXPECT_THAT(result.clang,
              ElementsAre("-x", "cuda", "-DMULTI_GPU", "-DENABLE_BF16",
                          "-I$HOME/cudnn/include", "-std=c++17"));
  EXPECT_TRUE(result.shortForms.divisions && result.shortForms.roots &&
              result.shortForms.functions);
  EXPECT_THAT(result.architectures, ElementsAre("sm_90"));
}

TEST(Translate, ACommandOfKokkosIsTranslated) {
  Translation result = translated(
      "/k/bin/nvcc_wrapper -DKOKKOS_DEPENDENCE -I/k/include -O2 -expt-extended-"
      "lambda -Wext-lambda-captures-this -arch=sm_80 -march=native -fopenmp "
      "-Wno-unused -std=gnu++17 -o a.o -c a.cpp");
  EXPECT_THAT(result.clang,
              ElementsAre("-x", "cuda", "-DKOKKOS_DEPENDENCE", "-I/k/include",
                          "-D__CUDACC_EXTENDED_LAMBDA__", "-D_OPENMP=201511",
                          "-std=gnu++17"));
  EXPECT_THAT(result.architectures, ElementsAre("sm_80"));
}

TEST(Translate, ACommandOfClangIsTranslated) {
  Translation result = translated(
      "clang++ -x cuda --cuda-gpu-arch=sm_80 --offload-arch=sm_90a,sm_75 "
      "--no-offload-arch=sm_80 -DX=a,b -Werror -Wall -fgpu-rdc "
      "--cuda-path=/c -Xclang -fdump -std=c++14 -stdlib=libc++ -c a.cu -o a.o");
  EXPECT_THAT(result.clang,
              ElementsAre("-x", "cuda", "-DX=a,b", "-stdlib=libc++",
                          "-D__CUDACC_RDC__", "-std=c++14"));
  EXPECT_THAT(result.architectures, ElementsAre("sm_90a", "sm_75"));
}

// As in the output of nvcc 13 --dryrun for the same arguments.
TEST(Translate, ListsAndAllSpellingsOfAFlagAreRead) {
  EXPECT_THAT(flags("nvcc -DX=a,b"), ElementsAre("-DX=a", "-Db"));
  EXPECT_THAT(flags(R"(nvcc -DX=a\\,b)"), ElementsAre("-DX=a,b"));
  EXPECT_THAT(flags("nvcc -I a,b -I=c --include-path d -Ie"),
              ElementsAre("-Ia", "-Ib", "-Ic", "-Id", "-Ie"));
  EXPECT_THAT(
      flags("nvcc --define-macro=A --undefine-macro B --pre-include x,y"),
      ElementsAre("-DA", "-UB", "-include", "x", "-include", "y"));
  EXPECT_THAT(flags("nvcc -t4 -O3 -m64 -lcudart -L/x -xcu -G -g -lineinfo"),
              ElementsAre("-D__CUDACC_DEBUG__"));
  EXPECT_THAT(flags("nvcc --default-stream per-thread"),
              ElementsAre("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"));
  EXPECT_THAT(flags("nvcc --default-stream=legacy -ewp"),
              ElementsAre("-D__CUDACC_EWP__"));
}

// A value that is taken for a source, or a flag's value that stays behind, is
// what breaks a parse.
TEST(Translate, AFlagGoesTogetherWithItsValue) {
  EXPECT_THAT(flags("nvcc -Xptxas -v,-dlcm=ca --ptxas-options=-v -Xnvlink "
                    "-I/no -Xlinker -D/no -Xfatbin -compress-all "
                    "--diag-suppress 20012,177 -diag-error=1 -ccbin g++-12 "
                    "-keep-dir -Dir -MF -D.d -odir -Iout -Werror "
                    "all-warnings -cudart shared -e kernel -code-ls"),
              IsEmpty());
  EXPECT_THAT(
      flags("nvcc -Xcompiler -isystem -Xcompiler /x -Xcompiler "
            "'-DA -Wall','-funsigned-char' -iquote q"),
      ElementsAre("-isystem", "/x", "-DA", "-funsigned-char", "-iquote", "q"));
}

TEST(Translate, ArchitecturesAreThoseThatNvccCompilesFor) {
  EXPECT_THAT(architectures("nvcc"), IsEmpty());
  EXPECT_THAT(architectures("nvcc -arch=native"), IsEmpty());
  EXPECT_THAT(architectures("nvcc -arch all-major"), IsEmpty());
  EXPECT_THAT(architectures("nvcc -arch=sm_70 --gpu-architecture sm_90a"),
              ElementsAre("sm_90a"));
  EXPECT_THAT(architectures("nvcc -arch=compute_80 -code=sm_80,sm_86"),
              ElementsAre("sm_80", "sm_86"));
  EXPECT_THAT(architectures("nvcc -arch=compute_75"), ElementsAre("sm_75"));
  EXPECT_THAT(architectures(
                  "nvcc -gencode arch=compute_80,code=\\\"sm_80,compute_80\\\" "
                  "-gencode=arch=compute_100f,code=sm_100f "
                  "--generate-code arch=compute_90,code=compute_90"),
              ElementsAre("sm_80", "sm_100f", "sm_90"));
  EXPECT_THAT(architectures("nvcc -gencode arch=compute_90a,code=sm_90a "
                            "-arch sm_80"),
              ElementsAre("sm_90a", "sm_80"));
}

TEST(Translate, FlagsThatChangeTheMachineCodeAreKnown) {
  Translation result = translated("nvcc -dlto -dc -maxrregcount=64");
  EXPECT_TRUE(result.linkTimeOptimised);
  EXPECT_TRUE(result.relocatable);
  EXPECT_EQ(result.maxRegisters, 64u);
  EXPECT_TRUE(translated("nvcc -gencode arch=compute_80,code=lto_80")
                  .linkTimeOptimised);
  EXPECT_FALSE(translated("nvcc -rdc=true -rdc=false").relocatable);
  EXPECT_EQ(translated("nvcc --maxrregcount many").maxRegisters, std::nullopt);
}

TEST(Translate, TheLibrariesOfNewToolkitsAreSystemHeaders) {
  InputFolder folder;
  folder.write("include/cuda.h");
  folder.write("include/cuda_runtime.h");
  EXPECT_EQ(ToolkitSearch(folder.path).of({})->cccl, "");
  folder.write("include/cccl/x");
  auto toolkit = ToolkitSearch(folder.path).of({});
  EXPECT_THAT(translate({"nvcc", "-Imine"}, toolkit).clang,
              ElementsAre("-x", "cuda", "-Imine", "-std=c++17", "-isystem",
                          folder / "include/cccl"));
}

TEST(Translate, TheNewestArchitectureThatClangKnowsIsUsed) {
  EXPECT_EQ(newestArchitecture({}), "sm_80");
  EXPECT_EQ(newestArchitecture({"sm_90", "sm_100", "sm_86"}), "sm_100");
  EXPECT_EQ(newestArchitecture({"sm_90", "sm_90a"}), "sm_90a");
  EXPECT_EQ(newestArchitecture({"sm_100f"}), "sm_100");
  EXPECT_EQ(newestArchitecture({"sm_999a"}), "sm_121");
  EXPECT_EQ(newestArchitecture({"sm_35"}), "sm_35");
  EXPECT_EQ(newestArchitecture({"nonsense"}), "sm_80");
}

// A flag that is missing from the table is taken for one of the host
// compiler's, and its value for a source.
TEST(Translate, EveryFlagOfNvccIsInTheTable) {
  auto nvcc = llvm::sys::findProgramByName("nvcc");
  if (!nvcc)
    GTEST_SKIP() << "NO NVCC ON PATH: its list of flags is not compared";
  InputFolder folder;
  std::string file = folder / "help.txt";
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(""), llvm::StringRef(file), llvm::StringRef("")};
  ASSERT_EQ(llvm::sys::ExecuteAndWait(*nvcc, {*nvcc, "--help"}, std::nullopt,
                                      redirects),
            0);
  auto text = llvm::MemoryBuffer::getFile(file);
  ASSERT_TRUE(!!text);
  llvm::SmallVector<llvm::StringRef, 0> lines;
  (*text)->getBuffer().split(lines, '\n');
  unsigned seen = 0;
  for (llvm::StringRef line : lines) {
    // "--gpu-architecture <arch>                 (-arch)"
    line = line.rtrim();
    if (!line.starts_with("--") || !line.ends_with(")"))
      continue;
    std::string longName =
        line.take_until([](char c) { return c == ' '; }).str();
    std::string shortName = line.substr(line.rfind('(') + 1).drop_back().str();
    if (longName == "--options-file" || longName == "--generate-code")
      continue;
    bool hasValue = line.contains('<') || line.contains('{') ||
                    line.contains('[') || line.contains("entry,") ||
                    // The help forgets to say so of these two.
                    longName == "--dependency-output" ||
                    longName == "--qpp-config";
    ++seen;
    for (const std::string &name : {longName, shortName}) {
      // The word behind it, looking like a flag of the host's, has to go along.
      Translation result =
          translate({"nvcc", name, "-DVALUE", "-DAFTER"}, std::nullopt);
      bool kept = llvm::is_contained(result.clang, "-DVALUE");
      bool takes = !kept && llvm::is_contained(result.clang, "-DAFTER");
      // Flags for preprocessing keep the value under their own spelling, and
      // -Xcompiler under its own.
      if (llvm::is_contained({"--include-path", "-I", "--define-macro", "-D",
                              "--undefine-macro", "-U", "--system-include",
                              "-isystem", "--pre-include", "-include",
                              "--compiler-options", "-Xcompiler",
                              "--ftemplate-depth", "-ftemplate-depth", "--std",
                              "-std", "--Werror", "-Werror"},
                             name))
        continue;
      EXPECT_EQ(takes, hasValue) << name;
    }
  }
  EXPECT_GT(seen, 60u);
}

// cuCollections stops with #error without its macro, and the judge compiles
// with the flag.
TEST(Translate, ASourceWithoutACommandHasLambdasForTheDevice) {
  auto added = [](std::vector<std::string> words, unsigned release) {
    const size_t given = words.size();
    Toolkit toolkit;
    toolkit.major = release;
    addFlagsOfBareSources(words, toolkit);
    return std::vector<std::string>(words.begin() + given, words.end());
  };
  EXPECT_THAT(added({"nvcc", "a.cu"}, 13),
              ElementsAre("-std=c++17", "--extended-lambda",
                          "--expt-relaxed-constexpr"));
  EXPECT_THAT(
      added({"nvcc", "a.cu", "--std=c++20", "-expt-extended-lambda"}, 12),
      ElementsAre("--expt-relaxed-constexpr"));
  EXPECT_THAT(added({"nvcc", "a.cu"}, 10), IsEmpty());
  std::vector<std::string> words = {"nvcc", "a.cu"};
  addFlagsOfBareSources(words, std::nullopt);
  EXPECT_THAT(translate(words, std::nullopt).clang,
              ElementsAre("-x", "cuda", "-D__CUDACC_EXTENDED_LAMBDA__",
                          "-D__CUDACC_RELAXED_CONSTEXPR__", "-std=c++17"));
}
