// What Clang finds under a path.
#include "source/clang_files.h"
#include "source/recording_files.h"
#include "source/shim.h"
#include "source_on_disk.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;
using testing::Not;

static std::string textOf(FileSystem files, const std::string &path) {
  auto text = files->getBufferForFile(path);
  return text ? (*text)->getBuffer().str() : "";
}

TEST(ClangFiles, WhatIsChangedStandsBeforeTheEditorsTextAndTheDisk) {
  SourceOnDisk source("disk");
  auto k = [&](const Buffers &changed) {
    return textOf(
        filesForClang(source.request, diskFor(source.request), changed, {}),
        source.command.source);
  };
  EXPECT_EQ(k({}), "disk");
  source.buffers[source.command.source] = "editor";
  EXPECT_EQ(k({}), "editor");
  EXPECT_EQ(k({{source.command.source, "changed"}}), "changed");
}

TEST(ClangFiles, OurHeadersAndTextsAreOnNoDisk) {
  const SourceOnDisk source("");
  const FileSystem files = filesForClang(
      source.request, diskFor(source.request), {}, {{"/none/a.h", "ours"}});
  EXPECT_EQ(textOf(files, "/none/a.h"), "ours");
  EXPECT_FALSE(diskFor(source.request)->exists("/none/a.h"));
  ASSERT_FALSE(shimFiles().empty());
  EXPECT_NE(textOf(files, shimFiles()[0].path.str()), "");
}

// A name is relative to the folder where the command runs, not to ours.
TEST(ClangFiles, TheCommandsFolderIsTheWorkingFolder) {
  const SourceOnDisk source("disk");
  EXPECT_EQ(
      textOf(filesForClang(source.request, diskFor(source.request), {}, {}),
             "k.cu"),
      "disk");
}

// Else a change of the file would not have the source read again.
TEST(ClangFiles, AFileThatIsReplacedIsAskedFor) {
  const SourceOnDisk source("disk");
  auto disk =
      llvm::makeIntrusiveRefCnt<RecordingFiles>(diskFor(source.request));
  filesForClang(source.request, disk, {{source.path("a.h"), ""}},
                {{"/none/b.h", ""}});
  EXPECT_THAT(disk->asked(), Contains(source.path("a.h")));
  EXPECT_THAT(disk->asked(), Not(Contains("/none/b.h")));
}
