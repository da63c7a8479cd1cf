#include "input/buffers.h"

using namespace llvm;

namespace warplint {

std::unique_ptr<MemoryBuffer> readText(const std::string &file,
                                       const Buffers &buffers) {
  if (auto held = buffers.find(file); held != buffers.end())
    return MemoryBuffer::getMemBuffer(held->second, file);
  auto read = MemoryBuffer::getFile(file);
  return read ? std::move(*read) : nullptr;
}

} // namespace warplint
