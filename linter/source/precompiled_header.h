// A precompiled header of what CUDA sources begin with, cached on disk: Clang's
// wrapper of the CUDA runtime, our own headers, and the headers of the C++
// library that host code usually includes. It cuts a small source from 0.55 s
// to 0.12 s (processor time, with CUDA 13.0 and libstdc++ 12).
#pragma once
#include "cache/store.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// Names that a precompiled header depends on without having them in its flags:
/// every identifier in it, since a macro of that name may change it, and, after
/// a '<', the first component of every header it includes ("<vector", "<bits/"
/// of <bits/c++config.h>), since a user's folder that holds one may hide it.
using PrecompiledHeaderNames = std::set<std::string>;

/// Describes a precompiled header for sources that are compiled with the flags
/// `fixed` and `user`. Macros and folders among `user` that cannot change it
/// are left out, so that the libraries of one project share one.
struct PrecompiledHeaderRequest {
  const Store &kept;     ///< the precompiled headers are in its folder
  std::string directory; ///< where the command runs
  std::string toolkit;   ///< its root: folders below it are always searched
  std::vector<std::string> fixed, user;
  /// Everything else that has to be equal for reuse: releases, our headers.
  std::string version;
  /// Library headers that it includes beyond those for all sources:
  /// "cub/cub.cuh". User folders that hold one are part of the request.
  std::vector<std::string> headers = {};
};

/// Parses the headers with the given flags and writes Clang's precompiled
/// header to a file; returns false if that fails.
using MakePrecompiledHeader = llvm::function_ref<bool(
    const std::vector<std::string> &flags, llvm::StringRef file,
    PrecompiledHeaderNames &names)>;

/// Returns the precompiled header to use, made by `make` if there is none yet;
/// empty if there can be none, or while another process makes it. If `make` is
/// null, returns the one that would be used, existing or not, as far as a
/// process has made it before.
std::string precompiledHeaderFor(const PrecompiledHeaderRequest &request,
                                 MakePrecompiledHeader make);

/// Returns true if the header has been wanted before: headers that only one
/// source begins with are not precompiled.
bool isWanted(const PrecompiledHeaderRequest &request);
void want(const PrecompiledHeaderRequest &request);

/// Returns those of `names` that a precompiled header does not hold; all of
/// them if it was never made.
std::vector<std::string> notInPrecompiledHeader(const Store &kept,
                                                llvm::StringRef file,
                                                std::vector<std::string> names);

/// Lets `make` write a file of Clang's under a temporary name, so that no
/// incomplete one has the final name, and keeps its hash. Returns false if it
/// fails, nothing if there can be no file.
std::optional<bool> makeFile(const Store &kept, llvm::StringRef file,
                             llvm::function_ref<bool(llvm::StringRef)> make);

/// Returns true if the file is as `makeFile` made it. Clang believes every byte
/// of it: a damaged one ends each process that uses it. The hash is this
/// machine's, as the file is.
bool isUndamaged(const Store &kept, llvm::StringRef file);

/// Deletes a precompiled header that cannot be used, e.g. because it is older
/// than its headers.
void dropPrecompiledHeader(llvm::StringRef file);

/// Counts the headers that `flags` include themselves; they are not part of the
/// precompiled header.
size_t countIncludes(const std::vector<std::string> &flags);

} // namespace warplint
