// The reports of a build to one.
#include "tests/launcher.h"
#include <gmock/gmock.h>

using namespace testing;

namespace warplint {
namespace {

using Collect = LauncherTest;

TEST_F(Collect, SaysOnceWhatManySourcesSee) {
  writeFile(path("k.h"), strided);
  for (const char *name : {"a", "b", "c"})
    writeFile(path(std::string(name) + ".cu"), "#include \"k.h\"\n");
  stub("touch $4");
  Outcome run = shell(
      "for s in a b c; do wrap --compile=never -- nvcc -c $s.cu -o $s.o 2> "
      "$s.err; done; rm c.o; \"$warplint\" collect .");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("1 warning"));
  EXPECT_THAT(run.out, HasSubstr("1 report is left out: its object is gone: "));
  EXPECT_THAT(readFile(path("a.err")), HasSubstr("k.h:4:12: warning"));
  EXPECT_THAT(readFile(path("b.err")), HasSubstr("k.h:4:12: warning"));
  // An object that a build without warplint made is no longer what was linted.
  run = shell("sleep 0.1; touch b.o; \"$warplint\" collect . --format json");
  EXPECT_THAT(run.out, HasSubstr("made without warplint since"));
  writeFile(path("a.o.warplint.json"), "{\"schema\": 1}");
  EXPECT_EQ(shell("\"$warplint\" collect .").code, 3);
  EXPECT_EQ(shell("\"$warplint\" collect tmp").code, 2);
  EXPECT_EQ(shell("\"$warplint\" collect none").code, 2);
}

} // namespace
} // namespace warplint
