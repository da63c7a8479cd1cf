// Runs nvcc for a command, and reads its report, its PTX and its machine code.
#pragma once
#include "cache/file_lists.h"
#include "input/translate.h"
#include "input/trusted_programs.h"
#include "machine/build_report.h"
#include "machine/compiled.h"
#include "machine/fatbin.h"
#include "nvcc/read_registers.h"
#include <chrono>
#include <functional>
#include <memory>

namespace warplint {

/// The nvcc command that judges a source, or why there is none.
struct NvccCommand {
  std::vector<std::string> arguments;
  std::vector<std::string> dropped; ///< options that might run or write
  std::string whyNot;               ///< a sentence; else empty
};

struct CompileRun {
  unsigned threads = 1; ///< architectures to compile at a time
  std::chrono::milliseconds longest{300'000}; ///< for one architecture
  uint64_t memory = 0; ///< bytes that each program of nvcc's may take; 0: all
  /// The cache of compiled code, and a hash of all files that the source reader
  /// has read; with an empty `key` nothing is cached. `lists`, which must not
  /// be null if there is a key, stores the files that nvcc reads.
  Store store{""};
  std::string key = {};
  std::shared_ptr<FileLists> lists = nullptr;
  /// Waits until the source is read and returns the key; null if `key` is
  /// known.
  std::function<std::string()> keyOnceRead = nullptr;
  /// The programs that untrusted commands may make nvcc start; null: anything.
  const TrustedPrograms *trusted = nullptr;
  /// Kernels of which it is read who holds their registers; `All`: what gives
  /// some back is tried, too.
  RegistersOf registers = RegistersOf::Spilling;
  bool options = false;   ///< compile with the branches on arguments fixed, too
  const NvccCommand *nvcc = nullptr; ///< if it is known already
  /// A part of the names of the kernels that `registers` and `options` are of;
  /// empty: all.
  std::string kernel = {};
  /// What a build has made of the source as it is now; null if there is none.
  /// An architecture for which it answers what is asked is not compiled.
  const DeviceImages *built = nullptr;
  Asks asked = Asks::PtxWithLines;
};

NvccCommand nvccCommand(const Command &command,
                        const std::vector<std::string> &fullArguments,
                        const Toolkit &toolkit, const TrustedPrograms *trusted);

/// The key of the list of files that nvcc has read for an architecture; `key`
/// is that of CompileRun.
std::string keyOfReadByNvcc(llvm::StringRef key, llvm::StringRef architecture);

/// Runs the user's own nvcc command once for each of `architectures` (once for
/// nvcc's default if there are none) with the output in a temporary folder,
/// which is always removed. One run for all architectures takes as long
/// (measured: 0 to 8 % less) and gives nothing if one architecture fails. On
/// failure `whyNot` is one sentence with nvcc's own first error.
Compiled compile(const Command &command,
                 const std::vector<std::string> &fullArguments,
                 const Toolkit &toolkit,
                 const std::vector<std::string> &architectures,
                 const CompileRun &run = {});

} // namespace warplint
