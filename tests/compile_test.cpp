#include "nvcc.h"
#include "nvcc/compile.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace warplint;
using namespace llvm;
using testing::HasSubstr;

namespace {

/// A folder with k.cu and a toolkit, real or made up by a shell script.
class CompileRun : public testing::Test {
protected:
  Scratch scratch = cantFail(Scratch::create());
  std::string temporary = scratch.path("tmp");
  std::string formerTmpdir;

  void SetUp() override {
    cantFail(errorCodeToError(sys::fs::create_directory(temporary)));
    formerTmpdir = sys::Process::GetEnv("TMPDIR").value_or("");
    setenv("TMPDIR", temporary.c_str(), 1);
  }
  void TearDown() override {
    if (formerTmpdir.empty())
      unsetenv("TMPDIR");
    else
      setenv("TMPDIR", formerTmpdir.c_str(), 1);
  }

  std::string script(StringRef body) {
    std::string path = scratch.path("fake-nvcc");
    writeFile(path, "#!/bin/sh\n" + body.str());
    cantFail(
        errorCodeToError(sys::fs::setPermissions(path, sys::fs::owner_all)));
    return path;
  }

  Compiled run(const std::string &nvcc, StringRef source,
               std::vector<std::string> flags = {},
               std::vector<std::string> architectures = {"sm_80"}) {
    writeFile(scratch.path("k.cu"), source);
    std::vector<std::string> arguments = {"nvcc"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    arguments.push_back("k.cu");
    return compile({scratch.path("k.cu"), scratch.folder().str(), arguments},
                   arguments, {"", "", nvcc, 13, 0, 0}, architectures);
  }

  bool isTemporaryEmpty() const {
    std::error_code error;
    return sys::fs::directory_iterator(temporary, error) ==
           sys::fs::directory_iterator();
  }
};

const char *const kernels = R"(
__global__ void count(float *out, const int *bins, int n) {
  int counts[64] = {};
  for (int i = 0; i < n; ++i)
    counts[bins[i]]++;
  for (int i = 0; i < 64; ++i)
    out[threadIdx.x * 64 + i] = counts[i];
}
static __global__ void tiny(float *out) { out[threadIdx.x] = 1; }
void launch(float *out) { tiny<<<1, 32>>>(out); }
)";

TEST_F(CompileRun, AKernelHasItsReportPtxAndMachineCode) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: compiling is only tested with stand-in compilers";
  setenv("NVCC_APPEND_FLAGS", "--not-a-flag", 1);
  Compiled compiled = run(nvcc, kernels,
                          {"-gencode", "arch=compute_90,code=sm_90", "-G", "-c",
                           "-o", "k.o", "-MD", "-MF", "k.d"},
                          {"sm_80", "sm_90a"});
  unsetenv("NVCC_APPEND_FLAGS");
  ASSERT_EQ(compiled.whyNot, "");
  ASSERT_EQ(compiled.units.size(), 2u);
  for (const CompiledUnit &unit : compiled.units) {
    EXPECT_EQ(unit.whyNot, "");
    EXPECT_THAT(unit.ptx, HasSubstr(".visible .entry _Z5countPfPKii"));
    EXPECT_THAT(unit.ptx, HasSubstr(".loc"));
    ASSERT_EQ(unit.kernels.size(), 2u);
    for (const CompiledKernel &kernel : unit.kernels) {
      EXPECT_EQ(kernel.usage.architecture, unit.architecture);
      EXPECT_GT(kernel.usage.registers, 0u);
      bool isCount = kernel.usage.kernel == "_Z5countPfPKii";
      EXPECT_EQ(kernel.usage.stackFrame, isCount ? 256u : 0u);
      EXPECT_EQ(kernel.locals.empty(), !isCount);
    }
  }
  EXPECT_EQ(compiled.units[0].architecture, "sm_80");
  EXPECT_EQ(compiled.units[1].architecture, "sm_90a");
  EXPECT_FALSE(sys::fs::exists(scratch.path("k.o")));
  EXPECT_FALSE(sys::fs::exists(scratch.path("k.d")));
  EXPECT_TRUE(isTemporaryEmpty());
}

