#include "source/header_choice.h"
#include "source/clang_command.h"
#include "source/precompile.h"
#include "source/shim.h"
#include "version.h"
#include "clang/Basic/Version.h"

namespace warplint {

/// The standard headers that host code begins with, added to what is included
/// before every source. Clang takes as long for two of them as for the whole
/// source of a small kernel.
static constexpr const char *precompiledSource =
    "/warplint-shim/precompiled_header.cu";
static constexpr const char *precompiledText = R"(
#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>
)";

static TextForClang textOf(const std::string &libraries) {
  return {precompiledSource, precompiledText + libraries};
}

std::string versionOfHeader(const std::string &libraries) {
  std::string version = WARPLINT_VERSION " " CLANG_VERSION_STRING;
  for (const ShimFile &file : shimFiles())
    version += file.text;
  version += precompiledText + libraries;
  version += "7"; // raised when it is made in another way
  return version;
}

ParsedBefore continuing(const std::string &file, const std::string &libraries) {
  ParsedBefore before;
  before.header = file;
  before.libraries = libraries;
  before.texts = {textOf(libraries)};
  return before;
}

/// Returns true if a precompiled header depends on one of `names`.
static bool holdsAny(const Store &kept, llvm::StringRef file,
                     std::vector<std::string> names) {
  const size_t count = names.size();
  return notInPrecompiledHeader(kept, file, std::move(names)).size() < count;
}

bool mayBeChanged(const ParseRequest &request, const ParsedBefore &header,
                  const std::set<std::string> &macros) {
  return holdsAny(request.kept, header.header, {macros.begin(), macros.end()});
}

std::vector<UsableHeader>
HeaderChoice::usable(const std::vector<std::string> &attempt, bool mayMake) {
  if (!request_.kept.isEnabled() || limit_ == Limit::None)
    return {};
  std::vector<UsableHeader> all;
  const PrecompiledHeaderRequest request = headerRequest(attempt, "");
  const bool isMade = !find(request, "", /*mayMake=*/false).empty();
  const std::string base =
      find(request, "", mayMake && (isMade || isWorthPrecompiling(attempt)));
  if (base.empty())
    return {};
  HeaderNames libraries = librariesBehind(base);
  if (!libraries.empty())
    if (auto header = withLibraries(attempt, libraries, mayMake))
      all.push_back(std::move(*header));
  all.push_back({continuing(base, ""), std::move(libraries)});
  return all;
}

static HeaderNames without(HeaderNames names, const HeaderNames &others) {
  llvm::erase_if(names, [&](const std::string &name) {
    return llvm::is_contained(others, name);
  });
  return names;
}

/// Returns the precompiled header that has most of a source's libraries.
std::optional<UsableHeader>
HeaderChoice::withLibraries(const std::vector<std::string> &attempt,
                            const HeaderNames &names, bool mayMake) {
  if (here_.get(changesKey(attempt)))
    return std::nullopt;
  SharedLibraries libraries = shared(attempt);
  std::vector<HeaderNames> sets = libraries.setsOf(names);
  if (mayMake) {
    HeaderNames set = sets.empty() ? HeaderNames() : sets.front();
    const HeaderNames more = libraries.worthMaking(names, set);
    if (!more.empty()) {
      llvm::append_range(set, more);
      libraries.want(set);
      sets.insert(sets.begin(), std::move(set));
    }
  }
  for (const HeaderNames &set : sets) {
    const std::string directives = directivesOf(set);
    const std::string file =
        find(headerRequest(attempt, directives), directives, mayMake);
    if (!file.empty())
      return UsableHeader{continuing(file, directives), without(names, set)};
  }
  return std::nullopt;
}

bool HeaderChoice::excludeIfChanged(const std::vector<std::string> &attempt,
                                    const ParsedBefore &header,
                                    const ParsedSource &parsed) {
  if (!mayBeChanged(request_, header, parsed.macrosBeforeLibraries))
    return false;
  here_.put(changesKey(attempt), "");
  limit_ = Limit::WithoutLibraries;
  return true;
}

