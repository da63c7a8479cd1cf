// The launcher: what it says, and what it leaves to the compiler.
#include "report/read_json.h"
#include "tests/launcher.h"
#include <gmock/gmock.h>

using namespace testing;

namespace warplint {
namespace {

using Wrap = LauncherTest;

TEST_F(Wrap, FindingsFollowTheCompilersOutput) {
  stub("echo to out; echo to err >&2; touch a.o");
  Outcome run = shell("wrap --compile=never -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "to out\n");
  EXPECT_THAT(run.err, StartsWith("to err\na.cu:4:12: warning: ")) << run.err;
  EXPECT_THAT(run.err, HasSubstr("[strided-global-access]"));
  EXPECT_THAT(run.err, Not(HasSubstr("1 warning")));
  auto sidecar = readJson(readFile(path("a.o.warplint.json")));
  ASSERT_TRUE(bool(sidecar));
  EXPECT_EQ(sidecar->findings.size(), 1u);
  EXPECT_TRUE(leavesNothing());
}

TEST_F(Wrap, ACompilersFailureIsPassedOn) {
  stub("echo 'a.cu(3): error: no' >&2; exit 7");
  writeFile(path("a.o.warplint.json"), "of the last build");
  Outcome run = shell("wrap -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 7);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "a.cu(3): error: no\n");
  EXPECT_FALSE(exists("a.o.warplint.json"));
  EXPECT_TRUE(leavesNothing());
}

TEST_F(Wrap, RequestsThePtxasReportOnce) {
  stub(good);
  shell("wrap -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(readFile(path("words")), "-c a.cu -o a.o -Xptxas -v\n");
  for (const char *own : {"-Xptxas -v", "-Xptxas=-v", "--ptxas-options=-O3,-v",
                          "-res-usage", "--options-file flags"}) {
    llvm::sys::fs::remove(path("words"));
    writeFile(path("flags"), "-Xptxas -v");
    shell(std::string("wrap -- nvcc ") + own + " -c a.cu -o a.o");
    EXPECT_EQ(readFile(path("words")), std::string(own) + " -c a.cu -o a.o\n");
  }
}

TEST_F(Wrap, OtherCommandsRunUnchanged) {
  stub("echo done");
  writeFile(path("b.cu"), strided);
  writeFile(path("host.cpp"), "int f() { return 1; }");
  for (const char *words :
       {"-E a.cu", "-M a.cu -o a.d", "-ptx a.cu -o a.ptx",
        "-cubin a.cu -o a.cubin", "-dlink a.o -o link.o", "a.o b.o -o program",
        "-c a.cu b.cu", "a.cu -o program", "--version-of-what", "-c host.cpp",
        "-dryrun -c a.cu", "--options-file gone -c a.cu"}) {
    llvm::sys::fs::remove(path("words"));
    Outcome run = shell(std::string("wrap -- nvcc ") + words);
    EXPECT_EQ(run.code, 0) << words;
    EXPECT_EQ(readFile(path("words")), std::string(words) + "\n");
    EXPECT_EQ(run.out, "done\n");
    EXPECT_EQ(run.err, "");
  }
  EXPECT_FALSE(exists("a.o.warplint.json"));
}

TEST_F(Wrap, CMakesTrialCompilesAreQuiet) {
  stub(good);
  llvm::sys::fs::create_directories(path("CMakeFiles/CMakeScratch/TryCompile"));
  Outcome run = shell("cd CMakeFiles/CMakeScratch/TryCompile && wrap -- nvcc "
                      "-c ../../../a.cu -o a.o");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(readFile(path("CMakeFiles/CMakeScratch/TryCompile/words")),
            "-c ../../../a.cu -o a.o\n");
}

TEST_F(Wrap, ADeniedFindingFailsThisBuildAndTheNext) {
  stub(good);
  Outcome run =
      shell("wrap --compile=never --deny likely -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, EndsWith("a.cu: findings of level likely are denied, so "
                                "its object is removed\n"));
  EXPECT_FALSE(exists("a.o"));
  EXPECT_FALSE(exists("a.o.warplint.json"));
  EXPECT_EQ(
      shell("wrap --compile=never --deny certain -- nvcc -c a.cu -o a.o").code,
      0);
  EXPECT_TRUE(exists("a.o"));
}

TEST_F(Wrap, AFailureOfWarplintIsOneLine) {
  stub(good);
  Outcome run = shell("wrap --resource-dir /none -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, StartsWith("warplint: a.cu is not linted: "));
  EXPECT_EQ(llvm::StringRef(run.err).count('\n'), 1u) << run.err;
  EXPECT_FALSE(exists("a.o.warplint.json"));
  // A folder where its report would be.
  llvm::sys::fs::create_directory(path("a.o.warplint.json"));
  run = shell("wrap --compile=never -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, StartsWith("warplint: a.cu is not linted: "));
  EXPECT_EQ(llvm::StringRef(run.err).count('\n'), 1u) << run.err;
}

TEST_F(Wrap, AnUnreadableSourceIsOneLine) {
  stub(good);
  writeFile(path("a.cu"), "#include <no/such/header.h>\n");
  Outcome run = shell("wrap --compile=never -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(llvm::StringRef(run.err).count('\n'), 1u) << run.err;
}

TEST_F(Wrap, WarplintWrapRunsWrap) {
  stub(good);
  Outcome run = shell("ln -s \"$warplint\" warplint-wrap\n"
                      "./warplint-wrap nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(exists("a.o.warplint.json"));
}

} // namespace
} // namespace warplint
