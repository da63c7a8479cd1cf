#include "run/early_compile.h"
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace warplint;
using testing::ElementsAre;

namespace {

/// Records the sources that are compiled; returns the key as the reason.
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

std::string taken(EarlyCompiles &early, size_t source) {
  auto compiled = early.take(source);
  return compiled ? compiled->whyNot : "not begun";
}

} // namespace

TEST(EarlyCompiles, CompilesASourceWhileItIsRead) {
  Compiler compiler;
  EarlyCompiles early(std::ref(compiler));
  early.add(7, /*isLikely=*/true);
  early.use(1);
  while (compiler.begun().empty())
    std::this_thread::yield();
  early.wasRead(7, /*isWanted=*/true, "key");
  early.stop();
  EXPECT_EQ(taken(early, 7), "key");
  EXPECT_EQ(taken(early, 8), "not begun");
}

TEST(EarlyCompiles, CompilesSourcesThatWereReadFirst) {
  Compiler compiler;
  EarlyCompiles early(std::ref(compiler));
  for (size_t source : {0, 1, 2})
    early.add(source, /*isLikely=*/true);
  early.wasRead(1, /*isWanted=*/true, "one");
  early.wasRead(2, /*isWanted=*/false, "two"); // has no kernels after all
  early.use(1);
  early.wasRead(0, /*isWanted=*/true, "zero");
  while (compiler.begun().size() < 2)
    std::this_thread::yield();
  early.stop();
  early.wait();
  EXPECT_THAT(compiler.begun(), ElementsAre(1, 0));
  EXPECT_EQ(taken(early, 0), "zero");
  EXPECT_EQ(taken(early, 2), "not begun");
}

TEST(EarlyCompiles, RunsNoMoreCompilesThanIdleProcessors) {
  std::atomic<int> at = 0, most = 0;
  EarlyCompiles early([&](size_t, const std::shared_future<std::string> &key) {
    const int now = ++at;
    for (int before = most; before < now;)
      if (most.compare_exchange_weak(before, now))
        break;
    key.get();
    --at;
    return Compiled();
  });
  for (size_t source = 0; source < 20; ++source)
    early.add(source, /*isLikely=*/true);
  early.use(2);
  early.use(2);
  while (at < 2)
    std::this_thread::yield();
  for (size_t source = 0; source < 20; ++source)
    early.wasRead(source, /*isWanted=*/true, "");
  early.use(2);
  while (!early.hasBegun(19))
    std::this_thread::yield();
  early.stop();
  early.wait();
  EXPECT_EQ(most, 2);
}

TEST(EarlyCompiles, StartsNothingAfterStop) {
  Compiler compiler;
  EarlyCompiles early(std::ref(compiler));
  early.add(0, /*isLikely=*/true);
  early.wasRead(0, /*isWanted=*/true, "");
  early.stop();
  early.use(4);
  EXPECT_FALSE(early.hasBegun(0));
}

TEST(EarlyCompiles, ACrashAffectsOneSourceOnly) {
  EarlyCompiles early(
      [](size_t source, const std::shared_future<std::string> &) {
        if (source == 0)
          *static_cast<volatile int *>(nullptr) = 0;
        Compiled compiled;
        compiled.whyNot = "fine";
        return compiled;
      });
  for (size_t source : {0, 1}) {
    early.add(source, /*isLikely=*/true);
    early.wasRead(source, /*isWanted=*/true, "");
  }
  early.use(2);
  early.stop();
  auto crashed = early.take(0);
  ASSERT_TRUE(crashed);
  EXPECT_EQ(crashed->whyNot, "reading what nvcc made of it ended in a crash");
  EXPECT_TRUE(crashed->endedByChance);
  EXPECT_EQ(taken(early, 1), "fine");
}

TEST(EarlyCompiles, LimitsThePtxThatWaits) {
  EarlyCompiles early([](size_t, const std::shared_future<std::string> &) {
    Compiled compiled;
    compiled.units.emplace_back().ptx.resize(size_t(300) << 20);
    return compiled;
  });
  for (size_t source : {0, 1}) {
    early.add(source, /*isLikely=*/true);
    early.wasRead(source, /*isWanted=*/true, "");
  }
  early.use(1);
  early.wait();
  early.use(1);
  early.stop();
  EXPECT_TRUE(early.take(0));
  EXPECT_FALSE(early.hasBegun(1));
}
