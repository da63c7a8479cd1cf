#include "input/trusted_programs.h"
#include "base/real_path.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace warplint {

/// Refers to `glob`. Large brace expansions would exhaust memory.
static Expected<GlobPattern> patternOf(StringRef glob) {
  return GlobPattern::create(glob, /*MaxSubPatterns=*/64);
}

Expected<TrustedPrograms> TrustedPrograms::create(ArrayRef<std::string> globs,
                                                  StringRef cudaPath) {
  TrustedPrograms trusted;
  for (const std::string &glob : globs) {
    auto pattern = patternOf(glob);
    if (!pattern)
      return createStringError(inconvertibleErrorCode(),
                               "'--trust-compiler " + glob +
                                   "': " + toString(pattern.takeError()));
    trusted.globs_.push_back(glob);
  }
  auto add = [&](StringRef folder) {
    if (!sys::path::is_absolute(folder))
      return;
    if (std::string real = realPath(folder); !real.empty())
      trusted.folders_.push_back(std::move(real));
  };
  const std::string path = sys::Process::GetEnv("PATH").value_or("");
  for (StringRef folder : split(path, sys::EnvPathSeparator))
    add(folder);
  add("/usr/local/cuda/bin");
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME", "CUDA_ROOT"})
    add(sys::Process::GetEnv(variable).value_or("") + "/bin");
  for (const char *variable : {"NVCC_CCBIN", "NVCC_WRAPPER_DEFAULT_COMPILER"})
    if (auto compiler = sys::Process::GetEnv(variable))
      trusted.hostCompilers_.push_back(*compiler);
  if (!cudaPath.empty()) {
    SmallString<256> root(cudaPath);
    sys::fs::make_absolute(root);
    add((root + "/bin").str());
  }
  return trusted;
}

std::string programNamed(StringRef name, ArrayRef<std::string> folders) {
  SmallVector<StringRef> candidates(folders.begin(), folders.end());
  const std::string path = sys::Process::GetEnv("PATH").value_or("");
  append_range(candidates, split(path, sys::EnvPathSeparator));
  for (StringRef folder : candidates)
    if (sys::path::is_absolute(folder))
      if (auto found = sys::findProgramByName(name, {folder}))
        return *found;
  return "";
}

bool TrustedPrograms::isListed(StringRef path) const {
  return any_of(globs_, [&](const std::string &glob) {
    return cantFail(patternOf(glob)).match(path);
  });
}

bool TrustedPrograms::isTrusted(StringRef path) const {
  return isListed(path) ||
         is_contained(folders_, realPath(sys::path::parent_path(path)));
}

/// Absolute and without dots, but by the names of links.
static std::string pathOf(StringRef program, StringRef directory) {
  SmallString<256> path(program);
  sys::path::make_absolute(directory, path);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

std::string TrustedPrograms::find(StringRef program,
                                  StringRef directory) const {
  std::string path;
  if (sys::path::filename(program) == program) {
    path = programNamed(program);
  } else {
    path = pathOf(program, directory);
  }
  return !path.empty() && isTrusted(path) && sys::fs::can_execute(path) ? path
                                                                        : "";
}

/// An interpreter that took the source for a script would run it.
static bool isHostCompiler(StringRef program) {
  StringRef name = sys::path::filename(program);
  name.consume_back(".exe");
  name = name.rtrim("-0123456789.");
  for (StringRef compiler : {"gcc", "g++", "clang", "clang++"})
    if (name == compiler || (name.ends_with(compiler) &&
                             name.drop_back(compiler.size()).ends_with("-")))
      return true;
  return StringSwitch<bool>(name)
      .Cases({"cc", "c++", "icc", "icpc", "icx", "icpx"}, true)
      .Cases({"nvc++", "pgc++", "xlC", "armclang++", "crayCC"}, true)
      .Default(false);
}

std::string TrustedPrograms::findHostCompiler(StringRef program,
                                              StringRef directory) const {
  const std::string path = pathOf(program, directory);
  if (isListed(path) || (sys::path::is_absolute(program) &&
                         is_contained(hostCompilers_, program)))
    return path;
  if (sys::fs::is_directory(path) && sys::path::filename(program) != program)
    return is_contained(folders_, realPath(path)) ? path : "";
  return isHostCompiler(program) ? find(program, directory) : "";
}

} // namespace warplint
