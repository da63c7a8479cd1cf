#include "report/source_lines.h"

using namespace llvm;

namespace warplint {

const SourceLines::File &SourceLines::fileOf(const std::string &path) {
  auto [it, isNew] = files_.try_emplace(path);
  File &file = it->second;
  if (!isNew)
    return file;
  file.buffer = readText(path, buffers_);
  if (!file.buffer)
    return file;
  StringRef rest = file.buffer->getBuffer();
  while (!rest.empty()) {
    auto [line, after] = rest.split('\n');
    file.lines.push_back(line.rtrim('\r'));
    rest = after;
  }
  return file;
}

std::optional<StringRef> SourceLines::line(const std::string &path,
                                           unsigned number) {
  if (number == 0)
    return std::nullopt; // without opening the file
  const File &file = fileOf(path);
  if (number > file.lines.size())
    return std::nullopt;
  return file.lines[number - 1];
}

unsigned SourceLines::count(const std::string &path) {
  return fileOf(path).lines.size();
}

unsigned SourceLines::utf16Column(const std::string &path, unsigned number,
                                  unsigned column) {
  std::optional<StringRef> text = line(path, number);
  if (!text || column == 0)
    return column;
  unsigned units = 0;
  for (unsigned char byte : text->take_front(column - 1)) {
    units += (byte & 0xC0) != 0x80; // the first byte of a character
    units += byte >= 0xF0;          // a character of two units
  }
  return units + 1;
}

} // namespace warplint
