#include "base/failure.h"
#include "base/plural.h"
#include "base/regular_file.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/print_report.h"
#include "commands/wrap.h"
#include "report/read_json.h"
#include "run/openable.h"
#include "run/resources.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace warplint {
namespace {

struct Collected {
  Report report;
  std::vector<std::string> objects; ///< whose reports were read
};

std::vector<std::string> sidecarsUnder(StringRef folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (sys::fs::recursive_directory_iterator entry(folder, error), end;
       entry != end && !error; entry.increment(error))
    if (StringRef(entry->path()).ends_with(sidecarSuffix))
      found.push_back(entry->path());
  sort(found); // the order of directory entries is unspecified
  return found;
}

/// Counts reports that are left out for one reason.
struct LeftOut {
  unsigned count = 0;
  std::string first; ///< the object
  void add(StringRef object) {
    if (!count++)
      first = object.str();
  }
  /// "2 reports are left out: their objects are gone, first 'a.o'".
  void note(StringRef one, StringRef many, Report &report) const {
    if (count)
      report.notes.push_back(
          (count == 1 ? "1 report is left out: " + one + " '" + first + "'"
                      : std::to_string(count) + " reports are left out: " +
                            many + ", first '" + first + "'")
              .str());
  }
};

/// Appends `from` to `into`, and drops what another report already said; `seen`
/// holds what was said.
void append(Report &into, Report from, std::set<std::string> &seen) {
  append_range(into.findings, std::move(from.findings));
  auto isNew = [&](const std::string &text) {
    return seen.insert(text).second;
  };
  for (UnreadSource &unread : from.unread)
    if (isNew("source\n" + unread.source + '\n' + unread.firstError))
      into.unread.push_back(std::move(unread));
  for (UnreadKernel &unread : from.unreadKernels)
    if (isNew("kernel\n" + unread.source + '\n' + unread.name))
      into.unreadKernels.push_back(std::move(unread));
  for (std::string &note : from.notes)
    if (isNew("note\n" + note))
      into.notes.push_back(std::move(note));
  into.allowed += from.allowed;
  into.sourcesRead += from.sourcesRead;
  into.kernelsRead += from.kernelsRead;
  into.kernelsInPart += from.kernelsInPart;
  into.kernelTemplatesIdle += from.kernelTemplatesIdle;
}

/// Reports whose object is gone or was rebuilt without warplint are left out,
/// and a note says so. Fails if there is no such folder, or no report in it.
Expected<Collected> collect(StringRef folder) {
  if (!sys::fs::is_directory(folder))
    return failure("'" + folder + "' is not a folder");
  const std::vector<std::string> sidecars = sidecarsUnder(folder);
  if (sidecars.empty())
    return failure("there is no report of a build in '" + folder +
                   "': 'warplint wrap' leaves them beside the objects");
  Collected collected;
  Report &report = collected.report;
  std::set<std::string> seen;
  LeftOut gone, newer;
  for (const std::string &sidecar : sidecars) {
    StringRef object = sidecar;
    object.consume_back(sidecarSuffix);
    sys::fs::file_status ofObject, ofSidecar;
    if (sys::fs::status(object, ofObject) || !sys::fs::exists(ofObject)) {
      gone.add(object);
      continue;
    }
    if (!sys::fs::status(sidecar, ofSidecar) &&
        ofSidecar.getLastModificationTime() <
            ofObject.getLastModificationTime()) {
      newer.add(object);
      continue;
    }
    auto text = readRegularFile(sidecar);
    Expected<Report> read =
        text ? readJson((*text)->getBuffer()) : failure("it cannot be opened");
    if (read) {
      append(report, std::move(*read), seen);
      collected.objects.push_back(object.str());
    } else
      report.unread.push_back(
          {sidecar, toString(read.takeError()), /*anyKernelRead=*/false});
  }
  gone.note("its object is gone:", "their objects are gone", report);
  newer.note("its object was made without warplint since:",
             "their objects were made without warplint since", report);
  report.findings = mergeFindings(std::move(report.findings));
  Openable openable({folder.str()});
  openable.add(report);
  openable.addNote(report.notes);
  report.buffers = openable.closed();
  return collected;
}

} // namespace

int runCollect(const Options &options, raw_ostream &out, raw_ostream &err,
               bool terminal) {
  auto collected = collect(options.sources.paths.front());
  if (!collected)
    return fail(collected.takeError(), err);
  ReportContext context;
  if (showsContext(options)) {
    Options ofObjects = options;
    ofObjects.sources.paths = collected->objects;
    auto read = readResources(ofObjects);
    if (!read)
      return fail(read.takeError(), err);
    context.resources = std::move(read->report);
  }
  return finish(collected->report, context, options, out, err, terminal);
}

} // namespace warplint
