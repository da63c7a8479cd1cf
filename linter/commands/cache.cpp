#include "base/failure.h"
#include "cache/store.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "os/write_file.h"
#include "report/report.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

/// "85.3 MB", in steps of a thousand.
static std::string readableSize(uint64_t bytes) {
  double size = bytes;
  const char *unit = "bytes";
  for (const char *next : {"kB", "MB", "GB"}) {
    if (size < 1000)
      break;
    size /= 1000;
    unit = next;
  }
  return llvm::formatv("{0:F1} {1}", size, unit);
}

int runCache(const Options &options, llvm::raw_ostream &out,
             llvm::raw_ostream &err) {
  if (std::error_code error = makeFolder(options.cache.folder))
    return fail(failure("the cache folder '" + options.cache.folder +
                        "' cannot be used: " + error.message()),
                err);
  const Store store(options.cache.folder);
  const Store::Size size = options.cache.clear ? store.clear() : store.size();
  out << (options.cache.clear ? "removed " : "") << size.records
      << (size.records == 1 ? " file, " : " files, ")
      << readableSize(size.bytes)
      << (options.cache.clear ? ", from '" : ", in '") << options.cache.folder
      << "'\n";
  return int(ExitCode::Clean);
}

} // namespace warplint
