#include "input/read_sizes.h"
#include "input/includes.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace warplint {

ReadSizes::ReadSizes(std::vector<std::string> folders, StringRef always)
    : folders_(std::move(folders)) {
  addTo(always_, findIncluded(("<" + always).str(), "", folders_));
}

uint64_t ReadSizes::of(const std::string &source) {
  uint64_t bytes = fileAt(source).bytes;
  for (const std::string &header : fileAt(source).includes) {
    auto [below, isNew] = below_.try_emplace(header);
    if (isNew) {
      std::set<std::string> seen = always_;
      below->second = addTo(seen, header);
    }
    bytes += below->second;
  }
  return bytes;
}

/// The bytes of a file and of all that it includes but what has been seen.
uint64_t ReadSizes::addTo(std::set<std::string> &seen,
                          const std::string &path) {
  uint64_t bytes = 0;
  std::vector<std::string> left = {path};
  while (!left.empty()) {
    const std::string next = std::move(left.back());
    left.pop_back();
    if (!seen.insert(next).second)
      continue;
    const File &file = fileAt(next);
    bytes += file.bytes;
    left.insert(left.end(), file.includes.begin(), file.includes.end());
  }
  return bytes;
}

const ReadSizes::File &ReadSizes::fileAt(const std::string &path) {
  auto [place, isNew] = files_.try_emplace(path);
  File &file = place->second;
  auto text = isNew ? MemoryBuffer::getFile(path) : nullptr;
  if (!isNew || !text)
    return file;
  file.bytes = (*text)->getBufferSize();
  for (StringRef include : includesIn((*text)->getBuffer()))
    // A header of the language's library is in none of the folders.
    if (std::string found = findIncluded(include, path, folders_);
        !found.empty())
      file.includes.push_back(std::move(found));
  return file;
}

} // namespace warplint
