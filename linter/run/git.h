// Runs git in a repository that may be hostile: none of the programs that its
// configuration names is started, and nothing is fetched.
#pragma once
#include "os/scratch.h"
#include <optional>

namespace warplint {

class Git {
public:
  /// Commands run in `folder`, whose repository is the one meant.
  Git(Scratch &scratch, std::string folder)
      : scratch_(scratch), folder_(std::move(folder)) {}

  /// Runs git with these words; returns what it prints, or its error message.
  llvm::Expected<std::string> run(const std::vector<std::string> &words);

  /// Returns the first line that git prints.
  llvm::Expected<std::string> line(const std::vector<std::string> &words);

private:
  llvm::Expected<std::string> start(llvm::ArrayRef<std::string> settings,
                                    llvm::ArrayRef<std::string> words);
  llvm::Expected<std::vector<std::string>> settingsOfFilters();

  Scratch &scratch_;
  std::string folder_;
  /// The settings that replace the repository's filters; none before the first
  /// run.
  std::optional<std::vector<std::string>> filters_;
  unsigned runs_ = 0; ///< each run writes its own file
};

} // namespace warplint
