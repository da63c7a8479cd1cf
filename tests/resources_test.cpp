// The resources of kernels: readable names, the order of the table, its
// formats, and build logs with other output in them.
#include "base/readable_name.h"
#include "machine/build_log.h"
#include "machine/code_flags.h"
#include "report/resources/resource_table.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

// ---- names, as nvcc 13.0 mangles them

TEST(ReadableName, KeepsTemplateArgumentsWithoutParameters) {
  EXPECT_EQ(readableKernelName("_Z1kIfLi4EEvPT_"), "k<float, 4>");
  EXPECT_EQ(readableKernelName("_ZN2ns1kEPf"), "ns::k");
  EXPECT_EQ(readableKernelName("plain"), "plain");
}

TEST(ReadableName, OmitsFileHashes) {
  EXPECT_EQ(
      readableKernelName("_ZN33_GLOBAL__N__59ecf785_4_l_cu_plain6hiddenEPf"),
      "hidden");
  EXPECT_EQ(
      readableKernelName("__nv_static_25__324ca874_4_n_cu_18f5cf2a__Z4statPf"),
      "stat");
}

TEST(ReadableName, LambdasAreNumbered) {
  EXPECT_EQ(readableKernelName("_Z6launchIZ3runPfiEUliE_EvT_i"),
            "launch<run(float*, int)::lambda#1>");
  EXPECT_EQ(readableKernelName("_Z6launchIZ3runPfiEUliE0_EvT_i"),
            "launch<run(float*, int)::lambda#2>");
}

TEST(ReadableName, LambdasHaveFileAndLineWhereTheSourceIsKnown) {
  EXPECT_EQ(shortKernelName("launch<(lambda at /tmp/src/l.cu:8:25)>"),
            "launch<lambda at l.cu:8>");
}

TEST(ReadableName, NamesTheDispatchedKokkosFunctor) {
  EXPECT_EQ(readableKernelName(
                "_ZN6Kokkos4Impl33cuda_parallel_launch_local_memoryINS0_"
                "11ParallelForIZ4mainEUliE_NS_11RangePolicyIJNS_4CudaEEEES4_"
                "EEEEvT_"),
            "parallel_for(main::lambda#1)");
  EXPECT_EQ(
      shortKernelName("Kokkos::Impl::cuda_parallel_launch_constant_memory<"
                      "Kokkos::Impl::ParallelReduce<Kokkos::Impl::"
                      "CombinedFunctorReducer<Dot<double, 3>, Kokkos::Impl::F>,"
                      " Kokkos::RangePolicy<Kokkos::Cuda>, Kokkos::Cuda>>"),
      "parallel_reduce(Dot<double, 3>)");
}

TEST(ReadableName, AnUnmangledNameIsUnchanged) {
  for (const char *name :
       {"", "_Z", "_ZN", "_Z1kIfLi4EEvPT_\xff", "lambda at "})
    EXPECT_EQ(readableKernelName(name), name);
}

// ---- flags

TEST(CodeFlags, AreThoseThatAffectTheMachineCode) {
  EXPECT_EQ(codeFlags({"nvcc",
                       "-O3",
                       "-Iinclude",
                       "-I",
                       "more",
                       "-DN=4",
                       "-D",
                       "M",
                       "--use_fast_math",
                       "-maxrregcount",
                       "64",
                       "-Xcompiler",
                       "-Wall",
                       "-Xptxas",
                       "-v",
                       "-Xptxas",
                       "-dlcm=cg",
                       "-std=c++17",
                       "-fmad=false",
                       "a.cu"}),
            "-O3 -DN=4 -D=M --use_fast_math -maxrregcount=64 -Xptxas=-dlcm=cg "
            "-fmad=false");
  EXPECT_EQ(codeFlags({"nvcc"}), "");
  EXPECT_EQ(codeFlags({"nvcc", "-maxrregcount"}), "-maxrregcount");
}

// ---- the table

