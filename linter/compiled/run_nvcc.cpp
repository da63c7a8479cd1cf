#include "compiled/run_nvcc.h"
#include "compiled/judging_arguments.h"
#include "input/unused_declarations.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {
namespace {

/// Whether a file is the toolkit's, whose headers carry no mark of a system
/// header: nvcc finds them by -I. Files come up many times.
class ToolkitFiles {
public:
  explicit ToolkitFiles(StringRef include) {
    sys::fs::real_path(include, include_);
  }

  bool operator()(StringRef file) {
    auto [known, isNew] = known_.try_emplace(file, false);
    if (isNew && !include_.empty()) {
      SmallString<256> path;
      known->second = !sys::fs::real_path(file, path) &&
                      StringRef(path).starts_with(include_);
    }
    return known->second;
  }

private:
  SmallString<256> include_;
  StringMap<bool> known_;
};

bool hasSucceeded(const Exit &exit) {
  return !exit.code && !exit.signal && !exit.timedOut;
}

class Runner {
public:
  Runner(const NvccRun &run, Scratch &scratch)
      : run_(run), scratch_(scratch),
        end_(std::chrono::steady_clock::now() + run.limit) {}

  Expected<Exit> run(std::vector<std::string> arguments, StringRef output) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end_ - std::chrono::steady_clock::now());
    return scratch_.run(arguments, run_.directory, output,
                        std::max(left, std::chrono::milliseconds(1)));
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

  /// The file of the preprocessed source without unused declarations; empty if
  /// nvcc does not come so far.
  std::string shortened() {
    // By the source's own name, out of which nvcc makes some functions' names.
    const std::string file =
        scratch_.path((sys::path::stem(run_.arguments.back()) + ".cup").str());
    std::vector<std::string> arguments = run_.arguments;
    arguments.insert(arguments.end(), {"-E", "-o", file});
    Expected<Exit> exit = run(arguments, "preprocessing");
    const bool isWritten = exit && hasSucceeded(*exit);
    consumeError(exit.takeError());
    auto text = MemoryBuffer::getFile(file);
    if (!isWritten || !text || (*text)->getBufferSize() == 0)
      return "";
    ToolkitFiles toolkitFiles(run_.toolkitInclude);
    const std::string rest =
        withoutUnusedDeclarations((*text)->getBuffer(), [&](StringRef name) {
          return toolkitFiles(name);
        });
    Error error = writeToOutput(file, [&](raw_ostream &out) {
      out << rest;
      return Error::success();
    });
    const bool isShortened = !error;
    consumeError(std::move(error));
    return isShortened ? file : "";
  }

private:
  const NvccRun &run_;
  Scratch &scratch_;
  std::chrono::steady_clock::time_point end_;
};

} // namespace

Expected<Exit> runNvcc(const NvccRun &run, const std::string &cubin,
                       Scratch &scratch) {
  Runner runner(run, scratch);
  if (const std::string file = runner.shortened(); !file.empty()) {
    Expected<Exit> exit =
        runner.compile(argumentsFor(file, run.arguments), cubin);
    if (!exit || exit->timedOut ||
        (hasSucceeded(*exit) && sys::fs::exists(cubin)))
      return exit;
  }
  return runner.compile(run.arguments, cubin);
}

} // namespace warplint
