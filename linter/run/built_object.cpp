#include "run/built_object.h"
#include "base/regular_file.h"
#include "cache/file_lists.h"
#include "input/compile_step.h"
#include "input/compiler.h"
#include "nvcc/judging_arguments.h"
#include "run/run_cache.h"
#include "llvm/Support/Process.h"

namespace warplint {

using Time = llvm::sys::TimePoint<>;

/// True if the command is the build's own, and nvcc's.
static bool isBuilds(const Work &work) {
  const Command &command = work.command;
  if (command.isBare || !command.typed.empty() || work.arguments.empty() ||
      work.translation.forHost)
    return false;
  // They are not in the database, so the build may not have had them.
  for (const char *flags : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"})
    if (!llvm::sys::Process::GetEnv(flags).value_or("").empty())
      return false;
  const Compiler compiler = compilerNamed(work.arguments.front());
  return (compiler == Compiler::Nvcc || compiler == Compiler::NvccWrapper) &&
         judgesAsBuilt(work.arguments);
}

std::string builtObject(const Work &work) {
  if (!isBuilds(work))
    return "";
  std::string object = objectOf(work.arguments, work.command.directory);
  if (object.empty())
    return "";
  const Time built = lastModified(object);
  return built > lastModified(work.command.source) &&
                 built > lastModified(work.command.database)
             ? object
             : "";
}

std::optional<DeviceImages> builtCode(const Work &work, RunCache &cache) {
  const std::string object = builtObject(work);
  if (object.empty())
    return std::nullopt;
  Time built;
  auto file = readRegularFile(object, /*needsNullTerminator=*/false, &built);
  const std::optional<Time> newest = cache.newestRead(work);
  if (!file || !newest || *newest >= built)
    return std::nullopt;
  auto images = readDeviceImages(**file);
  if (images)
    return std::move(*images);
  llvm::consumeError(images.takeError());
  return std::nullopt;
}

} // namespace warplint