/// 64 sums in registers, and a function that is not inlined.
const char *const bounded = R"(
#include <cstddef>
__device__ __noinline__ float away(float x) { return x * x + 1; }
template <int n>
__device__ void tile(const float *a, float *c, int rows, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[n][n] = {};
  for (int k = 0; k < depth; ++k) {
    float x[n];
    for (int r = 0; r < n; ++r)
      x[r] = a[(k * n + r) * rows + i];
    for (int r = 0; r < n; ++r)
      for (int q = 0; q < n; ++q)
        sum[r][q] += x[r] * x[(q + 1) % n] * (r + 2 * q);
  }
  for (int r = 0; r < n; ++r)
    for (int q = 0; q < n; ++q)
      c[(r * n + q) * rows + i] = away(sum[r][q]);
}
static __global__ void __launch_bounds__(1024)
tight(const float *a, float *c, int rows, int depth) {
  tile<8>(a, c, rows, depth);
}
__global__ void __launch_bounds__(128)
roomy(const float *a, float *c, int rows, int depth) {
  tile<8>(a, c, rows, depth);
}
__global__ void unbounded(const float *a, float *c, int rows, int depth) {
  tile<8>(a, c, rows, depth);
}
void launch(const float *a, float *c) { tight<<<8, 256>>>(a, c, 2048, 8); }
)";

// To prove that bounds make a kernel spill takes ptxas once more, for that
// kernel alone.
TEST_F(CompileRun, SpillingKernelsAreCompiledAgainWithoutLimits) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: launch bounds are not tested";
  for (const char *relocatable : {"-rdc=false", "-rdc=true"}) {
    Compiled compiled = run(nvcc, bounded, {relocatable}, {"sm_90"});
    ASSERT_EQ(compiled.whyNot, "");
    for (const CompiledKernel &kernel : compiled.units.front().kernels) {
      StringRef name = kernel.usage.kernel;
      if (name.contains("roomy")) {
        EXPECT_EQ(kernel.limits.maxThreads, 128u);
      }
      if (!name.contains("tight")) {
        EXPECT_FALSE(kernel.withoutLimits) << name.str();
        continue;
      }
      EXPECT_EQ(kernel.limits.maxThreads, 1024u);
      EXPECT_GT(kernel.usage.spillStores, 0u);
      EXPECT_LE(kernel.usage.registers, 64u);
      ASSERT_TRUE(kernel.withoutLimits) << relocatable;
      EXPECT_EQ(kernel.withoutLimits->spillStores, 0u);
      EXPECT_GT(kernel.withoutLimits->registers, 64u);
    }
  }
}

// It has all registers that an instruction can name: none are left to give.
TEST_F(CompileRun, AKernelWithAllRegistersIsNotCompiledAgain) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: launch bounds are not tested";
  Compiled compiled = run(nvcc, R"(
__global__ void __launch_bounds__(128) full(const float *a, float *c, int n) {
  float kept[400];
#pragma unroll
  for (int i = 0; i < 400; ++i) kept[i] = a[i * n];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 400; ++i) c[i * n] = kept[i] * kept[399 - i];
}
)",
                          {}, {"sm_90"});
  ASSERT_EQ(compiled.whyNot, "");
  const CompiledKernel &kernel = compiled.units.front().kernels.front();
  EXPECT_EQ(kernel.usage.registers, 255u);
  EXPECT_GT(kernel.usage.spillStores, 0u);
  EXPECT_EQ(kernel.limits.maxThreads, 128u);
  EXPECT_FALSE(kernel.withoutLimits);
}

TEST_F(CompileRun, MaxrregcountIsALimit) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: -maxrregcount is not tested";
  Compiled compiled = run(nvcc, bounded, {"-maxrregcount", "40"}, {"sm_90"});
  ASSERT_EQ(compiled.whyNot, "");
  unsigned kernels = 0;
  for (const CompiledKernel &kernel : compiled.units.front().kernels) {
    if (!kernel.usage.spillStores)
      continue;
    ++kernels;
    EXPECT_EQ(kernel.limits.commandRegisters, 40u);
    ASSERT_TRUE(kernel.withoutLimits) << kernel.usage.kernel;
    EXPECT_EQ(kernel.withoutLimits->spillStores, 0u);
  }
  EXPECT_EQ(kernels, 2u); // where there are launch bounds, they alone count
}

