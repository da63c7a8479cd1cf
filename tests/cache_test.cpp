// `warplint cache`: how much there is, and how it goes.
#include "input_folder.h"
#include "program.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class CacheCommand : public testing::Test {
protected:
  Outcome run(std::vector<std::string> more = {}) {
    Environment cache("WARPLINT_CACHE_DIR", (folder / "cache").c_str());
    more.insert(more.begin(), "cache");
    return runProgram(more);
  }
  InputFolder folder;
};

TEST_F(CacheCommand, SaysHowMuchThereIsAndWhere) {
  EXPECT_EQ(run().out, "0 files, 0.0 bytes, in '" + (folder / "cache") + "'\n");
  EXPECT_EQ(run().code, 0);
}

TEST_F(CacheCommand, ClearingLeavesNoRecord) {
  const std::string source =
      folder.write("a.cu", "__global__ void k(float *a) { a[0] = 1; }\n");
  {
    Environment cache("WARPLINT_CACHE_DIR", (folder / "cache").c_str());
    runProgram({"check", "--no-judge", source});
  }
  const std::string before = run().out;
  EXPECT_NE(before.substr(0, 2), "0 ") << before;
  const Outcome cleared = run({"--clear"});
  EXPECT_EQ(cleared.code, 0);
  EXPECT_EQ(cleared.out.substr(0, 8), "removed ");
  EXPECT_NE(cleared.out.find(", from '" + (folder / "cache")),
            std::string::npos)
      << cleared.out;
  EXPECT_EQ(run().out.substr(0, 8), "0 files,") << run().out;
}

// "0 files" hid that nothing can be kept there, and each run began anew.
TEST_F(CacheCommand, AFolderThatCannotBeUsedIsNamed) {
  const std::string source = folder.write("a.cu", "int a;\n");
  folder.write("cache", "");
  EXPECT_EQ(run().err, "warplint: the cache folder '" + (folder / "cache") +
                           "' cannot be used: Not a directory\n");
  EXPECT_EQ(run().code, 2);
  Environment cache("WARPLINT_CACHE_DIR", (folder / "cache").c_str());
  const Outcome checked = runProgram({"check", "--no-judge", source});
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(checked.err, "warplint: nothing is kept for the next run, since "
                         "the cache folder '" +
                             (folder / "cache") +
                             "' cannot be used: Not a directory\n");
  EXPECT_EQ(runProgram({"check", "--no-judge", "-q", source}).err, "");
  EXPECT_EQ(runProgram({"check", "--no-judge", "--no-cache", source}).err, "");
}

} // namespace
