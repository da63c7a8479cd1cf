// A file system that records the files requested from it, also missing ones:
// everything that the result of a parse depends on.
#pragma once
#include "llvm/Support/VirtualFileSystem.h"
#include <set>
#include <string>

namespace warplint {

class RecordingFiles : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override;
  bool exists(const llvm::Twine &path) override;

  /// Absolute paths.
  std::set<std::string> &asked() { return asked_; }

private:
  void note(const llvm::Twine &path);

  std::set<std::string> asked_;
};

/// Refuses to open what is no regular file, such as a pipe that nobody writes
/// to.
class RegularFiles : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override;
};

} // namespace warplint