ResourceRow row(std::string kernel, unsigned registers, unsigned stack = 0,
                unsigned spill = 0) {
  ResourceRow row;
  row.kernel = row.signature = std::move(kernel);
  row.architecture = "sm_90";
  row.source = "a.cu";
  row.registers = registers;
  row.stack = stack;
  row.spillStores = row.spillLoads = spill;
  row.shared = 0;
  return row;
}

ResourceReport report() {
  ResourceReport report;
  report.rows = {row("few", 8), row("array", 20, 64), row("full", 128),
                 row("spills", 255, 16, 8), row("low", 16)};
  report.rows[2].occupancy = 25;
  report.rows[2].launches = {{"256x1x1", 50, "registers"},
                             {"1024x1x1", 25, "registers"}};
  report.rows[4].occupancy = 12;
  report.rows[4].launches = {{"32x1x1", 12, "blocks"}};
  sortByHarm(report.rows);
  return report;
}

TEST(ResourceTable, IsSortedByCost) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceTable(report(), 0, out);
  EXPECT_EQ(
      text,
      "arch   spill st/ld  stack     occupancy  regs  shared  kernel\n"
      "sm_90          8/8     16                 255       0  spills (a.cu)\n"
      "sm_90          0/0     64                  20       0  array (a.cu)\n"
      "sm_90          0/0      0    12% 32x1x1    16       0  low (a.cu)\n"
      "sm_90          0/0      0  25% 1024x1x1   128       0  full (a.cu)\n"
      "sm_90          0/0      0                   8       0  few (a.cu)\n");
}

TEST(ResourceTable, FitsATerminal) {
  ResourceReport report;
  report.rows = {row(std::string(500, 'k'), 8)};
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceTable(report, 60, out);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines)
    EXPECT_LE(line.size(), 60u);
  EXPECT_THAT(text, HasSubstr("kkk...\n"));
}

// 0 would say that it does not spill.
TEST(ResourceTable, AnUnknownValueIsAnEmptyCell) {
  ResourceReport report;
  report.rows = {row("k", 8)};
  report.rows[0].spillStores.reset();
  report.rows[0].spillLoads.reset();
  report.rows[0].stack = 16;
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceCsv(report, out);
  EXPECT_EQ(text, "kernel,arch,source,line,spillStores,spillLoads,stack,arrays,"
                  "spills,other,occupancy,registers,shared,barriers,block,"
                  "toolkit,flags,signature\n"
                  "k,sm_90,a.cu,,,,16,,,,,8,0,,,,,k\n");
  EXPECT_EQ(resourceClosing(report),
            "1 kernel on sm_90: 0 spill, 1 have a "
            "stack frame; whether 1 spill is not known");
}

TEST(ResourceTable, CsvQuotesCommas) {
  ResourceReport report;
  report.rows = {row("k<float, 4>", 8)};
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceCsv(report, out);
  EXPECT_THAT(text, HasSubstr("\n\"k<float, 4>\",sm_90,a.cu,"));
}

TEST(ResourceTable, ATemplateOfAHeaderIsOneLine) {
  ResourceReport report;
  report.rows = {row("k", 8), row("k", 8), row("k", 9)};
  report.rows[1].source = "b.cu";
  report.rows[2].source = "c.cu";
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceTable(report, 0, out);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("k (a.cu) in 2 sources\n"),
                                   HasSubstr("k (c.cu)\n")));
}

TEST(ResourceTable, MarkdownShowsWholeNames) {
  ResourceReport report;
  report.rows = {row("k<a|b, __x__>", 8)};
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceMarkdown(report, out);
  EXPECT_THAT(text, HasSubstr("| k\\<a\\|b, \\_\\_x\\_\\_\\> (a.cu) |"));
}

TEST(ResourceTable, TheClosingLineNeverCallsUnknownKernelsClean) {
  ResourceReport report;
  EXPECT_EQ(resourceClosing(report), "no kernels");
  report.rows = {row("k", 8)};
  EXPECT_EQ(resourceClosing(report),
            "1 kernel on sm_90: none spills, none has a stack frame");
  report.rows[0].stack.reset();
  EXPECT_EQ(resourceClosing(report),
            "1 kernel on sm_90; whether 1 spill is not known");
}

// ---- build logs

