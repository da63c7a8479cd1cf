// A repository of git that a test stands in.
#pragma once
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include "llvm/Support/Program.h"
#include <gmock/gmock.h>

namespace warplint {

/// A repository that the test stands in.
class Repository : public testing::Test {
protected:
  void SetUp() override {
    if (!llvm::sys::findProgramByName("git"))
      GTEST_SKIP() << "NO GIT: --diff is not tested";
    llvm::sys::fs::current_path(before_);
    llvm::sys::fs::remove_directories(folder / ".git");
    ASSERT_FALSE(llvm::sys::fs::set_current_path(folder.path));
    git("init -q .");
  }
  void TearDown() override { llvm::sys::fs::set_current_path(before_); }

  void git(const std::string &words) {
    const std::string line =
        "git -c user.name=t -c user.email=t@t " + words + " >/dev/null 2>&1";
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
  }
  void commit() {
    git("add -A");
    git("commit -q -m all");
  }

  Outcome checkWith(std::vector<std::string> words) {
    words.insert(words.begin(), "check");
    return runProgram(words);
  }

  InputFolder folder;

private:
  llvm::SmallString<128> before_;
};

} // namespace warplint
