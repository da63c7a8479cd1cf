#include "input/buffers.h"
#include "base/regular_file.h"

using namespace llvm;

namespace warplint {

std::unique_ptr<MemoryBuffer> readText(const std::string &file,
                                       const Buffers &buffers) {
  if (auto held = buffers.find(file); held != buffers.end())
    return MemoryBuffer::getMemBuffer(held->second, file);
  auto read = readRegularFile(file);
  return read ? std::move(*read) : nullptr;
}

} // namespace warplint
