#include "source/expected_headers.h"
#include "input/include_graph.h"
#include "source/attempts.h"
#include "source/clang_command.h"
#include "source/header_choice.h"
#include <map>
#include <tuple>

namespace warplint {
namespace {

/// Headers of libraries take as long to precompile as two sources to read them.
constexpr size_t enoughSources = 3;

/// What these have in common is what the others of the project read as well.
constexpr size_t mostLookedAt = 12;

/// The bytes that a source reads for each of the libraries' headers that it
/// includes, and not for one before.
std::vector<HeaderBytes> bytesOfLibraries(const ParseRequest &request,
                                          IncludeGraph &graph) {
  const Command &command = request.command;
  const std::vector<std::string> &flags = request.translation.clang;
  IncludeFolders folders = includeFolders(command.directory, flags);
  folders.forced.clear();
  // Headers of a library take as long as a project's own.
  llvm::append_range(folders.project, std::exchange(folders.system, {}));
  if (request.toolkit) {
    folders.project.push_back(request.toolkit->include);
    if (!request.toolkit->cccl.empty())
      folders.project.push_back(request.toolkit->cccl);
  }
  std::set<std::string> seen;
  auto read = [&](const std::string &name) {
    const std::string file =
        graph.find({Directive::Include, name}, "", folders);
    if (file.empty() || !seen.insert(file).second)
      return uint64_t(0);
    uint64_t bytes = graph.scan(file).bytes;
    graph.follow(
        file, folders, flags, [&](const IncludeGraph::Inclusion &include) {
          if (include.found.empty() || !seen.insert(include.found).second)
            return false;
          bytes += graph.scan(include.found).bytes;
          return true;
        });
    return bytes;
  };
  read("cuda_runtime.h"); // as each source does
  std::vector<HeaderBytes> all;
  for (const std::string &name :
       libraryIncludes(command.source, command.directory, flags, graph))
    if (const uint64_t bytes = read(name))
      all.push_back({name, bytes});
  return all;
}

/// Returns what the source with most of them reads of the libraries that at
/// least half of the sources use.
std::vector<HeaderBytes>
commonLibraries(llvm::ArrayRef<const ParseRequest *> requests) {
  IncludeGraph graph;
  std::vector<std::vector<HeaderBytes>> each;
  std::map<std::string, size_t> users; // by library
  for (const ParseRequest *request : requests) {
    each.push_back(bytesOfLibraries(*request, graph));
    std::set<std::string> libraries;
    for (const HeaderBytes &header : each.back())
      libraries.insert(libraryOf(header.name).str());
    for (const std::string &library : libraries)
      ++users[library];
  }
  std::vector<HeaderBytes> best;
  uint64_t most = 0;
  for (std::vector<HeaderBytes> &headers : each) {
    uint64_t sum = 0;
    llvm::erase_if(headers, [&](const HeaderBytes &header) {
      return users[libraryOf(header.name).str()] * 2 < requests.size();
    });
    for (const HeaderBytes &header : headers)
      sum += header.bytes;
    if (sum > most) {
      best = std::move(headers);
      most = sum;
    }
  }
  return best;
}

} // namespace

void expectHeaders(llvm::ArrayRef<ParseRequest> requests) {
  std::map<std::tuple<std::string, std::string, std::vector<std::string>,
                      std::vector<std::string>>,
           std::vector<const ParseRequest *>>
      groups;
  for (const ParseRequest &request : requests)
    if (!request.translation.forHost)
      groups[{request.command.directory, releaseOf(request).root,
              request.translation.clang, request.translation.architectures}]
          .push_back(&request);
  for (const auto &[key, all] : groups) {
    if (all.size() < enoughSources)
      continue;
    const ParseRequest &first = *all.front();
    const std::vector<std::string> attempt =
        attemptsFor(first.command, first.translation, releaseOf(first))
            .front()
            .flags;
    const HeaderChoice choice(first);
    if (choice.isNew(attempt))
      choice.expect(attempt, commonLibraries(
                                 llvm::ArrayRef(all).take_front(mostLookedAt)));
  }
}

} // namespace warplint
