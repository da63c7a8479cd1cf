// What a list lacks is said: a source that takes too long or crashes costs its
// own rows alone.
#include "run/each_source.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

class EachSource : public testing::Test {
protected:
  EachSource() {
    for (const char *source : {"/a.cu", "/b.cu", "/c.cu"}) {
      batch.sources.emplace_back();
      batch.sources.back().command.source = source;
    }
    options.output.quiet = true;
  }
  std::vector<std::string>
  list(llvm::function_ref<void(const std::string &, Deadline &)> act) {
    return rowsOfEach<std::string>(
        batch, options, "listing", [&](Work &work, Deadline &deadline) {
          act(work.command.source, deadline);
          return std::vector<std::string>{work.command.source + "1",
                                          work.command.source + "2"};
        });
  }
  const std::string &whyNot(size_t source) {
    return batch.sources[source].model.outline.whyNot;
  }
  Batch batch;
  Options options;
};

TEST_F(EachSource, RowsStandInTheOrderOfTheSources) {
  EXPECT_THAT(
      list([](const std::string &, Deadline &) {}),
      ElementsAre("/a.cu1", "/a.cu2", "/b.cu1", "/b.cu2", "/c.cu1", "/c.cu2"));
}

TEST_F(EachSource, ASourceBeyondTheLimitHasNoRows) {
  options.limits.timeout = std::chrono::milliseconds(1000);
  batch.sources[1].readFor = std::chrono::milliseconds(2000);
  batch.sources[2].readFor = std::chrono::milliseconds(2000);
  EXPECT_THAT(list([](const std::string &source, Deadline &deadline) {
                if (source == "/c.cu") // as a program of 10 seconds
                  deadline.extend(std::chrono::seconds(10));
              }),
              ElementsAre("/a.cu1", "/a.cu2", "/c.cu1", "/c.cu2"));
  EXPECT_EQ(whyNot(0), "");
  EXPECT_EQ(whyNot(1), "listing it took longer than 1 second");
  EXPECT_EQ(whyNot(2), "");
}

TEST_F(EachSource, ASourceThatCrashesHasNoRows) {
  EXPECT_THAT(list([](const std::string &source, Deadline &) {
                if (source == "/b.cu")
                  __builtin_trap();
              }),
              ElementsAre("/a.cu1", "/a.cu2", "/c.cu1", "/c.cu2"));
  EXPECT_EQ(whyNot(1), "listing it ended in a crash");
}

} // namespace
