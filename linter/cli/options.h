// argv to Options. The only file that may throw is options.cpp.
#pragma once
#include "input/sources.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

enum class CommandName { Check, Accesses, Checks, Explain, Help, Version };
enum class Format { Text, Json, Csv };

struct Options {
  CommandName command = CommandName::Help;
  SourceRequest sources;
  Format format = Format::Text;
  bool refuted = false;              ///< --refuted
  std::optional<bool> colour;        ///< --color always|never
  std::string cudaPath;              ///< --cuda-path
  std::string resourceDir;           ///< --resource-dir: Clang's
  bool judge = true;                 ///< --no-judge turns it off
  std::vector<std::string> enabled;  ///< --check ID, may repeat; empty: default
  std::vector<std::string> architectures; ///< --arch sm_90, may repeat
  std::string block;                 ///< --block 32x8, as typed; may be empty
  unsigned threads = 0;              ///< -j; 0: as many as cores
  bool allChecks = false;            ///< --all: opinions as well
  std::string topic;                 ///< `explain ID`
  std::string text;                  ///< help or version text to print
};

/// Fails with the one sentence to print, "did you mean" in it where a flag or
/// command is misspelt.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> arguments);

} // namespace warplint
