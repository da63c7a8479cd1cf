#include "input/compiler.h"
#include "nvcc.h"
#include "nvcc/judging_arguments.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace warplint;
using namespace llvm;

namespace {

const Toolkit toolkit = {
    "/toolkit", "/toolkit/include", "/toolkit/bin/nvcc", 13, 0, 88};

/// The command that judges `line`, in /src, of /src/k.cu.
std::string judging(StringRef line) {
  SmallVector<StringRef> words;
  line.split(words, ' ', -1, /*KeepEmpty=*/false);
  std::vector<std::string> arguments(words.begin(), words.end());
  return join(
      judgingArguments({"/src/k.cu", "/src", arguments}, arguments, toolkit),
      " ");
}

} // namespace

TEST(JudgingArguments, AUsersFlagsStayAndHisOutputsGo) {
  EXPECT_EQ(judging("nvcc -O3 -std=c++17 -Iinc -I more -DA=B=C -U X -isystem s "
                    "-include p.h --use_fast_math -maxrregcount=64 -ftz=true "
                    "--expt-relaxed-constexpr -ccbin g++-12 -lcudart -c k.cu "
                    "-o k.o -MD -MF k.d -MT k.o"),
            "/toolkit/bin/nvcc -O3 -std=c++17 -Iinc -I more -DA=B=C -U X "
            "-isystem s -include p.h --use_fast_math -maxrregcount=64 "
            "-ftz=true --expt-relaxed-constexpr -ccbin g++-12 -lcudart "
            "/src/k.cu");
}

// GCC 8 to 10 compile C++14 by default, in which no header of CUB, Thrust or
// Kokkos compiles: on RHEL 8 and Debian 11 nothing would be judged.
TEST(JudgingArguments, ASourceWithoutACommandIsCompiledAsItIsRead) {
  auto judged = [](std::vector<std::string> arguments, Toolkit with) {
    const Command bare = {"/src/k.cu", "/src", arguments, /*isBare=*/true};
    return join(judgingArguments(bare, arguments, with), " ");
  };
  EXPECT_EQ(judged({"nvcc", "/src/k.cu"}, toolkit),
            "/toolkit/bin/nvcc -std=c++17 --extended-lambda "
            "--expt-relaxed-constexpr /src/k.cu");
  EXPECT_EQ(judged({"nvcc", "--std", "c++20", "-expt-extended-lambda",
                    "-expt-relaxed-constexpr", "/src/k.cu"},
                   toolkit),
            "/toolkit/bin/nvcc --std c++20 -expt-extended-lambda "
            "-expt-relaxed-constexpr /src/k.cu");
  // It knows neither.
  Toolkit older = toolkit;
  older.major = 10;
  EXPECT_EQ(judged({"nvcc", "/src/k.cu"}, older),
            "/toolkit/bin/nvcc /src/k.cu");
}

TEST(JudgingArguments, AllFormsOfArchitecturesAndPhasesGo) {
  EXPECT_EQ(judging("nvcc -gencode arch=compute_80,code=sm_80 "
                    "--generate-code=arch=compute_90a,code=[sm_90a,lto_90a] "
                    "-gencode=arch=compute_75,code=sm_75 -arch sm_90 "
                    "--gpu-architecture=sm_80 -code=sm_80 --gpu-code sm_80 "
                    "-dlto -ptx -cubin -fatbin --dryrun --keep --keep-dir /d "
                    "--output-file=x --threads 4 -t=2 -Werror all-warnings "
                    "-objtemp --time t.csv k.cu"),
            "/toolkit/bin/nvcc /src/k.cu");
}

TEST(JudgingArguments, ADebugBuildIsJudgedOptimised) {
  EXPECT_EQ(judging("nvcc -g -G -O0 -O 0 -dopt off -lineinfo -Xptxas -O0,-v "
                    "--ptxas-options=--opt-level=0 k.cu"),
            "/toolkit/bin/nvcc -g -Xptxas -v /src/k.cu");
}

TEST(JudgingArguments, RelocatableCodeStaysRelocatable) {
  EXPECT_EQ(judging("nvcc -dc k.cu -o k.o"),
            "/toolkit/bin/nvcc -rdc=true /src/k.cu");
  EXPECT_EQ(judging("nvcc -rdc true -c k.cu"),
            "/toolkit/bin/nvcc -rdc true /src/k.cu");
}

