// Tests which objects of a build take the place of a compile.
#include "program_runs.h"
#include "run/built_object.h"
#include "llvm/Support/Program.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

/// A project with an object that is built with line numbers, and a toolkit
/// whose nvcc only says that it was started.
class BuiltObject : public testing::Test {
protected:
  void SetUp() override {
    nvcc_ = nvccForTests();
    if (nvcc_.empty())
      GTEST_SKIP() << "NO NVCC: a build's objects are not tested";
    toolkit_ =
        stubToolkit(folder, "#!/bin/sh\necho 'nvcc fatal   : it was started' "
                            ">&2\nexit 1\n");
    folder.write("pitch.h", "const int pitch = 32;\n");
    folder.write("a.cu", "#include \"pitch.h\"\n"
                         "__global__ void rows(float *a) {\n"
                         "  a[threadIdx.x * pitch] = 0;\n"
                         "}\n");
    database();
    build();
  }

  void database(llvm::StringRef more = "") {
    later();
    folder.write("compile_commands.json",
                 "[{\"directory\": \"" + folder.path +
                     "\", \"file\": \"a.cu\", \"command\": \"nvcc "
                     "-arch=sm_90 -lineinfo" +
                     more.str() + " -c a.cu -o a.o\"}]");
  }
  void build() {
    later();
    std::vector<llvm::StringRef> words = {
        nvcc_, "-arch=sm_90", "-lineinfo", "-c", source_, "-o", object_};
    ASSERT_EQ(llvm::sys::ExecuteAndWait(nvcc_, words), 0);
    later();
  }
  /// The clocks of some file systems are coarse.
  void later() { usleep(20'000); }

  std::string judged(std::vector<std::string> more = {}) {
    std::vector<std::string> words = {
        "check",  "-p",         folder.path, "--cuda-path",
        toolkit_, "--no-cache", "--minor",   folder / "a.cu"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = runProgram(words);
    return outcome.out + outcome.err;
  }

  InputFolder folder;

private:
  std::string nvcc_, toolkit_, source_ = folder / "a.cu",
                               object_ = folder / "a.o";
};

TEST_F(BuiltObject, NothingIsCompiledAgain) {
  EXPECT_THAT(
      judged(),
      HasSubstr("at line 3 touches 32 sectors where 4 would do: confirmed"));
}

TEST_F(BuiltObject, AChangedHeaderMakesItOld) {
  folder.write("pitch.h", "const int pitch = 16;\n");
  EXPECT_THAT(judged(), HasSubstr("it was started"));
}

// An editor's swap file, a checkout of others: the folder is newer, not what
// was read.
TEST_F(BuiltObject, AFileThatNothingReadsDoesNotMakeItOld) {
  folder.write("notes.txt", "later\n");
  EXPECT_THAT(
      judged(),
      HasSubstr("at line 3 touches 32 sectors where 4 would do: confirmed"));
}

TEST_F(BuiltObject, AChangedSourceMakesItOld) {
  folder.write("a.cu",
               "__global__ void rows(float *a) { a[threadIdx.x * 8] = 0; }\n");
  EXPECT_THAT(judged(), HasSubstr("it was started"));
}

// Flags that have changed are in the database, which is then written anew.
TEST_F(BuiltObject, ANewerDatabaseMakesItOld) {
  database(" -DNDEBUG");
  EXPECT_THAT(judged(), HasSubstr("it was started"));
}

TEST_F(BuiltObject, ItIsNotWhatOtherFlagsWouldMake) {
  EXPECT_THAT(judged({"--", "-DNDEBUG"}), HasSubstr("it was started"));
  Environment more("NVCC_APPEND_FLAGS", "-DNDEBUG");
  EXPECT_THAT(judged(), HasSubstr("it was started"));
}

TEST_F(BuiltObject, OtherArchitecturesAreCompiled) {
  const std::string both = judged({"--arch", "sm_80,sm_90"});
  EXPECT_THAT(
      both,
      HasSubstr("at line 3 touches 32 sectors where 4 would do: confirmed"));
  EXPECT_THAT(both, HasSubstr("= sm_80: unjudged: nvcc stopped: it was "
                              "started"));
}

TEST_F(BuiltObject, WhatIsNoObjectIsLeftAlone) {
  folder.write("a.o", "no object");
  EXPECT_THAT(judged(), HasSubstr("it was started"));
  llvm::sys::fs::remove(folder / "a.o");
  EXPECT_THAT(judged(), HasSubstr("it was started"));
  ASSERT_EQ(mkfifo((folder / "a.o").c_str(), 0600), 0);
  EXPECT_THAT(judged(), HasSubstr("it was started"));
}

} // namespace
