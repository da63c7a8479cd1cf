// A command to what the compiler makes of it, by running nvcc.
#pragma once
#include "cache/file_lists.h"
#include "input/translate.h"
#include "machine/compiled.h"
#include <chrono>
#include <functional>
#include <memory>

namespace warplint {

struct CompileRun {
  unsigned threads = 1;                       ///< architectures at a time
  std::chrono::milliseconds longest{300'000}; ///< of one architecture
  /// Where what was compiled is kept, and a name for the contents of all that
  /// the source reader has read; nothing is kept under an empty one. What nvcc
  /// reads beside that is noted in `lists`, which has to be there with a key.
  Store store{""};
  std::string key = {};
  std::shared_ptr<FileLists> lists = nullptr;
  /// Waits for the key, where the source is still being read; else null.
  std::function<std::string()> keyOnceRead = nullptr;
};

/// What the list of files is kept under that nvcc has read for an architecture;
/// `key` is CompileRun's.
std::string keyOfReadByNvcc(llvm::StringRef key, llvm::StringRef architecture);

/// Runs the user's own nvcc command once for each of `architectures` (once for
/// nvcc's default if there are none) with the output redirected into a
/// temporary folder, which is always removed. One
/// run for all would do the same work (measured: 0 to 8 % less) and give
/// nothing if one architecture fails. Never fails: what went wrong is in
/// `whyNot`, in one sentence with nvcc's own first error.
Compiled compile(const Command &command,
                 const std::vector<std::string> &fullArguments,
                 const Toolkit &toolkit,
                 const std::vector<std::string> &architectures,
                 const CompileRun &run = {});

} // namespace warplint
