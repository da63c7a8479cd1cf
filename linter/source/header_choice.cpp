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

/// Minimum size, in bytes, of library headers beyond those for all sources that
/// is worth precompiling. Reading less again costs less time than making the
/// precompiled header, and no disk space.
static constexpr uint64_t worthPrecompiling = 1 << 18;

std::string versionOfHeader(const std::string &libraries) {
  std::string version = WARPLINT_VERSION " " CLANG_VERSION_STRING;
  for (const ShimFile &file : shimFiles())
    version += file.text;
  version += precompiledText + libraries;
  version += "6"; // raised when it is made in another way
  return version;
}

ParsedBefore continuing(const std::string &file, const std::string &libraries) {
  ParsedBefore before;
  before.header = file;
  before.libraries = libraries;
  before.texts = {textOf(libraries)};
  return before;
}

std::vector<UsableHeader>
HeaderChoice::usable(const std::vector<std::string> &attempt, bool mayMake) {
  if (!request_.kept.isEnabled() || limit_ == Limit::None)
    return {};
  std::vector<UsableHeader> all;
  const PrecompiledHeaderRequest request = headerRequest(attempt, "");
  const bool isMade = !find(request, "", /*mayMake=*/false).empty();
  const std::string base =
      find(request, "", mayMake && (isMade || isWorthPrecompiling()));
  if (base.empty())
    return {};
  const auto [libraries, macrosBefore] = librariesBehind(base);
  if (!libraries.empty()) {
    const PrecompiledHeaderRequest request = headerRequest(attempt, libraries);
    if (isWanted(request))
      if (std::string file = find(request, libraries, mayMake);
          !file.empty() &&
          notInPrecompiledHeader(request_.kept, file, macrosBefore).size() ==
              macrosBefore.size())
        all.push_back({continuing(file, libraries), ""});
  }
  all.push_back({continuing(base, ""), libraries});
  return all;
}

/// Returns true if another source has been read before, or this one earlier:
/// making the precompiled header of all sources takes longer than one source
/// gains by it. An editor reads its text again at each change.
bool HeaderChoice::isWorthPrecompiling() {
  if (!isSecond_) {
    // Whatever the user's flags: they seldom change that header.
    PrecompiledHeaderRequest any = headerRequest({}, "");
    any.directory.clear();
    any.user.clear();
    isSecond_ = !request_.buffers.empty() || isWanted(any);
    if (!*isSecond_)
      warplint::want(any);
  }
  return *isSecond_;
}

/// Returns the includes of the source that `base` does not hold.
HeaderChoice::Libraries HeaderChoice::librariesBehind(llvm::StringRef base) {
  // Each source has its own version of headers that are changed on reading.
  if (limit_ != Limit::All ||
      (request_.translation.forHost && request_.translation.layoutRight))
    return {};
  if (!libraries_)
    libraries_ =
        libraryIncludes(request_.command.source, request_.command.directory,
                        request_.translation.clang, request_.buffers);
  const auto &[headers, macros, macrosBefore] = *libraries_;
  std::vector<std::string> names;
  for (const std::string &header : headers)
    names.push_back("<" + header);
  names = notInPrecompiledHeader(request_.kept, base, std::move(names));
  if (names.empty())
    return {};
  const size_t last =
      llvm::find(headers, names.back().substr(1)) - headers.begin();
  Libraries libraries;
  libraries.macrosBefore.assign(macros.begin(),
                                macros.begin() + macrosBefore[last]);
  for (const std::string &name : names)
    libraries.directives += "#include " + name + ">\n";
  return libraries;
}

void HeaderChoice::want(const std::vector<std::string> &attempt,
                        const std::string &libraries,
                        const ParsedSource &parsed) const {
  if (limit_ == Limit::All && parsed.libraryBytes() >= worthPrecompiling)
    warplint::want(headerRequest(attempt, libraries));
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
  for (const auto &line : llvm::split(libraries, '\n'))
    if (auto [before, name] = line.split('<'); !name.empty())
      header.headers.push_back(name.drop_back().str());
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