const std::string block =
    "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z1kPf\n"
    "    64 bytes stack frame, 32 bytes spill stores, 16 bytes spill loads\n"
    "ptxas info    : Used 28 registers, used 1 barriers\n";

TEST(BuildLog, ACompleteLogHasNoMissingReport) {
  BuildLog log = readBuildLog(
      "-- The CUDA compiler identification is NVIDIA 12.4.131\n"
      "[1/2] nvcc -Xptxas -v -c a.cu\na.cu(3): warning #177-D: variable "
      "\"error\" was declared but never referenced\n" +
      block + "[2/2] Linking CUDA executable a\n");
  EXPECT_EQ(log.usages.size(), 1u);
  EXPECT_THAT(log.missing, IsEmpty());
  EXPECT_EQ(log.toolkit, "12.4.131");
}

TEST(BuildLog, ALogWithoutAReportIsNotClean) {
  EXPECT_THAT(readBuildLog("").missing,
              ElementsAre(HasSubstr("'-Xptxas -v' makes nvcc print one")));
  EXPECT_THAT(readBuildLog("make: Nothing to be done for 'all'.\n").missing,
              ElementsAre(HasSubstr("no report of ptxas")));
  EXPECT_THAT(readBuildLog("nvcc -dlto -Xptxas -v -c a.cu\n").missing,
              ElementsAre(HasSubstr("link-time optimisation")));
  EXPECT_THAT(
      readBuildLog("nvcc -gencode arch=compute_80,code=lto_80 -c a.cu\n")
          .missing,
      ElementsAre(HasSubstr("link-time optimisation")));
}

TEST(BuildLog, ATruncatedLogIsNotClean) {
  EXPECT_THAT(readBuildLog(block + block.substr(0, 100)).missing,
              ElementsAre(HasSubstr("cut off")));
}

// Output of make, ninja, nvcc 13.0 and gcc 12 when they fail.
TEST(BuildLog, AFailedBuildIsNotClean) {
  for (const char *failure :
       {"bad.cu(1): error: identifier \"y\" is undefined\n",
        "ptxas /tmp/tmpxft_00005406_00000000-6_bad2.ptx, line 21; error   : "
        "Not "
        "a name of any known instruction: 'oops'\n"
        "ptxas fatal   : Ptx assembly aborted due to errors\n",
        "nvcc fatal   : Unsupported gpu architecture 'sm_12'\n",
        "bad3.cu:1:10: fatal error: nono.h: No such file or directory\n",
        "cc1plus: fatal error: nofile.cu: No such file or directory\n",
        "make[2]: *** [CMakeFiles/a.dir/build.make:76: a.o] Error 1\n",
        "make: *** Waiting for unfinished jobs....\n",
        "ninja: build stopped: subcommand failed.\n",
        "FAILED: CMakeFiles/a.dir/a.cu.o \n",
        "nvcc error   : 'ptxas' died due to signal 11 (Invalid memory "
        "reference)\n"}) {
    BuildLog log = readBuildLog(block + failure);
    EXPECT_EQ(log.usages.size(), 1u) << failure;
    EXPECT_THAT(log.missing, testing::Contains(StartsWith("the build failed")))
        << failure;
  }
}

TEST(BuildLog, TextThatResemblesAFailureIsIgnored) {
  for (const char *line :
       {"[ 50%] Building CUDA object CMakeFiles/error.dir/fatal_error.cu.o\n",
        "a.cu(5): warning #20012-D: __device__ annotation is ignored\n",
        "ptxas warning : For profile sm_80 adjusting per thread register "
        "count\n",
        "g++ -Werror -Wno-error=format -c a.cpp\n",
        "    error: an indented quotation\n",
        "checking for error_at_line... yes\n"})
    EXPECT_THAT(readBuildLog(block + line).missing, IsEmpty()) << line;
}

TEST(BuildLog, TwoToolkitsGiveNoToolkit) {
  EXPECT_EQ(readBuildLog("Cuda compilation tools, release 12.4, V12.4.131\n"
                         "Cuda compilation tools, release 13.0, V13.0.88\n" +
                         block)
                .toolkit,
            "");
}

} // namespace
