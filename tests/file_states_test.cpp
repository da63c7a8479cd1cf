#include "cache/file_states.h"
#include "input_folder.h"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace warplint;

TEST(FileStates, DependOnContentsOnly) {
  InputFolder folder;
  const std::string file = folder.write("a.h", "one"),
                    same = folder.write("b.h", "one"),
                    other = folder.write("c.h", "two");
  usleep(20'000);
  FileStates states;
  EXPECT_EQ(states.of(file), states.of(same));
  EXPECT_NE(states.of(file), states.of(other));
  EXPECT_EQ(states.of(folder.path), "folder");
  EXPECT_EQ(states.of(folder / "none.h"), "none");
  mkfifo((folder / "pipe").c_str(), 0600);
  EXPECT_EQ(states.of(folder / "pipe"), "other");
}

// Clang may have read the earlier content.
TEST(FileStates, AFileThatChangesDuringTheRunHasNone) {
  InputFolder folder;
  FileStates states;
  usleep(20'000);
  EXPECT_EQ(states.of(folder.write("a.h", "one")), "");
}

TEST(FileStates, AFileIsReadOnce) {
  InputFolder folder;
  const std::string file = folder.write("a.h", "one");
  usleep(20'000);
  FileStates states;
  states.lookAt({file, folder / "none.h"});
  const std::string before = states.of(file).str();
  folder.write("a.h", "two");
  folder.write("none.h", "");
  EXPECT_EQ(states.of(file), before);
  EXPECT_EQ(states.of(folder / "none.h"), "none");
}

// The search for Kokkos and the cache both want the text of each source.
TEST(FileStates, AFileThatWasReadForAnotherPurposeIsNotReadAgain) {
  InputFolder folder;
  const std::string file = folder.write("a.h", "one");
  usleep(20'000);
  FileStates states;
  const llvm::sys::TimePoint<> longAgo;
  states.wasRead(folder / "gone.h", "one", longAgo);
  EXPECT_EQ(states.of(folder / "gone.h"), states.of(file));
  states.wasRead(file, "two", longAgo);
  EXPECT_EQ(states.of(file), states.of(folder / "gone.h"))
      << "the first state counts";
}

// A thousand sources include the same headers, but what a source was read from
// may have changed since another one was looked up.
TEST(FileStates, AStatusIsAskedForOnceOrAgain) {
  using Look = FileStates::Look;
  InputFolder folder;
  const std::vector<std::string> files = {folder.write("a.h", "one")};
  usleep(1'100'000);
  FileStates states;
  const std::string before = states.statusesOf(files, Look::Once);
  EXPECT_NE(before, "");
  folder.write("a.h", "other");
  EXPECT_EQ(states.statusesOf(files, Look::Once), before);
  EXPECT_NE(states.statusesOf(files, Look::Again), before);
}

TEST(FileStates, TextThatWasReadAfterAChangeDuringTheRunHasNone) {
  FileStates states;
  usleep(20'000);
  states.wasRead("/a.h", "one", std::chrono::system_clock::now());
  EXPECT_EQ(states.of("/a.h"), "");
}