SharedLibraries
HeaderChoice::shared(const std::vector<std::string> &attempt) const {
  return {request_.kept, key("shared libraries", attempt)};
}

std::string
HeaderChoice::changesKey(const std::vector<std::string> &attempt) const {
  return key("changes libraries", attempt).add(request_.command.source).text();
}

/// Of what a precompiled header depends on but its libraries.
Key HeaderChoice::key(llvm::StringRef kind,
                      const std::vector<std::string> &attempt) const {
  const PrecompiledHeaderRequest any = headerRequest(attempt, "");
  return Key(kind)
      .add(any.version)
      .add(any.directory)
      .add(any.fixed)
      .add(any.user);
}

/// Whatever the user's flags: they seldom change the header of all sources. The
/// attempt's do, and those behind the first are for few sources.
PrecompiledHeaderRequest
HeaderChoice::anyOf(const std::vector<std::string> &attempt) const {
  PrecompiledHeaderRequest any = headerRequest({}, "");
  any.directory.clear();
  any.user = attempt;
  return any;
}

/// Returns true if another source has been read before, or this one earlier:
/// making the precompiled header of all sources takes longer than one source
/// gains by it. An editor reads its text again at each change.
bool HeaderChoice::isWorthPrecompiling(
    const std::vector<std::string> &attempt) {
  auto [place, isNew] = isSecond_.try_emplace(attempt, true);
  if (!isNew || !request_.buffers.empty())
    return place->second;
  const PrecompiledHeaderRequest any = anyOf(attempt);
  place->second = isWanted(any);
  if (!place->second)
    warplint::want(any);
  return place->second;
}

/// Returns the library headers of the source that `base` does not hold.
HeaderNames HeaderChoice::librariesBehind(llvm::StringRef base) {
  // Each source has its own version of headers that are changed on reading.
  if (limit_ != Limit::All ||
      (request_.translation.forHost && request_.translation.layoutRight))
    return {};
  if (!libraries_) {
    IncludeGraph graph(request_.buffers);
    libraries_ =
        libraryIncludes(request_.command.source, request_.command.directory,
                        request_.translation.clang, graph);
  }
  HeaderNames names;
  for (const std::string &header : *libraries_)
    names.push_back("<" + header);
  names = notInPrecompiledHeader(request_.kept, base, std::move(names));
  for (std::string &name : names)
    name.erase(0, 1);
  return names;
}

void HeaderChoice::expect(const std::vector<std::string> &attempt,
                          std::vector<HeaderBytes> libraries) const {
  warplint::want(anyOf(attempt));
  shared(attempt).expect(std::move(libraries));
}

void HeaderChoice::wereRead(const std::vector<std::string> &attempt,
                            const HeaderNames &headers,
                            const ParsedSource &parsed) const {
  if (limit_ == Limit::All && !headers.empty())
    shared(attempt).wereRead(parsed.libraryBytes(headers));
}

PrecompiledHeaderRequest
HeaderChoice::headerRequest(const std::vector<std::string> &attempt,
                            const std::string &libraries) const {
  PrecompiledHeaderRequest header{request_.kept,
                                  request_.command.directory,
                                  request_.toolkit ? request_.toolkit->root
                                                   : "",
                                  sharedFlags(request_),
                                  userFlags(request_, attempt),
                                  versionOfHeader(libraries)};
  header.headers = namesOf(libraries);
  return header;
}

std::string HeaderChoice::find(const PrecompiledHeaderRequest &header,
                               const std::string &libraries,
                               bool mayMake) const {
  auto make = [&](const std::vector<std::string> &flags, llvm::StringRef file,
                  PrecompiledHeaderNames &names) {
    return writePrecompiledHeader(request_, flags, textOf(libraries), file,
                                  names);
  };
  return mayMake ? precompiledHeaderFor(header, make)
                 : precompiledHeaderFor(header, nullptr);
}

std::string HeaderChoice::cached(const std::vector<std::string> &attempt,
                                 const std::string &libraries) const {
  return !request_.kept.isEnabled()
             ? ""
             : precompiledHeaderFor(headerRequest(attempt, libraries), nullptr);
}

} // namespace warplint
