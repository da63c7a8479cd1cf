#include "input/buffers.h"
#include "base/regular_file.h"

using namespace llvm;

namespace warplint {

std::unique_ptr<MemoryBuffer> readText(const std::string &file,
                                       const Buffers &buffers,
                                       const WasRead &wasRead) {
  if (auto held = buffers.find(file); held != buffers.end())
    return MemoryBuffer::getMemBuffer(held->second, file);
  sys::TimePoint<> modified;
  auto read = readRegularFile(file, /*needsNullTerminator=*/true, &modified);
  if (!read)
    return nullptr;
  if (wasRead)
    wasRead(file, (*read)->getBuffer(), modified);
  return std::move(*read);
}

} // namespace warplint
