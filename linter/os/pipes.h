// Pipes between two processes of this program.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warplint {

/// The file descriptors of one process.
struct Ends {
  int in = -1, out = -1;
};
struct Pipes {
  Ends parent, child; ///< all are closed when a program is executed
};
std::optional<Pipes> openPipes();
void closeEnds(const Ends &ends);

/// Appends what can be read now; false at the end of the file.
bool readSome(int file, std::string &text);

/// Writes all of `text`, unless the reader is gone.
void writeAll(int file, llvm::StringRef text);

} // namespace warplint
