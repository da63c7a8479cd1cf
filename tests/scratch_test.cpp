// Temporary folders, and compilers that run with them: what is left behind, or
// runs on, is in the user's way.
#include "input_folder.h"
#include "nvcc.h"
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace warplint;
using testing::HasSubstr;

namespace {

class ScratchFolder : public testing::Test {
protected:
  /// Returns what a shell prints that runs `text` in `directory`.
  std::string printed(const std::string &text,
                      const std::string &directory = "/") {
    auto exit = run(text, directory);
    EXPECT_TRUE(exit.hasSucceeded());
    return readFile(scratch.path("output"));
  }
  Exit run(const std::string &text, const std::string &directory = "/",
           std::chrono::milliseconds limit = std::chrono::minutes(5)) {
    sys::fs::remove(scratch.path("output"));
    return cantFail(
        scratch.run({"/bin/sh", "-c", text}, directory, "output", limit));
  }

  Scratch scratch = cantFail(Scratch::create());
};

} // namespace

TEST_F(ScratchFolder, GoesWithAllThatIsInIt) {
  std::string folder;
  {
    Scratch other = cantFail(Scratch::create());
    folder = other.folder().str();
    ASSERT_NE(folder, scratch.folder());
    cantFail(errorCodeToError(sys::fs::create_directory(folder + "/deep")));
    warplint::writeFile(other.path("deep/file"), "x");
    const Scratch moved = std::move(other);
    EXPECT_EQ(moved.folder(), folder);
    EXPECT_TRUE(sys::fs::exists(folder + "/deep/file"));
  }
  EXPECT_FALSE(sys::fs::exists(folder));
}

// The processes of a build start together, and each removes what killed ones
// left.
TEST_F(ScratchFolder, StaysWhileOtherProcessesSweep) {
  InputFolder temporary;
  Environment place("TMPDIR", temporary.path.c_str());
  std::atomic<bool> isDone = false;
  std::thread others([&] {
    std::error_code error;
    while (!isDone)
      for (sys::fs::directory_iterator entry(temporary.path, error), end;
           !error && entry != end; entry.increment(error)) {
        const int folder = open(entry->path().c_str(), O_RDONLY | O_DIRECTORY);
        if (folder >= 0 && !flock(folder, LOCK_EX | LOCK_NB))
          sys::fs::remove_directories(entry->path());
        if (folder >= 0)
          close(folder);
      }
  });
  int lost = 0;
  for (int k = 0; k < 3000; ++k) {
    const Scratch folder = cantFail(Scratch::create());
    std::this_thread::yield();
    lost += !sys::fs::is_directory(folder.folder());
  }
  isDone = true;
  others.join();
  EXPECT_EQ(lost, 0);
}

TEST_F(ScratchFolder, AProgramRunsInItsDirectoryAndAllItPrintsIsKept) {
  InputFolder folder;
  EXPECT_EQ(printed("pwd; echo wrong >&2", folder.path),
            folder.path + "\nwrong\n");
}

// The arguments contain nvcc's flags already, and messages are read in English.
TEST_F(ScratchFolder, AProgramsEnvironmentIsFixedWhereItMatters) {
  Environment front("NVCC_PREPEND_FLAGS", "-G"),
      back("NVCC_APPEND_FLAGS", "-G"), locale("LC_ALL", "de_DE.UTF-8"),
      language("LANGUAGE", "de"), other("WARPLINT_TEST", "kept");
  EXPECT_EQ(printed("echo \"$NVCC_PREPEND_FLAGS$NVCC_APPEND_FLAGS$LANGUAGE"
                    "$LC_ALL $WARPLINT_TEST $TMPDIR\""),
            "C kept " + scratch.folder().str() + "\n");
}

TEST_F(ScratchFolder, HowAProgramEndedIsKnown) {
  EXPECT_EQ(run("exit 3").code, 3);
  const Exit killed = run("kill -SEGV $$");
  EXPECT_EQ(killed.code, 0);
  EXPECT_EQ(killed.signal, SIGSEGV);
  EXPECT_FALSE(killed.hasSucceeded());
}

TEST_F(ScratchFolder, AProgramThatCannotBeStartedIsNamed) {
  auto reason = [&](const std::string &program, const std::string &directory) {
    return toString(
        scratch.run({program}, directory, "output", std::chrono::seconds(1))
            .takeError());
  };
  EXPECT_EQ(reason("/none/nvcc", "/"),
            "'/none/nvcc' cannot be run in '/': No such file or directory");
  EXPECT_THAT(reason("/bin/true", "/none"),
              HasSubstr("cannot be run in '/none'"));
}

TEST_F(ScratchFolder, ATimeLimitEndsTheProgramAndItsChildren) {
  const Exit exit = run("sleep 1000 & echo $! > children; sleep 1000",
                        scratch.folder().str(), std::chrono::milliseconds(300));
  EXPECT_TRUE(exit.timedOut);
  EXPECT_FALSE(exit.hasSucceeded());
  const int child = std::stoi(readFile(scratch.path("children")));
  EXPECT_NE(kill(child, 0), 0) << "a child outlived its group";
}

// It could write into the folder while that is removed.
TEST_F(ScratchFolder, AProgramsChildrenEndWithIt) {
  const int child = std::stoi(printed("sleep 1000 & echo $!"));
  EXPECT_NE(kill(child, 0), 0);
}