TEST_F(CompileRun, ARepeatedArchitectureIsCompiledOnce) {
  std::string count = scratch.path("count");
  Compiled compiled = run(script("case \"$*\" in *' -E '*) ;; *) echo x >> " +
                                 count + ";; esac; exit 3"),
                          kernels, {}, {"sm_80", "sm_90", "sm_80"});
  EXPECT_EQ(compiled.whyNot, "nvcc stopped without a message");
  EXPECT_EQ(readFile(count), "x\nx\n");
}

TEST_F(CompileRun, RelocatableAndLinkTimeOptimisedBuildsAreCompiled) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: -dc and -dlto are not tested";
  Compiled compiled = run(
      nvcc, kernels,
      {"-dc", "-dlto", "-gencode", "arch=compute_80,code=lto_80"}, {"sm_80"});
  ASSERT_EQ(compiled.whyNot, "");
  EXPECT_EQ(compiled.units.front().kernels.size(), 2u);
}

// Without a build nobody says -rdc=true, which these two need.
TEST_F(CompileRun, ABareSourceThatNeedsRelocatableCodeIsCompiled) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: -rdc=true is not tested";
  for (const char *source :
       {"__global__ void child(float *x) { x[threadIdx.x] = 1; }\n"
        "__global__ void parent(float *x) { child<<<1, 32>>>(x); }\n",
        "extern __device__ float elsewhere(float);\n"
        "__global__ void k(float *x) { x[0] = elsewhere(x[1]); }\n"}) {
    writeFile(scratch.path("k.cu"), source);
    Command command = {
        scratch.path("k.cu"), scratch.folder().str(), {"nvcc", "k.cu"}};
    const Toolkit toolkit = {"", "", nvcc, 13, 0, 0};
    EXPECT_THAT(compile(command, command.arguments, toolkit, {"sm_80"}).whyNot,
                testing::StartsWith("nvcc stopped"));
    command.isBare = true;
    EXPECT_EQ(compile(command, command.arguments, toolkit, {"sm_80"}).whyNot,
              "");
  }
}

TEST_F(CompileRun, ARelocatableSourceIsRefusedForItsOwnError) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: -rdc=true is not tested";
  writeFile(scratch.path("k.cu"),
            "__global__ void child(float *x) { x[threadIdx.x] = 1; }\n"
            "__global__ void parent(float *x) { child<<<1, 32>>>(x); }\n"
            "__global__ void wrong(float *x) { x[0] = y; }\n");
  Command command = {
      scratch.path("k.cu"), scratch.folder().str(), {"nvcc", "k.cu"}};
  command.isBare = true;
  const Toolkit toolkit = {"", "", nvcc, 13, 0, 0};
  EXPECT_EQ(compile(command, command.arguments, toolkit, {"sm_80"}).whyNot,
            "nvcc stopped at " + scratch.path("k.cu") +
                ":3: identifier \"y\" is undefined");
}

TEST_F(CompileRun, AFailingArchitectureLeavesTheOther) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: compiling is only tested with stand-in compilers";
  Compiled compiled = run(nvcc, kernels, {}, {"sm_35", "sm_80"});
  EXPECT_EQ(compiled.whyNot, "");
  ASSERT_EQ(compiled.units.size(), 2u);
  EXPECT_THAT(compiled.units[0].whyNot,
              testing::StartsWith(
                  "nvcc stopped: Unsupported gpu architecture 'sm_35'"));
  EXPECT_EQ(compiled.units[1].whyNot, "");
}

TEST_F(CompileRun, NvccsErrorIsQuoted) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: its messages are not tested";
  EXPECT_EQ(run(nvcc, "\n__global__ void k() { x = 1; }").whyNot,
            "nvcc stopped at " + scratch.path("k.cu") +
                ":2: identifier \"x\" is undefined");
  EXPECT_EQ(run(nvcc, "#include \"none.h\"\n").whyNot,
            "nvcc stopped at " + scratch.path("k.cu") +
                ":1: none.h: No such file or directory");
  EXPECT_EQ(run(nvcc,
                "__global__ void k(float *p) { __shared__ float a[100000]; "
                "a[threadIdx.x] = 1; __syncthreads(); p[0] = a[3]; }")
                .whyNot,
            "nvcc stopped: Entry function '_Z1kPf' uses too much shared data "
            "(0x61a80 bytes, 0xc000 max)");
  EXPECT_TRUE(isTemporaryEmpty());
}

