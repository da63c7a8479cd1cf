// Reads the source of a command into kernels.
#pragma once
#include "cache/store.h"
#include "input/buffers.h"
#include "input/toolkit.h"
#include "input/translate.h"
#include "model/model.h"
#include "model/outline.h"
#include "source/parse_error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <set>

namespace warplint {

/// A kernel that has no IR, since it or a function that it calls has an error.
struct DroppedKernel {
  std::string name;
  std::string mangled; ///< as Clang spells it
  Place place;
  ParseError error; ///< the first in its text; else the source's first
};

/// Instances of a kernel template that were not read, since they differ in
/// numbers alone from many that were.
struct InstancesLeftOut {
  std::string kernel;
  uint64_t instances = 0;
  std::vector<std::string> mangled; ///< of those that were not read
};

/// A source without the contents of its kernels. Reports need no more once the
/// findings are known.
struct SourceOutline {
  std::string whyNot; ///< the reason if nothing could be read; else empty
  std::vector<KernelOutline> kernels;
  std::vector<Launch> launches;
  std::vector<ParseError> errors; ///< Clang's
  std::vector<DroppedKernel> notRead;
  std::vector<InstancesLeftOut> leftOut;
  std::set<std::string> userFiles;   ///< absolute paths, without system headers
  std::set<std::string> markedFiles; ///< user files with comments for warplint
  /// The mangled names of kernels with no code of the user's.
  std::vector<std::string> libraryKernels;
  /// The mangled names of kernels that no code of the source refers to, less
  /// those of C linkage, which the driver finds by their names, and of kernels
  /// whose launches never run.
  std::vector<std::string> unreferenced;
  /// The kernel templates that the source itself defines and that nothing in
  /// it instantiates: they have no code that could be checked.
  std::vector<KernelTemplate> templates;
  bool hasDeviceFunctions =
      false; ///< in the source itself; kernel templates too
  /// A user file has the word `__global__`, perhaps in a part that Clang skips.
  bool mentionsKernels = false;
  /// The condition that hides all of the source's kernels from the compiler:
  /// "#ifdef USE_FP8"; empty if there is none, or anything was read.
  std::string kernelsBehind;
};

struct SourceModel {
  SourceOutline outline;
  std::vector<Kernel> kernels;
  std::set<std::string> systemFiles; ///< absolute paths, without the user's
  /// Absolute paths of all files that were read, or searched for and not found.
  /// Models in the cache lack them.
  std::vector<std::string> asked;
  /// ParsedSource::libraries of the precompiled header, if one was used.
  std::optional<std::string> libraries;
  std::string observed; ///< ReadObserver::record; empty without an observer
};

class ReadObserver;

/// Fails if there is no AST at all. `kept`, `buffers`: as for `parse`.
llvm::Expected<SourceModel>
readSource(const Command &command, const Translation &translation,
           const std::optional<Toolkit> &toolkit,
           const std::string &resourceDir, const Store &kept = Store(),
           const Buffers &buffers = {}, ReadObserver *observer = nullptr);

/// Makes `kernels` the kernels of the model and of its outline.
void setKernels(SourceModel &model, std::vector<Kernel> kernels);

} // namespace warplint
