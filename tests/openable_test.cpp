// Paths that are no file to read: each is named, with what is wrong with it.
#include "program_runs.h"
#include "run/openable.h"
#include <sys/stat.h>

using namespace warplint;

namespace {

TEST(Openable, APipeOrDeviceIsNotReadForEver) {
  InputFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe.cu").c_str(), 0600), 0);
  for (const std::string &path :
       {folder / "pipe.cu", std::string("/dev/zero")}) {
    Outcome outcome = checkOnly(path);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "warplint: '" + path + "' is neither a file nor a folder\n");
  }
}

TEST(Openable, ADanglingLinkIsNamed) {
  InputFolder folder;
  std::string link = folder / "a.cu";
  llvm::sys::fs::create_link(folder / "gone.cu", link);
  Outcome outcome = checkOnly(link);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "warplint: '" + link + "' is a link to nothing\n");
}

// Shards of 10,000 sources had a note on it that a single run has not.
TEST(Openable, NothingIsSaidOfAPlaceWithoutAFile) {
  SourceOutcome source;
  source.outline.kernels.emplace_back().lines[""] = {1};
  Openable openable({});
  openable.add(source);
  std::vector<std::string> notes;
  openable.addNote(notes);
  EXPECT_TRUE(notes.empty()) << notes.front();
  EXPECT_TRUE(source.outline.userFiles.empty());
}

} // namespace
