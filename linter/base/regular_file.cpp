#include "base/regular_file.h"
#include "llvm/ADT/SmallString.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace warplint {

namespace {

class NoRegularFile : public std::error_category {
public:
  const char *name() const noexcept override { return "warplint"; }
  std::string message(int) const override { return "is no regular file"; }
};

/// Has an end at once.
bool isNull(const struct stat &file) {
  struct stat null;
  return S_ISCHR(file.st_mode) && !stat("/dev/null", &null) &&
         null.st_rdev == file.st_rdev;
}

} // namespace

std::error_code noRegularFile() {
  static const NoRegularFile category;
  return {1, category};
}

static bool mayBeRead(const struct stat &file) {
  return S_ISREG(file.st_mode) || S_ISDIR(file.st_mode) || isNull(file);
}

bool mayBeRead(const Twine &path) {
  SmallString<256> buffer;
  struct stat file;
  return stat(path.toNullTerminatedStringRef(buffer).data(), &file) ||
         mayBeRead(file);
}

ErrorOr<std::unique_ptr<MemoryBuffer>>
readSmallFile(const Twine &path, uint64_t size, bool needsNullTerminator) {
  constexpr uint64_t small = 1 << 16; // a larger one may be mapped
  SmallString<256> buffer;
  const StringRef name = path.toNullTerminatedStringRef(buffer);
  auto read = [&]() -> std::unique_ptr<MemoryBuffer> {
    if (size >= small)
      return nullptr;
    const int file = open(name.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
      return nullptr;
    auto text = WritableMemoryBuffer::getNewUninitMemBuffer(size, name);
    // The null behind the text has room for a byte of a file that grew.
    const ssize_t count = ::read(file, text->getBufferStart(), size + 1);
    close(file);
    if (count < 0 || uint64_t(count) != size)
      return nullptr;
    *text->getBufferEnd() = '\0';
    return text;
  };
  if (auto text = read())
    return text;
  return MemoryBuffer::getFile(name, /*IsText=*/false, needsNullTerminator);
}

ErrorOr<std::unique_ptr<MemoryBuffer>>
readRegularFile(const Twine &path, bool needsNullTerminator,
                sys::TimePoint<> *modified) {
  SmallString<256> buffer;
  const StringRef name = path.toNullTerminatedStringRef(buffer);
  struct stat file;
  if (stat(name.data(), &file))
    return std::error_code(errno, std::generic_category());
  if (!mayBeRead(file))
    return noRegularFile();
  if (modified)
    *modified = sys::toTimePoint(file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
  if (S_ISREG(file.st_mode))
    return readSmallFile(name, file.st_size, needsNullTerminator);
  return MemoryBuffer::getFile(name, /*IsText=*/false, needsNullTerminator);
}

ErrorOr<std::unique_ptr<MemoryBuffer>> readNamedFile(StringRef path,
                                                     bool needsNullTerminator) {
  if (path == "-" || path.starts_with("/dev/fd/"))
    return MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                        needsNullTerminator);
  return readRegularFile(path, needsNullTerminator);
}

} // namespace warplint
