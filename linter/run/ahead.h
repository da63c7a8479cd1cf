// nvcc's runs that begin while other sources are still being read.
#pragma once
#include "machine/compiled.h"
#include "llvm/Support/thread.h"
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// Where processors have no source left to read, those that were read are
/// compiled, and else those that are being read.
class CompilesAhead {
public:
  /// Runs on any thread. Asking for the key, of what is remembered of the
  /// source, waits until the source has been read.
  using Compile = std::function<Compiled(
      size_t source, const std::shared_future<std::string> &key)>;

  explicit CompilesAhead(Compile compile) : compile_(std::move(compile)) {}
  CompilesAhead(const CompilesAhead &) = delete;
  ~CompilesAhead();

  /// A source that is about to be read. `isLikely`: it looks as if it has to be
  /// compiled.
  void add(size_t source, bool isLikely);
  /// `isWanted`: it has to be compiled. To be said of each that was added.
  void wasRead(size_t source, bool isWanted, const std::string &key);
  /// Works on so many sources at a time, as far as there are some. From the
  /// first call on this process is not to be forked.
  void use(unsigned processors);
  /// Begins nothing more; what was begun goes on.
  void stop();
  /// Until nothing goes on.
  void wait();

  /// Once it was stopped, on any thread.
  bool hasBegun(size_t source);
  /// Waits for what was made of a source; none if it was not begun.
  std::optional<Compiled> take(size_t source);

private:
  struct Source {
    bool mayBegin = false;
    bool isRead = false;
    std::promise<std::string> toldKey;
    std::shared_future<std::string> key = toldKey.get_future().share();
    std::promise<Compiled> toldCompiled;
    std::future<Compiled> compiled; ///< valid once it was begun
  };

  void work(size_t source);
  std::optional<size_t> next();

  const Compile compile_;
  std::vector<llvm::thread> threads_;
  std::mutex mutex_; ///< of what follows
  std::map<size_t, Source> sources_;
  std::vector<size_t> order_; ///< in which they are read
  unsigned working_ = 0;
  size_t held_ = 0; ///< bytes of PTX
};

} // namespace warplint
