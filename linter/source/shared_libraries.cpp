#include "source/shared_libraries.h"
#include "cache/record.h"
#include "source/record_fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace warplint {
namespace {

/// Bytes of headers that are worth precompiling. To read less again takes less
/// time than to make the precompiled header, and no disk space.
constexpr uint64_t enoughBytes = 1 << 21;

/// A small header would only keep a set from sources that do without it.
constexpr uint64_t enoughBytesOfHeader = 1 << 17;

/// One takes 30 to 60 MB of disk.
constexpr size_t mostSets = 4;

/// Two neighbours that have little in common are no reason to forget others.
constexpr size_t mostSources = 4;

class LibrariesOf {
public:
  explicit LibrariesOf(ArrayRef<std::string> names) {
    for (const std::string &name : names)
      libraries_.insert(libraryOf(name));
  }
  bool has(StringRef header) const {
    return libraries_.contains(libraryOf(header));
  }

private:
  StringSet<> libraries_;
};

} // namespace

std::string directivesOf(const HeaderNames &names) {
  std::string directives;
  for (const std::string &name : names)
    directives += "#include <" + name + ">\n";
  return directives;
}

HeaderNames namesOf(StringRef directives) {
  HeaderNames names;
  for (StringRef line : split(directives, '\n'))
    if (auto [before, name] = line.split('<'); !name.empty())
      names.push_back(name.drop_back().str());
  return names;
}

SharedLibraries::SharedLibraries(const Store &kept, const Key &key)
    : kept_(kept.folder()), key_(key.text()) {
  if (const std::optional<std::string> bytes = kept_.get(key_))
    if (auto record = fromRecord<SharedLibrariesRecord>(*bytes)) {
      record_ = std::move(*record);
      isKnown_ = true;
    }
}

std::vector<HeaderNames>
SharedLibraries::setsOf(ArrayRef<std::string> names) const {
  const LibrariesOf libraries(names);
  std::vector<HeaderNames> sets;
  for (const HeaderNames &set : record_.sets)
    if (all_of(set, [&](auto &name) { return libraries.has(name); }))
      sets.push_back(set);
  stable_sort(sets, [](const HeaderNames &a, const HeaderNames &b) {
    return a.size() > b.size();
  });
  return sets;
}

HeaderNames SharedLibraries::worthMaking(ArrayRef<std::string> names,
                                         const HeaderNames &made) const {
  if (record_.sets.size() >= mostSets)
    return {};
  const LibrariesOf libraries(names);
  HeaderNames best;
  uint64_t most = enoughBytes - 1;
  for (const std::vector<HeaderBytes> &read : record_.read) {
    HeaderNames common;
    uint64_t bytes = 0;
    for (const HeaderBytes &header : read)
      if (libraries.has(header.name) && !is_contained(made, header.name)) {
        common.push_back(header.name);
        bytes += header.bytes;
      }
    if (bytes > most) {
      best = std::move(common);
      most = bytes;
    }
  }
  return best;
}

void SharedLibraries::want(const HeaderNames &set) {
  record_.sets.push_back(set);
  put();
}

/// Returns those that are worth a place in a precompiled header; none if all
/// together are not worth one.
static std::vector<HeaderBytes> large(std::vector<HeaderBytes> headers) {
  erase_if(headers, [](const HeaderBytes &header) {
    return header.bytes < enoughBytesOfHeader;
  });
  uint64_t bytes = 0;
  for (const HeaderBytes &header : headers)
    bytes += header.bytes;
  return bytes < enoughBytes ? std::vector<HeaderBytes>() : headers;
}

void SharedLibraries::expect(std::vector<HeaderBytes> headers) {
  if (headers = large(std::move(headers)); !headers.empty())
    record_.read.push_back(std::move(headers));
  put();
}

void SharedLibraries::wereRead(std::vector<HeaderBytes> headers) {
  headers = large(std::move(headers));
  if (headers.empty())
    return;
  record_.read.push_back(std::move(headers));
  if (record_.read.size() > mostSources)
    record_.read.erase(record_.read.begin());
  put();
}

void SharedLibraries::put() const { kept_.put(key_, toRecord(record_)); }

} // namespace warplint
