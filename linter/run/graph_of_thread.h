// Include graphs for several threads: each has its own, so a scan by one makes
// no other wait.
#pragma once
#include "input/include_graph.h"
#include <map>
#include <mutex>
#include <thread>

namespace warplint {

class GraphOfThread {
public:
  /// As for IncludeGraph; `wasRead` is called from any thread.
  GraphOfThread(const Buffers &buffers, WasRead wasRead)
      : buffers_(buffers), wasRead_(std::move(wasRead)) {}

  IncludeGraph &get() {
    std::lock_guard<std::mutex> lock(mutex_);
    return graphs_.try_emplace(std::this_thread::get_id(), buffers_, wasRead_)
        .first->second;
  }

private:
  const Buffers &buffers_;
  const WasRead wasRead_;
  std::mutex mutex_; ///< of what follows
  std::map<std::thread::id, IncludeGraph> graphs_;
};

} // namespace warplint
