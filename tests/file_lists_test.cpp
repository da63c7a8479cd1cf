#include "cache/file_lists.h"
#include "input_folder.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>
#include <unistd.h>

using namespace warplint;

// A header that was missing can appear, and be found before the former one.
TEST(FileLists, ChangeWithAnyOfTheirFiles) {
  InputFolder folder;
  const std::string a = folder.write("a", "1"), b = folder / "b";
  const Store store(folder / "kept");
  usleep(15'000);
  auto state = [&](llvm::StringRef list) {
    return FileLists(store).state(list);
  };
  const std::string list = FileLists(store).put({a, b});
  const auto before = state(list);
  EXPECT_TRUE(before);
  EXPECT_EQ(state(list), before);
  folder.write("b", "now it is there");
  usleep(15'000);
  EXPECT_NE(state(list), before);
  EXPECT_FALSE(state("another list"));
}

// Files that stay as they are are not read again, and no other one has their
// state: not even one of the same size, with the former's time.
TEST(FileLists, AFileOfTheSameSizeAndTimeIsAnother) {
  InputFolder folder;
  const std::string a = folder.write("a", "1");
  const Store store(folder / "kept");
  usleep(1'100'000);
  std::vector<std::string> many = {a};
  for (int i = 0; i < 20; ++i)
    many.push_back(folder / ("none" + std::to_string(i)));
  const std::string list = FileLists(store).put(many);
  const auto before = FileLists(store).state(list);
  ASSERT_TRUE(before);
  EXPECT_NE(FileLists(store).statusesOf({a}), "");
  llvm::sys::fs::file_status status;
  ASSERT_FALSE(llvm::sys::fs::status(a, status));
  folder.write("a", "2");
  EXPECT_EQ(FileLists(store).statusesOf({a}), "") << "it has just changed";
  int file;
  ASSERT_FALSE(llvm::sys::fs::openFileForReadWrite(
      a, file, llvm::sys::fs::CD_OpenExisting, llvm::sys::fs::OF_None));
  ASSERT_FALSE(llvm::sys::fs::setLastAccessAndModificationTime(
      file, status.getLastModificationTime()));
  close(file);
  usleep(1'100'000);
  const auto after = FileLists(store).state(list);
  ASSERT_TRUE(after);
  EXPECT_NE(after, before);
  EXPECT_EQ(FileLists(store).state(list), after);
}

TEST(FileLists, ANotedListHasTheStateOfItsFiles) {
  InputFolder folder;
  const std::string a = folder.write("a", "1");
  const Store store(folder / "cache");
  usleep(15'000);
  FileLists lists(store);
  EXPECT_EQ(lists.stateOfNoted("key"), "") << "no list was noted";
  lists.note("key", {a});
  const auto before = FileLists(store).stateOfNoted("key");
  EXPECT_EQ(before, lists.stateOfAll({a}));
  folder.write("a", "2");
  usleep(15'000);
  EXPECT_NE(FileLists(store).stateOfNoted("key"), before);
}

// The stored hash saves reading nvcc's 30 MB; a new nvcc must not have it.
TEST(FileLists, AProgramOfAnotherSizeHasAnotherState) {
  InputFolder folder;
  const std::string program = folder.write("nvcc", std::string(2 << 20, 'x'));
  const Store store(folder / "cache");
  usleep(15'000);
  const std::string before = FileLists(store).stateOf(program);
  EXPECT_FALSE(before.empty());
  EXPECT_EQ(FileLists(store).stateOf(program), before);
  folder.write("nvcc", std::string((2 << 20) + 1, 'x'));
  usleep(15'000);
  EXPECT_NE(FileLists(store).stateOf(program), before);
}
