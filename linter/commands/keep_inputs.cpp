#include "commands/keep_inputs.h"
#include "base/failure.h"
#include "input/walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

static bool isSource(StringRef file) {
  return isCudaSource(file) || isCxxSource(file) || isHeader(file) ||
         isPtxText(file) || sys::path::extension(file) == ".c";
}

static bool isInput(const std::string &file, const Options &options) {
  SmallString<256> database(options.sources.database);
  sys::path::append(database, "compile_commands.json");
  return sys::fs::equivalent(file, database) ||
         sys::fs::equivalent(file, options.sources.database) ||
         any_of(options.sources.paths, [&](const std::string &path) {
           return sys::fs::equivalent(file, path);
         });
}

Error keepInputs(const Options &options) {
  for (const auto &[flag, file] :
       {std::pair("-o", &options.output.file),
        std::pair("--export-fixes", &options.check.exportFixes),
        std::pair("--write-baseline", &options.check.writeBaseline),
        std::pair("--update", &options.resources.update)}) {
    if (!sys::fs::is_regular_file(*file)) // a device or a pipe keeps nothing
      continue;
    if (isInput(*file, options))
      return failure("'" + *file + "' is an input of this run; '" + flag +
                     "' would replace it");
    if (isSource(*file))
      return failure("'" + *file + "' is a source; '" + flag +
                     "' would replace it");
  }
  return Error::success();
}

} // namespace warplint
