#include "commands/print_report.h"
#include "base/failure.h"
#include "base/folders.h"
#include "base/printable.h"
#include "commands/formats.h"
#include "os/signals.h"
#include "os/write_file.h"
#include "report/closing.h"
#include "report/statistics.h"
#include "report/text.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace warplint {
namespace {

Error notWritten(StringRef path, const Twine &why) {
  return failure("'" + path + "' cannot be written: " + why);
}

void printAs(const Report &report, const ReportContext &around,
             const Options &options, bool colour, raw_ostream &out) {
  const std::string folder = currentFolder();
  if (!options.output.statistics)
    return rowOf(options.output.format)
        .print({report, around, options.output.refuted, colour, folder,
                options.output.quiet},
               out);
  if (options.output.format == Format::Json)
    printStatisticsJson(report, options.output.refuted, folder, out);
  else
    printStatistics(report, options.output.refuted, folder, out);
}

} // namespace

void printUnread(const Report &report, raw_ostream &err, bool quiet) {
  const std::string folder = currentFolder();
  for (const UnreadSource &unread : report.unread)
    err << "warplint: " << printablePath(unread.source, folder) << ": "
        << (unread.anyKernelRead ? "read in part: " : "not read: ")
        << printable(unread.firstError) << '\n';
  for (const UnreadKernel &kernel : report.unreadKernels)
    err << "warplint: " << printablePath(kernel.source, folder) << ": kernel '"
        << printable(kernel.name) << "' not read: " << printable(kernel.why)
        << '\n';
  if (quiet)
    return;
  for (const std::string &note : report.notes)
    err << "warplint: " << printable(note) << '\n';
}

bool showsContext(const Options &options) {
  return !options.output.statistics &&
         rowOf(options.output.format).showsContext;
}

Error checkOutput(const Options &options) {
  const std::string &path = options.output.file;
  if (path.empty() || path == "-")
    return Error::success();
  if (sys::fs::is_directory(path))
    return notWritten(path, "it is a folder");
  StringRef folder = sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  if (!sys::fs::is_directory(folder))
    return notWritten(path, "there is no folder '" + folder + "'");
  if (std::error_code error = sys::fs::access(
          sys::fs::exists(path) ? path : folder, sys::fs::AccessMode::Write))
    return notWritten(path, error.message());
  return Error::success();
}

Error printReport(const Report &report, const ReportContext &around,
                  const Options &options, raw_ostream &out, raw_ostream &err,
                  bool terminal) {
  if (options.output.statistics || rowOf(options.output.format).omitsUnread)
    printUnread(report, err);
  const bool toFile =
      !options.output.file.empty() && options.output.file != "-";
  const bool colour = options.output.colour.value_or(
      terminal && !toFile && !sys::Process::GetEnv("NO_COLOR"));
  if (!toFile) {
    printAs(report, around, options, colour, out);
    return Error::success();
  }
  if (Error error = writeFile(options.output.file, [&](raw_ostream &file) {
        printAs(report, around, options, colour, file);
      }))
    return error;
  if (!options.output.quiet)
    err << "warplint: " << (isInterrupted() ? "interrupted: " : "")
        << closingLine(report, options.output.refuted) << "; wrote '"
        << options.output.file << "'\n";
  return Error::success();
}

} // namespace warplint
