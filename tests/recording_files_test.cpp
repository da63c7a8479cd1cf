// The files that a source asked for: a header that appears later, before the
// one that was read, must make a cached result a miss.
#include "input_folder.h"
#include "source/recording_files.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;
using testing::Not;

TEST(RecordingFiles, MissingFilesAreRecorded) {
  InputFolder folder;
  folder.write("second/a.h");
  auto disk = llvm::vfs::createPhysicalFileSystem();
  disk->setCurrentWorkingDirectory(folder.path);
  RecordingFiles files(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(disk.release()));
  EXPECT_FALSE(files.status("first/a.h"));
  EXPECT_TRUE(bool(files.openFileForRead(folder / "second/a.h")));
  EXPECT_THAT(files.asked(), Contains(folder / "first/a.h"));
  EXPECT_THAT(files.asked(), Contains(folder / "second/a.h"));
  EXPECT_THAT(files.asked(), Not(Contains(folder / "third/a.h")));
}
