// What earlier runs have found out of the sources of this one. A record's key
// holds the contents of every file that it was made from, and of this program,
// so a record that is found is right, whoever made it and whenever.
#pragma once
#include "cache/file_lists.h"
#include "cache/store.h"
#include "run/batch.h"
#include "run/reading.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace warplint {

/// For any number of threads.
class RunCache {
public:
  /// `instrument`: the name of the one that observes the sources, or empty.
  RunCache(const Options &options, const std::string &resourceDir,
           llvm::StringRef instrument = "");

  bool keeps() const { return store_.isEnabled() && !program_.empty(); }
  const std::shared_ptr<FileLists> &lists() const { return lists_; }

  /// What is known of reading a source as it is now.
  struct Known {
    /// A name for all that it depends on; empty if it never was read with these
    /// flags, or one of its files was changed while this run was under way.
    std::string key;
    std::optional<Outline> outline;
  };
  Known reading(const Work &work);
  std::optional<SourceModel> model(llvm::StringRef readingKey) const;
  /// Returns the key that it is kept under; empty if it cannot be.
  std::string keep(const Work &work, const SourceModel &model);

  /// A name for what linting a source depends on beside this. `elsewhere`: the
  /// launches of its kernels in other ones. `asBuilt`: a build's own compile
  /// counts.
  std::string lintedKey(const Work &work, llvm::ArrayRef<Launch> elsewhere,
                        bool asBuilt);
  std::optional<Linted> linted(llvm::StringRef key) const;
  void keep(llvm::StringRef key, const Linted &linted) const;

private:
  std::string commandKey(const Work &work);
  std::string keyOf(const Work &work, llvm::StringRef command,
                    const LastReading &last);
  std::string precompiledHeaderOf(const Work &work,
                                  const std::string &libraries);
  bool addCompiled(const Work &work, Key &key);

  const Options &options_;
  const std::string resourceDir_, instrument_;
  const Store store_;
  const std::shared_ptr<FileLists> lists_;
  std::string program_; ///< this one, by its contents, and its environment
  std::mutex mutex_;    ///< of what follows
  llvm::StringMap<std::string> precompiledHeaders_; ///< in use, by flags
};

} // namespace warplint
