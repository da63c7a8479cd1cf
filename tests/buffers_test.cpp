#include "input/buffers.h"
#include "input_folder.h"
#include <gtest/gtest.h>

using namespace warplint;

// An editor's unsaved text is what the user looks at.
TEST(BuffersOfAnEditor, UnsavedTextIsReadBeforeTheFile) {
  InputFolder folder;
  const std::string file = folder.write("a.cu", "saved");
  const Buffers buffers = {{file, "typed"}};
  ASSERT_TRUE(readText(file, buffers));
  EXPECT_EQ(readText(file, buffers)->getBuffer(), "typed");
  EXPECT_EQ(readText(file, {})->getBuffer(), "saved");
}

TEST(BuffersOfAnEditor, AFileNeedNotBeOnDisk) {
  const Buffers buffers = {{"/none/a.cu", "typed"}};
  EXPECT_EQ(readText("/none/a.cu", buffers)->getBuffer(), "typed");
  EXPECT_FALSE(readText("/none/b.cu", buffers));
}

// To open a pipe or a folder would wait for ever, or crash.
TEST(BuffersOfAnEditor, AFolderIsNoText) {
  InputFolder folder;
  EXPECT_FALSE(readText(folder.path, {}));
}
