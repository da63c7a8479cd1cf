#include "run/git.h"
#include "base/failure.h"
#include "input/trusted_programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace warplint {

Expected<std::string> Git::start(ArrayRef<std::string> settings,
                                 ArrayRef<std::string> words) {
  constexpr std::chrono::minutes limit(5);
  const std::string output = "git" + std::to_string(++runs_) + ".txt";
  // Fetching of missing objects is off in the environment (os/scratch).
  std::vector<std::string> command = {programNamed("git"),
                                      "-c",
                                      "core.quotePath=false",
                                      "-c",
                                      "core.safecrlf=false",
                                      "-c",
                                      "core.fsmonitor=false",
                                      "-c",
                                      "core.hooksPath=/dev/null",
                                      "-c",
                                      "safe.bareRepository=explicit"};
  if (command.front().empty())
    return failure("'--diff' needs git, and there is none on the PATH");
  for (const std::string &setting : settings)
    command.insert(command.end(), {"-c", setting});
  append_range(command, words);
  auto exit = scratch_.run(command, folder_, output, limit);
  if (!exit)
    return exit.takeError();
  auto text = MemoryBuffer::getFile(scratch_.path(output));
  if (!text)
    return failure("the output of git cannot be read: " +
                   text.getError().message());
  if (!exit->hasSucceeded())
    return failure((*text)->getBuffer().split('\n').first);
  return (*text)->getBuffer().str();
}

/// The settings that leave out the programs of the filters that the repository's
/// own configuration has. Those of the user's configuration stay.
Expected<std::vector<std::string>> Git::settingsOfFilters() {
  std::vector<std::string> settings;
  auto named = start({}, {"config", "--show-scope", "--name-only",
                          "--get-regexp", "^filter\\."});
  if (!named) {
    const std::string message = toString(named.takeError());
    if (message.empty()) // there is none
      return settings;
    return failure(message);
  }
  for (StringRef line : split(*named, '\n')) {
    auto [scope, key] = line.split('\t');
    if (scope != "local" && scope != "worktree")
      continue;
    const StringRef filter = key.rsplit('.').first;
    // git's '-c' takes what stands before the first '=' for the name.
    if (filter.contains('='))
      return failure("the filter '" + filter +
                     "' of the repository cannot be left out");
    for (const char *program : {".clean=", ".smudge=", ".process="})
      settings.push_back((filter + program).str());
    settings.push_back((filter + ".required=false").str());
  }
  return settings;
}

Expected<std::string> Git::run(const std::vector<std::string> &words) {
  if (!filters_) {
    auto settings = settingsOfFilters();
    if (!settings)
      return settings.takeError();
    filters_ = std::move(*settings);
  }
  return start(*filters_, words);
}

Expected<std::string> Git::line(const std::vector<std::string> &words) {
  auto text = run(words);
  if (!text)
    return text.takeError();
  return StringRef(*text).split('\n').first.str();
}

} // namespace warplint
