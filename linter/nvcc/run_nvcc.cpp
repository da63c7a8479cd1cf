#include "nvcc/run_nvcc.h"
#include "input/search_flags.h"
#include "nvcc/judging_arguments.h"
#include "source/shorten/shorten.h"
#include "os/write_file.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {
namespace {

/// From this release on, nvcc is known to compile static kernels that nothing
/// calls.
constexpr unsigned firstWithoutHostCode = 13;

/// Recognises library headers that have no mark of a system header: nvcc finds
/// the toolkit by -I, and users find installed libraries so. Caches the answer
/// for each file.
class LibraryFiles {
public:
  explicit LibraryFiles(StringRef toolkitInclude) {
    for (StringRef folder : {toolkitInclude, StringRef("/usr/include"),
                             StringRef("/usr/local/include")})
      addFolder(folder);
  }

  bool operator()(StringRef file) {
    if (sys::path::filename(file) == "Kokkos_Core.hpp")
      addFolder(sys::path::parent_path(file));
    auto [known, isNew] = known_.try_emplace(file, false);
    SmallString<256> path;
    if (isNew && !sys::fs::real_path(file, path))
      known->second = any_of(folders_, [&](const std::string &folder) {
        return path.starts_with(folder);
      });
    return known->second;
  }

private:
  void addFolder(StringRef folder) {
    SmallString<256> path;
    if (folder.empty() || sys::fs::real_path(folder, path))
      return;
    const std::string prefix = (path + "/").str();
    if (!is_contained(folders_, prefix))
      folders_.push_back(prefix);
  }

  std::vector<std::string> folders_;
  StringMap<bool> known_;
};

class Runner {
public:
  Runner(const NvccRun &run, Scratch &scratch)
      : run_(run), scratch_(scratch),
        end_(std::chrono::steady_clock::now() + run.limit) {}

  Expected<Exit> run(std::vector<std::string> arguments, StringRef output) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end_ - std::chrono::steady_clock::now());
    return scratch_.run(arguments, run_.directory, output,
                        std::max(left, std::chrono::milliseconds(1)),
                        run_.memory);
  }

  Expected<Exit> compile(std::vector<std::string> arguments,
                         const std::string &cubin) {
    for (StringRef argument :
         {"-cubin", "-lineinfo", "-Xptxas", "-v", "-Wno-deprecated-gpu-targets",
          "--keep", "--keep-dir"})
      arguments.push_back(argument.str());
    arguments.insert(arguments.end(), {scratch_.folder().str(), "-o", cubin});
    return run(arguments, "output");
  }

  /// Writes the preprocessed source without unused declarations and returns the
  /// file; empty if preprocessing fails.
  std::string shortened(std::vector<std::string> &read) {
    const std::string file = shortenedFile(run_, scratch_);
    const bool isWritten =
        preprocess(file, {"-Xcompiler", "-ftrack-macro-expansion=0"}) ||
        preprocess(file, {});
    auto text = MemoryBuffer::getFile(file);
    if (!isWritten || !text || (*text)->getBufferSize() == 0)
      return "";
    for (StringRef each : filesIn((*text)->getBuffer()))
      read.push_back(pathIn(run_.directory, each));
    LibraryFiles isLibrary(run_.toolkitInclude);
    const std::string rest = shorten((*text)->getBuffer(), isLibrary,
                                     run_.release < firstWithoutHostCode);
    Error error = writeFile(file, [&](raw_ostream &out) { out << rest; });
    const bool isShortened = !error;
    consumeError(std::move(error));
    return isShortened ? file : "";
  }

private:
  /// gcc notes where each token of a macro comes from, for its messages, and
  /// begins a line wherever a macro of a system header ends. Without that it
  /// takes three quarters of the time, and the text is shorter; each token is
  /// the same and on the same line, but for `__LINE__` in an argument of
  /// several lines. Other compilers have no such `flags`.
  bool preprocess(const std::string &file, ArrayRef<StringRef> flags) {
    std::vector<std::string> arguments = run_.arguments;
    for (StringRef flag : flags)
      arguments.push_back(flag.str());
    arguments.insert(arguments.end(), {"-E", "-o", file});
    Expected<Exit> exit = run(arguments, "preprocessing");
    const bool isWritten = exit && exit->hasSucceeded();
    consumeError(exit.takeError());
    return isWritten;
  }

  const NvccRun &run_;
  Scratch &scratch_;
  std::chrono::steady_clock::time_point end_;
};

} // namespace

std::string shortenedFile(const NvccRun &run, const Scratch &scratch) {
  // With the source's own name, since nvcc derives names of functions from it.
  return scratch.path((sys::path::stem(run.arguments.back()) + ".cup").str());
}

Expected<Exit> runNvcc(const NvccRun &run, const std::string &cubin,
                       Scratch &scratch, std::vector<std::string> &read) {
  Runner runner(run, scratch);
  if (const std::string file = runner.shortened(read); !file.empty()) {
    Expected<Exit> exit =
        runner.compile(argumentsFor(file, run.arguments), cubin);
    if (!exit || exit->timedOut ||
        (exit->hasSucceeded() && sys::fs::exists(cubin)))
      return exit;
  }
  return runner.compile(run.arguments, cubin);
}

} // namespace warplint