TEST_F(CompileRun, AMissingCompilerIsReported) {
  EXPECT_EQ(run("", kernels).whyNot, "there is no nvcc to compile it with");
  EXPECT_EQ(run("/none/nvcc", kernels).whyNot,
            "'/none/nvcc' cannot be run in '" + scratch.folder().str() +
                "': No such file or directory");
  std::string notExecutable = scratch.path("plain");
  writeFile(notExecutable, "");
  EXPECT_THAT(run(notExecutable, kernels).whyNot,
              HasSubstr("cannot be run in"));
  EXPECT_TRUE(isTemporaryEmpty());
}

TEST_F(CompileRun, AMissingTemporaryFolderIsReported) {
  std::string none = scratch.path("none");
  setenv("TMPDIR", none.c_str(), 1);
  EXPECT_EQ(run(script("exit 0"), kernels).whyNot,
            "no temporary folder can be made in '" + none +
                "': No such file or directory");
}

TEST_F(CompileRun, ARemovedCommandFolderIsReported) {
  EXPECT_EQ(compile({"/none/k.cu", "/none", {"nvcc", "k.cu"}}, {"nvcc", "k.cu"},
                    {"", "", script("exit 0"), 13, 0, 0}, {"sm_80"})
                .whyNot,
            "the command's folder '/none' does not exist");
}

TEST_F(CompileRun, AnUnexpectedCompilersOutcomeIsReported) {
  EXPECT_EQ(run(script("exit 3"), kernels).whyNot,
            "nvcc stopped without a message");
  EXPECT_EQ(run(script("echo 'no licence' >&2; exit 1"), kernels).whyNot,
            "nvcc stopped: no licence");
  EXPECT_EQ(run(script("kill -SEGV $$"), kernels).whyNot,
            "nvcc was ended by signal 11");
  EXPECT_EQ(run(script("exit 0"), kernels).whyNot,
            "nvcc wrote no machine code");
  EXPECT_EQ(run(script("exit 0"), kernels, {"-dlto"}).whyNot,
            "nvcc wrote no machine code; the command asks for link-time "
            "optimisation, and without it this source was not compiled");
  EXPECT_TRUE(isTemporaryEmpty());
}

// A cubin of a release to come must not cost ptxas' word.
TEST_F(CompileRun, AnUnreadableCubinKeepsTheReport) {
  std::string nvcc = script(
      "while [ \"$1\" != -o ]; do shift; done\n"
      "echo rubbish > \"$2\"\n"
      "echo \"ptxas info    : Compiling entry function 'k' for 'sm_80'\" >&2\n"
      "echo 'ptxas info    : Function properties for k' >&2\n"
      "echo '    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
      "loads' >&2\n"
      "echo 'ptxas info    : Used 8 registers, used 0 barriers' >&2\n");
  Compiled compiled = run(nvcc, kernels);
  ASSERT_EQ(compiled.whyNot, "");
  ASSERT_EQ(compiled.units.front().kernels.size(), 1u);
  EXPECT_EQ(compiled.units.front().kernels.front().usage.stackFrame, 8u);
}

// Somebody who stops warplint finds neither its folders nor nvcc running on.
TEST_F(CompileRun, ASignalLeavesNoFilesOrProcesses) {
  std::string started = scratch.path("started");
  std::string slow =
      script("echo x > \"$TMPDIR/rubbish\"; echo $$ > " + started +
             ".new; mv " + started + ".new " + started + "; sleep 1000");
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sys::fs::remove(started);
    pid_t child = fork();
    if (child == 0) {
      run(slow, kernels);
      _exit(0);
    }
    for (int i = 0; i < 1000 && !sys::fs::exists(started); ++i)
      usleep(10'000);
    ASSERT_TRUE(sys::fs::exists(started));
    EXPECT_FALSE(isTemporaryEmpty());
    kill(child, signal);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_TRUE(isTemporaryEmpty()) << "after signal " << signal;
    EXPECT_NE(kill(std::stoi(readFile(started)), 0), 0);
  }
}

} // namespace
