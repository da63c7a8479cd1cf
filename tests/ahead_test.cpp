#include "run/ahead.h"
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace warplint;
using testing::ElementsAre;

namespace {

/// Records the compiled sources and their keys.
class Compiler {
public:
  Compiled operator()(size_t source,
                      const std::shared_future<std::string> &key) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      begun_.push_back(source);
    }
    Compiled compiled;
    compiled.whyNot = key.get(); // waits
    return compiled;
  }

  std::vector<size_t> begun() {
    std::lock_guard<std::mutex> lock(mutex_);
    return begun_;
  }

private:
  std::mutex mutex_;
  std::vector<size_t> begun_;
};

std::string taken(CompilesAhead &ahead, size_t source) {
  auto compiled = ahead.take(source);
  return compiled ? compiled->whyNot : "not begun";
}

} // namespace

TEST(CompilesAhead, ASourceIsCompiledWhileItIsRead) {
  Compiler compiler;
  CompilesAhead ahead(std::ref(compiler));
  ahead.add(7, /*isLikely=*/true);
  ahead.use(1);
  while (compiler.begun().empty())
    std::this_thread::yield();
  ahead.wasRead(7, /*isWanted=*/true, "key");
  ahead.stop();
  EXPECT_EQ(taken(ahead, 7), "key");
  EXPECT_EQ(taken(ahead, 8), "not begun");
}

TEST(CompilesAhead, ReadSourcesAreCompiledBeforeThoseBeingRead) {
  Compiler compiler;
  CompilesAhead ahead(std::ref(compiler));
  for (size_t source : {0, 1, 2})
    ahead.add(source, /*isLikely=*/true);
  ahead.wasRead(1, /*isWanted=*/true, "one");
  ahead.wasRead(2, /*isWanted=*/false, "two"); // has no kernels after all
  ahead.use(1);
  ahead.wasRead(0, /*isWanted=*/true, "zero");
  while (compiler.begun().size() < 2)
    std::this_thread::yield();
  ahead.stop();
  ahead.wait();
  EXPECT_THAT(compiler.begun(), ElementsAre(1, 0));
  EXPECT_EQ(taken(ahead, 0), "zero");
  EXPECT_EQ(taken(ahead, 2), "not begun");
}

TEST(CompilesAhead, RunsAtMostOneCompilePerIdleProcessor) {
  std::atomic<int> at = 0, most = 0;
  CompilesAhead ahead([&](size_t, const std::shared_future<std::string> &key) {
    const int now = ++at;
    for (int before = most; before < now;)
      if (most.compare_exchange_weak(before, now))
        break;
    key.get();
    --at;
    return Compiled();
  });
  for (size_t source = 0; source < 20; ++source)
    ahead.add(source, /*isLikely=*/true);
  ahead.use(2);
  ahead.use(2);
  while (at < 2)
    std::this_thread::yield();
  for (size_t source = 0; source < 20; ++source)
    ahead.wasRead(source, /*isWanted=*/true, "");
  ahead.use(2);
  while (!ahead.hasBegun(19))
    std::this_thread::yield();
  ahead.stop();
  ahead.wait();
  EXPECT_EQ(most, 2);
}

TEST(CompilesAhead, StartsNothingOnceAllSourcesAreRead) {
  Compiler compiler;
  CompilesAhead ahead(std::ref(compiler));
  ahead.add(0, /*isLikely=*/true);
  ahead.wasRead(0, /*isWanted=*/true, "");
  ahead.stop();
  ahead.use(4);
  EXPECT_FALSE(ahead.hasBegun(0));
}

TEST(CompilesAhead, ACrashAffectsOneSource) {
  CompilesAhead ahead(
      [](size_t source, const std::shared_future<std::string> &) {
        if (source == 0)
          *static_cast<volatile int *>(nullptr) = 0;
        Compiled compiled;
        compiled.whyNot = "fine";
        return compiled;
      });
  for (size_t source : {0, 1}) {
    ahead.add(source, /*isLikely=*/true);
    ahead.wasRead(source, /*isWanted=*/true, "");
  }
  ahead.use(2);
  ahead.stop();
  auto crashed = ahead.take(0);
  ASSERT_TRUE(crashed);
  EXPECT_EQ(crashed->whyNot, "reading what nvcc made of it ended in a crash");
  EXPECT_TRUE(crashed->endedByChance);
  EXPECT_EQ(taken(ahead, 1), "fine");
}

TEST(CompilesAhead, WaitingResultsAreBounded) {
  CompilesAhead ahead([](size_t, const std::shared_future<std::string> &) {
    Compiled compiled;
    compiled.units.emplace_back().ptx.resize(size_t(300) << 20);
    return compiled;
  });
  for (size_t source : {0, 1}) {
    ahead.add(source, /*isLikely=*/true);
    ahead.wasRead(source, /*isWanted=*/true, "");
  }
  ahead.use(1);
  ahead.wait();
  ahead.use(1);
  ahead.stop();
  EXPECT_TRUE(ahead.take(0));
  EXPECT_FALSE(ahead.hasBegun(1));
}
