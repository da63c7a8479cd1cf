// nvcc's two steps: a text that was shortened wrongly costs time, never a
// judgement. A shell script stands for nvcc.
#include "input_folder.h"
#include "nvcc.h"
#include "nvcc/run_nvcc.h"
#include <gmock/gmock.h>

using namespace llvm;
using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

class RunNvcc : public testing::Test {
protected:
  /// Runs a script that does `preprocessing` for -E and otherwise `compiling`;
  /// $out is the output file, $in the source.
  Exit run(const std::string &preprocessing, const std::string &compiling,
           unsigned release = 13,
           std::chrono::milliseconds limit = std::chrono::minutes(5)) {
    const std::string nvcc = folder.writeProgram(
        "nvcc", "#!/bin/sh\n"
                "in=$1; all=$*; step=compile\n"
                "while [ $# -gt 0 ]; do\n"
                "  case $1 in -E) step=preprocess;; -o) out=$2;; esac; shift\n"
                "done\n"
                "echo $step $(basename $in) >> steps\n"
                "if [ $step = preprocess ]; then\n" +
                    preprocessing + "\nelse\n" + compiling + "\nfi\n");
    folder.write("k.cu", "");
    return cantFail(runNvcc({{nvcc, "k.cu"}, folder.path, "", limit, release},
                            cubin, scratch, read));
  }
  std::string steps() { return readFile(folder / "steps"); }

  InputFolder folder;
  Scratch scratch = cantFail(Scratch::create());
  std::string cubin = scratch.path("k.cubin");
  std::vector<std::string> read;
};

/// A source with a header's unused declaration and a host function.
const std::string preprocess = R"(cat > $out <<'END'
# 1 "k.cu"
# 1 "lib.h" 1 3
int unused();
# 2 "k.cu" 2
__attribute__((global)) void kernel() {}
int main() { return 7; }
END
)";

TEST_F(RunNvcc, CompilesTheShortenedText) {
  EXPECT_TRUE(run(preprocess, "cp $in $out").hasSucceeded());
  EXPECT_EQ(steps(), "preprocess k.cu\ncompile k.cup\n");
  EXPECT_THAT(readFile(cubin), HasSubstr("void kernel() {}"));
  EXPECT_THAT(readFile(cubin), Not(HasSubstr("unused")));
  EXPECT_THAT(readFile(cubin), Not(HasSubstr("return 7")));
  EXPECT_THAT(read, ElementsAre(folder / "k.cu", folder / "lib.h"));
}

// Earlier releases are not known to compile kernels that nothing calls.
TEST_F(RunNvcc, KeepsHostCodeForOldReleases) {
  run(preprocess, "cp $in $out", 12);
  EXPECT_THAT(readFile(cubin), HasSubstr("return 7"));
  EXPECT_THAT(readFile(cubin), Not(HasSubstr("unused")));
}

TEST_F(RunNvcc, ARejectedTextIsCompiledWhole) {
  EXPECT_TRUE(run(preprocess, "case $in in *.cup) exit 2;; esac; echo x > $out")
                  .hasSucceeded());
  EXPECT_EQ(steps(), "preprocess k.cu\ncompile k.cup\ncompile k.cu\n");
  EXPECT_TRUE(sys::fs::exists(cubin));
}

TEST_F(RunNvcc, ATextThatGivesNoMachineCodeIsCompiledWhole) {
  EXPECT_TRUE(
      run(preprocess, "case $in in *.cu) echo x > $out;; esac").hasSucceeded());
  EXPECT_TRUE(sys::fs::exists(cubin));
}

// Of the host compilers, gcc alone knows the flag.
TEST_F(RunNvcc, AHostCompilerThatRejectsAFlagIsAskedWithout) {
  const std::string reject = "case $all in *macro-expansion*) exit 1;; esac\n";
  EXPECT_TRUE(run(reject + preprocess, "cp $in $out").hasSucceeded());
  EXPECT_EQ(steps(), "preprocess k.cu\npreprocess k.cu\ncompile k.cup\n");
  EXPECT_THAT(read, ElementsAre(folder / "k.cu", folder / "lib.h"));
}

TEST_F(RunNvcc, ASourceThatCannotBePreprocessedIsCompiledWhole) {
  for (const char *failure : {"exit 1", "true", ": > $out"}) {
    EXPECT_EQ(run(failure, "exit 3").code, 3) << failure;
    EXPECT_THAT(read, IsEmpty());
  }
  EXPECT_THAT(steps(), Not(HasSubstr("cup")));
}

TEST_F(RunNvcc, TheTimeLimitHoldsForBothStepsTogether) {
  EXPECT_TRUE(run("sleep 1000", "sleep 0.1; echo x > $out", 13,
                  std::chrono::milliseconds(500))
                  .timedOut);
}

} // namespace
