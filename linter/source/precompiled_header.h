// What CUDA sources begin with, parsed once and kept on disk: Clang's wrapper
// of the CUDA runtime, our own headers, and those of the C++ library that host
// code usually includes. Of the 0.55 s that a small source takes, 0.12 s are
// left (processor time, with CUDA 13.0 and libstdc++ 12).
#pragma once
#include "cache/store.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// What a prefix depends on without saying so in its flags: every identifier in
/// it, since whoever defines one may change it, and, after a '<', the first
/// part of the name of every header it includes ("<vector", "<bits/" of
/// <bits/c++config.h>), since a folder of the user's that holds one may hide
/// it.
using PrefixNames = std::set<std::string>;

/// A prefix for sources that are compiled with the flags `fixed` and `user`.
/// Macros and folders among `user` that cannot change it are left out of it, so
/// that the libraries of one project share one.
struct PrefixRequest {
  const Store &kept;     ///< prefixes are in its folder
  std::string directory; ///< where the command runs
  std::string toolkit;   ///< its root: folders below it are always searched
  std::vector<std::string> fixed, user;
  /// What else is the same if a prefix can be used: releases, our headers.
  std::string version;
  /// The libraries' that it includes beside what all sources do: "cub/cub.cuh".
  /// The user's folders that hold one are part of it.
  std::vector<std::string> headers = {};
};

/// Parses the prefix with the given flags and writes Clang's precompiled header
/// to a file; false if that is not possible.
using MakePrefix =
    llvm::function_ref<bool(const std::vector<std::string> &flags,
                            llvm::StringRef file, PrefixNames &names)>;

/// The precompiled header to use, made by `make` if there is none yet. Empty if
/// there can be none, and while another process makes it.
/// If `make` is null, the one that would be used, whether it is there or not,
/// as far as somebody has made it before.
std::string prefixFor(const PrefixRequest &request, MakePrefix make);

/// Whether it has been wanted before. Of what no more than one source begins
/// with, nothing is made.
bool isWanted(const PrefixRequest &request);
void want(const PrefixRequest &request);

/// Those of some names that are not among a prefix's; all of them if nobody has
/// made it.
std::vector<std::string> notInPrefix(const Store &kept, llvm::StringRef prefix,
                                     std::vector<std::string> names);

/// What cannot be used (it is older than the headers in it, say) goes.
void dropPrefix(llvm::StringRef file);

/// How many headers `flags` include on their own account, which are
/// none of the prefix.
size_t countIncludes(const std::vector<std::string> &flags);

} // namespace warplint
