#include "os/workers.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/thread.h"
#include <atomic>
#include <thread>
#include <vector>

namespace warplint {

void forEachInParallel(size_t count, unsigned threads,
                       std::function<void(size_t)> work,
                       std::function<void(size_t)> crashed) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min<size_t>(threads, count);
  llvm::CrashRecoveryContext::Enable();
  std::atomic<size_t> next = 0;
  auto run = [&] {
    for (size_t i; (i = next++) < count;) {
      llvm::CrashRecoveryContext recovery;
      if (!recovery.RunSafely([&] { work(i); }))
        crashed(i);
    }
  };
  std::vector<llvm::thread> pool;
  for (unsigned i = 0; i < threads; ++i)
    pool.emplace_back(std::optional<unsigned>(deepStackBytes), run);
  for (llvm::thread &thread : pool)
    thread.join();
}

} // namespace warplint
