// The folder of a file, which decides what a relative name in it means.
#include "base/folders.h"
#include "input_folder.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(Folders, TheCurrentFolderIsAbsolute) {
  EXPECT_EQ(currentFolder(), std::filesystem::current_path());
}

// A baseline or a report may be named before it exists.
TEST(Folders, AFileNeedNotExistToHaveAFolder) {
  EXPECT_EQ(folderOf("/none/at/all.json"), "/none/at");
  EXPECT_EQ(folderOf("/all.json"), "/");
}

TEST(Folders, ARelativeFileIsInTheCurrentFolder) {
  EXPECT_EQ(folderOf("report.json"), currentFolder());
  EXPECT_EQ(folderOf("./out/../report.json"), currentFolder());
  EXPECT_EQ(folderOf("out/report.json"), currentFolder() + "/out");
}

TEST(Folders, WhatPythonInstalledIsKnownByItsPath) {
  EXPECT_TRUE(isInstalledForPython("/v/lib/python3/site-packages/torch/a.h"));
  EXPECT_TRUE(isInstalledForPython("/usr/lib/python3/dist-packages"));
  EXPECT_FALSE(isInstalledForPython("/v/my-site-packages/a.h"));
}
