// Tests which files are a project's, so that their lines may be shown.
#include "input/files_below.h"
#include "input_folder.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>
#include <sys/stat.h>

using namespace warplint;

TEST(FilesBelow, LinksOutOfTheFoldersAreSeenThrough) {
  InputFolder project, other, outside;
  FilesBelow files({project.path, other.path});
  EXPECT_TRUE(files.allow(project.write("a.cu")));
  EXPECT_TRUE(files.allow(other.write("sub/a.cu")));
  const std::string secret = outside.write("key");
  EXPECT_FALSE(files.allow(secret));
  llvm::sys::fs::create_link(secret, project / "link");
  EXPECT_FALSE(files.allow(project / "link"));
  EXPECT_FALSE(files.allow(
      project /
      ("../" + llvm::sys::path::filename(outside.path) + "/key").str()));
}

TEST(FilesBelow, WhatIsNoFileHasNoLinesToShow) {
  InputFolder project;
  FilesBelow files({project.path});
  EXPECT_TRUE(files.allow("/none/such"));
  EXPECT_FALSE(files.allow("/dev/null"));
  EXPECT_FALSE(files.allow(project.path));
  ASSERT_EQ(mkfifo((project / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(files.allow(project / "pipe"));
}

TEST(FilesBelow, AllOfADiskIsNoProject) {
  InputFolder outside;
  EXPECT_FALSE(FilesBelow({"/"}).allow(outside.write("key")));
}

// A link may lead out of the project, or in a circle.
TEST(FilesBelow, AreVisitedWithoutLinksAndHiddenFolders) {
  InputFolder folder;
  folder.write("a.c");
  folder.write("b/c.cpp");
  folder.write(".hidden/d.c");
  std::filesystem::create_directory_symlink(folder.path, folder / "b/link");
  std::vector<std::string> seen;
  EXPECT_TRUE(forEachFileBelow(folder.path, [&](const auto &file) {
    seen.push_back(llvm::sys::path::filename(file.path()).str());
  }));
  llvm::sort(seen);
  EXPECT_THAT(seen, testing::ElementsAre("a.c", "c.cpp"));
  EXPECT_FALSE(forEachFileBelow(folder / "none", [](const auto &) {}));
}

// What is searched for callers and headers: neither a disk nor a home.
TEST(FilesBelow, TheProjectAroundASourceIsTheNearestThatIsKnown) {
  InputFolder folder;
  Command command;
  command.source = folder.write("lib/src/a.cu");
  command.directory = folder / "lib";
  EXPECT_EQ(projectAround(command), folder.path) << "the repository";
  std::filesystem::remove_all(folder / ".git");
  EXPECT_EQ(projectAround(command), folder / "lib") << "where it is run";
  command.directory = "/";
  EXPECT_EQ(projectAround(command), folder / "lib/src");
  command.directory = folder / "other";
  EXPECT_EQ(projectAround(command), folder / "lib/src");
  command.folder = folder.path;
  EXPECT_EQ(projectAround(command), folder.path) << "what was named";
  command.project = folder / "build";
  EXPECT_EQ(projectAround(command), folder / "build");
}

// Else all repositories of the working directory are searched, and where they
// have too many files, none is.
TEST(FilesBelow, TheProjectOfASourceAtTheTopOfARepositoryIsThatRepository) {
  InputFolder folder;
  Command command;
  command.source = folder.write("repository/a.cu");
  folder.write("repository/.git/HEAD");
  std::filesystem::remove_all(folder / ".git");
  command.directory = folder.path;
  EXPECT_EQ(projectAround(command), folder / "repository");
}
