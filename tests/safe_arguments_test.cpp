// Tests that a hostile compile database reaches neither nvcc's shell nor a
// compiler's plugins, and what an honest one says is given on.
#include "nvcc/safe_arguments.h"
#include "llvm/Support/FileSystem.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

namespace {

SafeArguments safe(std::vector<std::string> flags) {
  flags.insert(flags.begin(), "/usr/bin/nvcc");
  flags.push_back("/src/k.cu");
  const TrustedPrograms trusted = cantFail(TrustedPrograms::create({}, ""));
  SafeArguments result = safeArguments(flags, "/src", trusted);
  EXPECT_EQ(result.arguments.front(), "/usr/bin/nvcc");
  EXPECT_EQ(result.arguments.back(), "/src/k.cu");
  result.arguments.erase(result.arguments.begin());
  result.arguments.pop_back();
  return result;
}

class Harmless : public testing::TestWithParam<std::vector<std::string>> {};
TEST_P(Harmless, IsGivenOn) {
  const SafeArguments result = safe(GetParam());
  EXPECT_THAT(result.arguments, ElementsAreArray(GetParam()));
  EXPECT_THAT(result.dropped, IsEmpty());
}
using Words = std::vector<std::string>;
INSTANTIATE_TEST_SUITE_P(
    Flags, Harmless,
    testing::Values(
        Words{"-std=c++17", "-O3", "-I/opt/my include", "-I", "include"},
        Words{"-DNAME=\"a b\"", "-D", "X=(1 + 2)", "-UNDEBUG"},
        Words{"--expt-relaxed-constexpr", "--extended-lambda", "-rdc=true"},
        Words{"-maxrregcount=64", "--use_fast_math", "-lineinfo"},
        Words{"-isystem", "/usr/include/eigen3", "-include", "config.h"},
        Words{"-Xcompiler", "-fPIC", "-Xcompiler", "-fopenmp"},
        Words{"-Xcompiler", "-march=native", "-Xcompiler", "-Wall"},
        Words{"-Xcompiler", "-DWIDTH=32", "-Xcompiler", "-fno-exceptions"},
        Words{"-Xcompiler", "-isystem", "-Xcompiler", "/usr/include/x"},
        Words{"-Xptxas", "-O2", "-Xptxas", "-dlcm=cg"},
        Words{"-Xptxas", "-maxrregcount", "-Xptxas", "32"},
        Words{"-Xcudafe", "--diag_suppress=unrecognized_gcc_pragma"},
        Words{"-arch=sm_90", "-t4", "-Iinc", "-Wall", "-fPIC"},
        Words{"-DLIST=a\\,b", "-e", "advance,gather", "-frandom-seed=7"},
        Words{"-x", "cu", "-forward-unknown-to-host-compiler", "-fPIC"},
        Words{"--generate-line-info", "--threads", "2", "-diag-suppress",
              "177"}));

// As PyTorch's builds have it, for the shell that nvcc calls.
TEST(SafeArguments, QuotesForAShellComeOff) {
  const SafeArguments result = safe({"--compiler-options", "'-fPIC'"});
  EXPECT_THAT(result.arguments, testing::ElementsAre("-Xcompiler", "-fPIC"));
  EXPECT_THAT(result.dropped, IsEmpty());
  EXPECT_FALSE(safe({"-Xcompiler", "'-wrapper'"}).dropped.empty());
  EXPECT_FALSE(safe({"-Xcompiler", "'-fPIC;./evil'"}).dropped.empty());
  EXPECT_FALSE(safe({"-Xcompiler", "'-fPIC' './evil'"}).dropped.empty());
}

class Hazard : public testing::TestWithParam<std::vector<std::string>> {};
TEST_P(Hazard, IsDropped) {
  const SafeArguments result = safe(GetParam());
  EXPECT_THAT(result.arguments, IsEmpty());
  EXPECT_FALSE(result.dropped.empty());
}
INSTANTIATE_TEST_SUITE_P(
    Flags, Hazard,
    testing::Values(
        // Programs.
        Words{"-ccbin", "./evil"}, Words{"-ccbin=/src/g++"},
        Words{"--compiler-bindir", "/src"}, Words{"-arbin", "/src/evil"},
        Words{"-Xcompiler", "-wrapper,./evil"}, Words{"-wrapper", "./evil"},
        Words{"-Xcompiler", "-B/src"}, Words{"-B./src"},
        Words{"-Xcompiler", "-fplugin=./evil.so"}, Words{"-fplugin=./evil.so"},
        Words{"-Xcompiler", "-specs=evil"}, Words{"-Xcompiler", "@options"},
        Words{"-Xclang", "-load"}, Words{"-Xcompiler", "-Wp,-MD,/tmp/x"},
        Words{"-Xnvvm", "-plugin"}, Words{"-Xcicc", "-load=evil.so"},
        Words{"--qpp-config", "evil"},
        // Files.
        Words{"-o", "/tmp/x"}, Words{"-Xcompiler", "-o/tmp/x"},
        Words{"-Xcompiler", "-fdump-tree-all=/tmp/x"},
        Words{"-Xcompiler", "-fprofile-use=/tmp/x"},
        Words{"-Xptxas", "--output-file=/tmp/x"},
        Words{"-Xptxas", "-o", "-Xptxas", "/tmp/x"},
        Words{"-Xcudafe", "--gen_c_file_name=/tmp/x"},
        Words{"--time", "/tmp/x"}, Words{"--options-file", "/tmp/x"},
        // The shell.
        Words{"-DX=$(touch x)"}, Words{"-DX=`touch x`"}, Words{"-I$(touch x)"},
        Words{"-D", "X=\"$(touch x)\""}, Words{"-Xcompiler", ";touch x;"},
        Words{"-Xptxas", "-v;touch x"},
        Words{"-Xcudafe", "--diag_suppress=1;touch x"},
        Words{"-Xcompiler", "-DX=1>x"}, Words{"-Xcompiler", "-DX=1|x"},
        Words{"-std=c++17`touch x`"}, Words{"-fPIC;touch x"},
        Words{"-DX=\\\";touch x;\\\""}, Words{"-U", "X\\\";touch x;\\\""},
        Words{"-DX=\\\\,y"}, Words{"-I/src/a\\$(touch x)"},
        Words{"-I/src/\"a\";touch x;\"b\""}, Words{"-e", ";touch x;"},
        Words{"-sanitize", ";touch x;"}, Words{"-frandom-seed=\";touch x;\""},
        // gcc reads such a file's flags wherever it stands.
        Words{"-include", "@options"}, Words{"-isystem", "a,@options"},
        Words{"-Xcompiler", "-include,@options"},
        // nvcc takes the second word for a flag.
        Words{"--cuda-path", "-ccbin=./evil"},
        Words{"--offload-arch", "-ccbin=./evil"},
        Words{"-Xcuda-ptxas", "-ccbin=./evil"}, Words{"-D", "-ccbin=./evil"},
        Words{"--language", "-ccbin=./evil"}, Words{"--param"}, Words{"-"},
        // Files, in one word with the flag.
        Words{"-o/tmp/x"}, Words{"-Xptxas", "-o=x"}, Words{"-Xptxas", "-ox"}));

// gcc by the absolute path that CMake writes.
TEST(SafeArguments, KeepTheHostCompilerOfThePath) {
  if (!llvm::sys::fs::can_execute("/usr/bin/g++"))
    GTEST_SKIP() << "NO /usr/bin/g++ HERE";
  EXPECT_THAT(safe({"-ccbin=/usr/bin/g++"}).arguments,
              ElementsAre("-ccbin", "/usr/bin/g++"));
}

TEST(SafeArguments, KnowWhatNamesAShellWouldRun) {
  EXPECT_TRUE(isHazardousPath("/src/$(touch x).cu"));
  EXPECT_TRUE(isHazardousPath("/src/`touch x`/a.cu"));
  EXPECT_TRUE(isHazardousPath("/src/a\";touch x;\".cu"));
  EXPECT_TRUE(isHazardousPath("/src/a\\.cu"));
  EXPECT_FALSE(isHazardousPath("/src/a b;c'd(1).cu"));
}

} // namespace

// Options that the user types beside -p are theirs, though it stands in a
// command of the database.
TEST(SafeArguments, AFlagThatTheUserTypedStays) {
  const std::vector<std::string> all = {
      "nvcc",       "-ccbin",  "./mine",     "-ccbin",  "./evil",
      "-Xcompiler", "-B/mine", "-Xcompiler", "-B/evil", "k.cu"};
  const SafeArguments result =
      safeArguments(all, "/src", cantFail(TrustedPrograms::create({}, "")),
                    {"-ccbin", "./mine", "-Xcompiler", "-B/mine"});
  EXPECT_THAT(result.arguments, ElementsAre("nvcc", "-ccbin", "./mine",
                                            "-Xcompiler", "-B/mine", "k.cu"));
  EXPECT_THAT(result.dropped,
              ElementsAre("-ccbin ./evil", "-Xcompiler -B/evil"));
}
