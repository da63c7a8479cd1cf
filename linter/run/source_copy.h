// A source with other text in some files, linted without touching them.
#pragma once
#include "machine/compiled.h"
#include "os/scratch.h"
#include "report/resources/resources.h"
#include "run/batch.h"
#include <map>

namespace warplint {

/// The result of linting a copy. Places are in the original files.
struct CopyResult {
  std::string whyNot;            ///< why it did not compile; else empty
  std::vector<Finding> findings; ///< judged
  std::vector<Kernel> kernels;
  Compiled compiled;
  ResourceReport resources;
};

/// Copies of sources in a folder of their own.
class SourceCopies {
public:
  static llvm::Expected<SourceCopies> create();

  /// Lints a source of the batch with its own command. `texts`: by file; the
  /// other files of the user are as they are on disk. Caches nothing.
  CopyResult lint(const Batch &batch, size_t source, const Options &options,
                  const std::map<std::string, std::string> &texts);

private:
  explicit SourceCopies(Scratch scratch) : scratch_(std::move(scratch)) {}
  std::string copyOf(llvm::StringRef path) const;
  llvm::Error write(const Work &work,
                    const std::map<std::string, std::string> &texts);
  Work copyOf(const Work &work) const;
  void backToOriginals(std::vector<Finding> &findings) const;

  Scratch scratch_;
};

} // namespace warplint
