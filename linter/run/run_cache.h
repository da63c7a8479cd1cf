// Results of earlier runs. The key of a record contains the contents of every
// file that it was made from, and of this program, so a record that is found is
// right, whichever machine wrote it.
#pragma once
#include "cache/file_lists.h"
#include "cache/store.h"
#include "input/written_calls.h"
#include "run/batch.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace warplint {

/// What the answer of the child process that reads a source says of the model.
struct ReadEnd {
  std::string key; ///< of the model in the cache; empty if it is not there
  uint64_t milliseconds = 0; ///< that reading took
};

/// The answer of that process. Its record is that of the model, which is the
/// cache's as well, and then that of the end.
struct ReadResult {
  SourceModel model;
  ReadEnd end;
};

/// The cache's record for a command: what the source depended on when it was
/// last read, and its outline.
struct CachedRead {
  std::string system;           ///< key of a list of files, shared by sources
  std::vector<std::string> own; ///< files
  std::optional<std::string> libraries; ///< as SourceModel's
  std::string key; ///< of the model: covers the contents of all these
  SourceOutline outline;
};

/// Thread-safe.
class RunCache {
public:
  /// `instrument`: the name of the one that observes the sources, or empty.
  RunCache(const Options &options, const std::string &resourceDir,
           llvm::StringRef instrument = "");

  bool isOn() const { return store_.isEnabled() && !program_.empty(); }
  const std::shared_ptr<FileLists> &lists() const { return lists_; }

  struct CachedOutline {
    /// The key of the model. Empty if the source was never read with these
    /// flags, or if one of its files changed during this run.
    std::string key;
    std::optional<SourceOutline> outline;
  };
  /// The outline of a source as its files are now.
  CachedOutline outline(const Work &work);
  std::optional<SourceModel> model(llvm::StringRef key) const;
  /// Returns the key of the model; empty if it cannot be stored. `asked`: that
  /// of the model, which itself need not have it. `record`: of the model.
  std::string store(const Work &work, const SourceModel &model,
                    llvm::StringRef record, llvm::ArrayRef<std::string> asked);

  /// The last modification of the files that a source was read from, as they
  /// are now; nothing if they are not known.
  std::optional<llvm::sys::TimePoint<>> newestRead(const Work &work);

  /// A key of everything that the findings of a source depend on. `elsewhere`:
  /// launches of its kernels in other sources. `asBuilt`: findings are judged
  /// by the build's own compile. Empty if the findings cannot be stored.
  std::string lintedKey(const Work &work, llvm::ArrayRef<Launch> elsewhere,
                        bool asBuilt);
  std::optional<Linted> linted(llvm::StringRef key) const;
  void store(llvm::StringRef key, const Linted &linted) const;

  /// A key of the functions in `asked` and of the files that may call them.
  /// Empty if the calls cannot be stored.
  std::string callsKey(llvm::ArrayRef<std::string> files,
                       const CallsByFunction &asked) const;
  std::optional<CallsByFunction> calls(llvm::StringRef key) const;
  void store(llvm::StringRef key, const CallsByFunction &calls) const;

private:
  std::string commandKey(const Work &work);
  /// `look`: Again once the source has been read.
  std::string keyOf(const Work &work, llvm::StringRef command,
                    const CachedRead &read, FileStates::Look look);
  std::string precompiledHeaderOf(const Work &work,
                                  const std::string &libraries);
  bool addCompiled(const Work &work, Key &key);

  const CompileOptions compiling_;
  const std::string resourceDir_, instrument_;
  const Store store_;
  const std::shared_ptr<FileLists> lists_;
  std::string program_; ///< hash of this program and its environment
  /// Hash of the one on PATH, for toolkits that have none beside nvcc; empty if
  /// there is none, or if nothing is judged.
  std::string nvdisasm_;
  std::mutex mutex_;                                ///< guards the member below
  llvm::StringMap<std::string> precompiledHeaders_; ///< by flags
};

} // namespace warplint
