// A source on disk and what it is parsed from, for tests of the steps of a
// parse.
#pragma once
#include "nvcc.h"
#include "os/scratch.h"
#include "source/parse_request.h"

namespace warplint {

/// k.cu in a folder of its own, with the headers that stand in for a toolkit's.
struct SourceOnDisk {
  explicit SourceOnDisk(llvm::StringRef text,
                        const std::vector<std::string> &flags = {}) {
    writeFile(command.source, text);
    command.arguments.insert(command.arguments.end(), flags.begin(),
                             flags.end());
    translation = translate(command.arguments, std::nullopt);
  }
  SourceOnDisk(const SourceOnDisk &) = delete;

  std::string path(llvm::StringRef name) const { return scratch.path(name); }

  Scratch scratch = llvm::cantFail(Scratch::create());
  Command command{scratch.path("k.cu"),
                  scratch.folder().str(),
                  {"nvcc", scratch.path("k.cu")}};
  Translation translation;
  std::optional<Toolkit> toolkit;
  std::string resourceDir = WARPLINT_RESOURCE_DIR;
  Store kept; ///< keeps nothing
  Buffers buffers;
  const ParseRequest request{command,     translation, toolkit,
                             resourceDir, kept,        buffers};
};

} // namespace warplint
