#include "source/clang_files.h"
#include "source/device_layout.h"
#include "source/nvcc_spelling.h"
#include "source/recording_files.h"
#include "source/shim.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace warplint {

FileSystem diskFor(const ParseRequest &request) {
  FileSystem disk(llvm::makeIntrusiveRefCnt<RegularFiles>(
      llvm::vfs::createPhysicalFileSystem()));
  disk->setCurrentWorkingDirectory(request.command.directory);
  return disk;
}

FileSystem filesForClang(const ParseRequest &request, FileSystem disk,
                         const Buffers &changed,
                         llvm::ArrayRef<TextForClang> texts) {
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->setCurrentWorkingDirectory(request.command.directory);
  for (const ShimFile &file : shimFiles())
    memory->addFile(file.path, 0,
                    llvm::MemoryBuffer::getMemBuffer(file.text, file.path));
  // The file that is added first stays.
  for (const auto &[path, text] : changed) {
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
    (void)disk->status(path); // records the file as read
  }
  for (const auto &[path, text] : request.buffers)
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(text, path));
  if (request.translation.forHost && request.translation.layoutRight)
    for (const ChangedHeader &header : withLayoutRight(
             request.translation.clang, request.command.directory)) {
      memory->addFile(
          header.path, 0,
          llvm::MemoryBuffer::getMemBufferCopy(header.text, header.path));
      (void)disk->status(header.path); // records the header as read
    }
  for (const TextForClang &text : texts)
    memory->addFile(text.path, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(text.text));
  // Clang does not accept a toolkit without bin/; only its headers are
  // needed.
  if (request.toolkit) {
    llvm::SmallString<256> bin(request.toolkit->root);
    llvm::sys::path::make_absolute(request.command.directory, bin);
    llvm::sys::path::append(bin, "bin");
    if (!llvm::sys::fs::exists(bin))
      memory->addFile(bin + "/none", 0, llvm::MemoryBuffer::getMemBuffer(""));
  }
  overlay->pushOverlay(memory);
  return llvm::makeIntrusiveRefCnt<FilesForClang>(overlay);
}

} // namespace warplint
