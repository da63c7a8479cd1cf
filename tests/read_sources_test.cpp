// Sources of a run are read side by side: none is lost, and their order does
// not matter.
#include "program_runs.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

TEST(ReadSources, ThreadsAndPathOrderDoNotChangeTheReport) {
  InputFolder folder;
  std::string a = folder.write("a.cu", strided),
              b = folder.write("b.cu", clean),
              c = folder.write("c.cu", std::string(strided) + "oops\n");
  std::string first =
      runProgram({"check", "--no-judge", "-j", "1", a, b, c}).out;
  EXPECT_THAT(first, HasSubstr("2 warnings"));
  EXPECT_EQ(runProgram({"check", "--no-judge", "-j4", a, b, c}).out, first);
  EXPECT_EQ(runProgram({"check", "--no-judge", "-j4", c, a, b, a}).out, first);
  EXPECT_EQ(runProgram({"check", "--no-judge", folder.path}).out, first);
}

// Each source costs a parse of CUDA's headers: some dozens are enough to meet
// all threads and several folders.
TEST(ReadSources, EverySourceOfALargeTreeIsRead) {
  InputFolder folder;
  for (unsigned i = 0; i < 24; ++i)
    folder.write("part" + std::to_string(i % 7) + "/" + std::to_string(i) +
                     ".cu",
                 i % 8 == 0 ? strided : clean);
  Outcome outcome = checkOnly(folder.path);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\n3 warnings (unjudged: not compiled "
                                     "(--no-judge))\n"));
}

} // namespace
