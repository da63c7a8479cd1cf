#include "run/early_compile.h"
#include "os/workers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"

namespace warplint {

/// Limits the bytes of PTX that wait to be taken: the PTX of a thousand sources
/// would exhaust memory.
constexpr size_t mostHeld = 256 << 20;

static size_t sizeOf(const Compiled &compiled) {
  size_t size = 0;
  for (const CompiledUnit &unit : compiled.units)
    size += unit.ptx.size();
  return size;
}

EarlyCompiles::~EarlyCompiles() {
  stop();
  wait();
}

void EarlyCompiles::wait() {
  for (llvm::thread &thread : threads_)
    thread.join();
  threads_.clear();
}

void EarlyCompiles::add(size_t source, bool isLikely) {
  std::lock_guard<std::mutex> lock(mutex_);
  sources_[source].mayBegin = isLikely;
  order_.push_back(source);
}

void EarlyCompiles::wasRead(size_t source, bool isWanted,
                            const std::string &key) {
  std::lock_guard<std::mutex> lock(mutex_);
  Source &read = sources_.at(source);
  read.isRead = true;
  read.mayBegin = isWanted;
  read.keyPromise.set_value(key);
}

void EarlyCompiles::stop() {
  std::lock_guard<std::mutex> lock(mutex_);
  order_.clear();
}

/// Prefers sources that certainly have to be compiled.
std::optional<size_t> EarlyCompiles::next() {
  if (held_ > mostHeld)
    return std::nullopt;
  auto chosen = order_.end();
  for (auto at = order_.begin(); at != order_.end(); ++at) {
    const Source &source = sources_.at(*at);
    if (source.mayBegin && (source.isRead || chosen == order_.end()))
      chosen = at;
    if (source.mayBegin && source.isRead)
      break;
  }
  if (chosen == order_.end())
    return std::nullopt;
  const size_t source = *chosen;
  order_.erase(chosen);
  sources_.at(source).compiled =
      sources_.at(source).compiledPromise.get_future();
  return source;
}

void EarlyCompiles::use(unsigned processors) {
  std::unique_lock<std::mutex> lock(mutex_);
  llvm::CrashRecoveryContext::Enable();
  for (; working_ < processors; ++working_) {
    std::optional<size_t> first = next();
    if (!first)
      return;
    threads_.emplace_back(std::optional<unsigned>(deepStackBytes),
                          [this, source = *first] { work(source); });
  }
}

void EarlyCompiles::work(size_t source) {
  for (std::optional<size_t> left = source; left;) {
    Source *one = nullptr;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      one = &sources_.at(*left); // entries of a map do not move
    }
    Compiled compiled;
    llvm::CrashRecoveryContext recovery;
    if (!recovery.RunSafely([&] { compiled = compile_(*left, one->key); })) {
      compiled = {};
      compiled.whyNot = "reading what nvcc made of it ended in a crash";
      compiled.endedByChance = true;
    }
    const size_t size = sizeOf(compiled);
    one->compiledPromise.set_value(std::move(compiled));
    std::lock_guard<std::mutex> lock(mutex_);
    held_ += size;
    left = next();
    working_ -= !left;
  }
}

bool EarlyCompiles::hasBegun(size_t source) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto found = sources_.find(source);
  return found != sources_.end() && found->second.compiled.valid();
}

std::optional<Compiled> EarlyCompiles::take(size_t source) {
  return hasBegun(source) ? std::optional(sources_.at(source).compiled.get())
                          : std::nullopt;
}

} // namespace warplint
