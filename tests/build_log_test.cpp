// Build logs, with other output in them: kernels that a log says nothing of are
// not clean.
#include "machine/build_log.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

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
