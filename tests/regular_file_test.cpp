// A pipe or a device that a project names may have no end: a run would hang.
#include "base/regular_file.h"
#include "input_folder.h"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace warplint;

TEST(RegularFile, APipeIsRefusedBeforeItIsOpened) {
  InputFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(mayBeRead(pipe));
  EXPECT_EQ(readRegularFile(pipe).getError().message(), "is no regular file");
  EXPECT_FALSE(mayBeRead("/dev/zero"));
}

TEST(RegularFile, WhatACommandLineNamesIsNoPipeButThatOfTheShell) {
  InputFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(readNamedFile(pipe).getError().message(), "is no regular file");
  EXPECT_EQ(readNamedFile("/dev/zero").getError().message(),
            "is no regular file");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "text", 4), 4);
  close(ends[1]);
  auto text = readNamedFile("/dev/fd/" + std::to_string(ends[0]));
  close(ends[0]);
  ASSERT_TRUE(bool(text));
  EXPECT_EQ((*text)->getBuffer(), "text");
}

// `--baseline /dev/null` and `--config /dev/null` are habits.
TEST(RegularFile, TheNullDeviceIsAnEmptyFile) {
  EXPECT_TRUE(mayBeRead("/dev/null"));
  auto text = readRegularFile("/dev/null");
  ASSERT_TRUE(bool(text));
  EXPECT_EQ((*text)->getBufferSize(), 0u);
}

TEST(RegularFile, TheSystemSaysWhyAFileCannotBeOpened) {
  InputFolder folder;
  EXPECT_TRUE(mayBeRead(folder / "none"));
  EXPECT_EQ(readRegularFile(folder / "none").getError(),
            std::errc::no_such_file_or_directory);
  EXPECT_EQ(readRegularFile(folder.path).getError(), std::errc::is_a_directory);
}

// An include guard's scanner reads on until the null.
TEST(RegularFile, TheTextOfASmallFileEndsInANull) {
  InputFolder folder;
  for (const size_t size : {0, 1, 4095, 4096, 1 << 16}) {
    const std::string written(size, 'x');
    auto text = readRegularFile(folder.write("a", written));
    ASSERT_TRUE(bool(text));
    EXPECT_EQ((*text)->getBuffer(), written);
    EXPECT_EQ(*(*text)->getBufferEnd(), '\0');
  }
}

// The system gives 0 as the size of such a file.
TEST(RegularFile, AFileThatGrowsIsReadToItsEnd) {
  InputFolder folder;
  const std::string file = folder.write("a", "longer than it was");
  for (const uint64_t size : {0, 1, 17, 19}) {
    auto text = readSmallFile(file, size);
    ASSERT_TRUE(bool(text));
    EXPECT_EQ((*text)->getBuffer(), "longer than it was") << size;
  }
}
