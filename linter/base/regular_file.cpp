#include "base/regular_file.h"
#include "llvm/ADT/SmallString.h"
#include <sys/stat.h>

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

bool mayBeRead(const Twine &path) {
  SmallString<256> buffer;
  struct stat file;
  return stat(path.toNullTerminatedStringRef(buffer).data(), &file) ||
         S_ISREG(file.st_mode) || S_ISDIR(file.st_mode) || isNull(file);
}

ErrorOr<std::unique_ptr<MemoryBuffer>>
readRegularFile(const Twine &path, bool needsNullTerminator) {
  if (!mayBeRead(path))
    return noRegularFile();
  return MemoryBuffer::getFile(path, /*IsText=*/false, needsNullTerminator);
}

} // namespace warplint