TEST(JudgingArguments, TheHostCompilersDependencyFilesAreNotWritten) {
  EXPECT_EQ(judging("nvcc -Xcompiler -MD,-MF -Xcompiler k.d,-fPIC "
                    "--compiler-options=-Wall,-MMD,-Werror k.cu"),
            "/toolkit/bin/nvcc -Xcompiler -fPIC -Xcompiler -Wall /src/k.cu");
}

TEST(JudgingArguments, OtherInputsAreNotCompiled) {
  EXPECT_EQ(judging("nvcc main.cu ./k.cu util.o libx.a -o app"),
            "/toolkit/bin/nvcc /src/k.cu");
}

TEST(JudgingArguments, LaunchersAreDropped) {
  EXPECT_EQ(judging("ccache nvcc -DA -c k.cu"),
            "/toolkit/bin/nvcc -DA /src/k.cu");
  EXPECT_EQ(judging("/usr/bin/cmake -E __run_co_compile --launcher=ccache -- "
                    "/opt/none/bin/nvcc -DA -c k.cu"),
            "/toolkit/bin/nvcc -DA /src/k.cu");
}

TEST(JudgingArguments, AWrappersFlagsAreForwarded) {
  unsetenv("NVCC_WRAPPER_DEFAULT_COMPILER");
  EXPECT_EQ(judging("/opt/kokkos/bin/nvcc_wrapper -std=gnu++17 -x cu -Wall "
                    "-march=native -fopenmp -c k.cu -o k.o"),
            "/toolkit/bin/nvcc -std=c++17 -Wall -march=native -fopenmp -x cu "
            "-forward-unknown-to-host-compiler /src/k.cu");
}

TEST(JudgingArguments, ClangsCommandBecomesNvccs) {
  EXPECT_EQ(judging("/usr/bin/clang++-22 -x cuda --cuda-gpu-arch=sm_80 "
                    "--cuda-path=/c -Iinc -I more -DA=1 -isystem s -include "
                    "p.h -std=gnu++20 -O3 -Wall -fgpu-rdc -c k.cu -o k.o"),
            "/toolkit/bin/nvcc --extended-lambda --expt-relaxed-constexpr "
            "-I inc -I more -D A=1 -isystem s -include p.h -std=c++20 "
            "-rdc=true -x cu "
            "/src/k.cu");
}

TEST(JudgingArguments, AnNvccThatIsThereIsTheUsersOwn) {
  EXPECT_EQ(judging("/bin/sh/nvcc k.cu"), "/toolkit/bin/nvcc /src/k.cu");
  auto scratch = cantFail(Scratch::create());
  std::string own = scratch.path("nvcc");
  writeFile(own, "#!/bin/sh\n");
  cantFail(errorCodeToError(sys::fs::setPermissions(own, sys::fs::owner_all)));
  EXPECT_EQ(judging(own + " k.cu"), own + " /src/k.cu");
}

// The launcher waits for such an object, and for no other.
TEST(JudgingArguments, KnowsWhichObjectsKeepPtxWithLines) {
  auto keeps = [](StringRef line) {
    return keepsPtxWithLines(splitCommandLine(line));
  };
  EXPECT_TRUE(keeps("nvcc -lineinfo -arch=sm_90 -c k.cu"));
  EXPECT_TRUE(keeps("nvcc --generate-line-info --gpu-architecture sm_90 k.cu"));
  EXPECT_TRUE(keeps("nvcc -lineinfo "
                    "--generate-code=arch=compute_90,code=[compute_90,sm_90]"));
  EXPECT_FALSE(keeps("nvcc -lineinfo "
                     "--generate-code=arch=compute_90,code=[sm_90] -c k.cu"));
  EXPECT_FALSE(keeps("nvcc -lineinfo -arch=compute_90 -code=sm_90 -c k.cu"));
  EXPECT_FALSE(keeps("nvcc -arch=sm_90 -c k.cu"));
  EXPECT_FALSE(keeps("nvcc -lineinfo -c k.cu"));
}
