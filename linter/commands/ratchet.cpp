#include "commands/ratchet.h"
#include "base/failure.h"
#include "base/folders.h"
#include "base/regular_file.h"
#include "input/walk.h"
#include "os/write_file.h"
#include "report/resources/resource_json.h"
#include "report/text.h"
#include "run/settings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {
namespace {

/// Turns a path that is relative to `from` into one relative to `to`; absolute
/// if it is not below that.
std::string relocated(StringRef path, StringRef from, StringRef to) {
  if (path.empty())
    return "";
  SmallString<256> absolute(path);
  sys::path::make_absolute(from, absolute);
  sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return shownPath(absolute, to).str();
}

Expected<ResourceReport> readRatchet(const std::string &file) {
  auto text = readRegularFile(file);
  if (!text)
    return failure("'" + file +
                   "' cannot be read: " + text.getError().message() +
                   "; 'warplint resources --update' writes it");
  auto report = readResourceJson((*text)->getBuffer(), file);
  if (!report)
    return report.takeError();
  std::string folder = folderOf(file), here = currentFolder();
  for (ResourceRow &row : report->rows)
    row.source = relocated(row.source, folder, here);
  return report;
}

/// The architectures that a flag or a configuration sets for a row's source;
/// empty if none does, and for machine code.
std::vector<std::string> architecturesFor(const ResourceRow &row,
                                          Configurations &configurations) {
  if (!isCudaSource(row.source) && !isCxxSource(row.source))
    return {};
  SmallString<256> source(row.source);
  sys::fs::make_absolute(source);
  auto settings = configurations.of(source);
  if (settings)
    return (*settings)->architectures.value;
  consumeError(settings.takeError()); // the source and its folder are gone
  return {};
}

/// Returns true if this run would have found the kernel if it still existed.
bool wasLookedFor(const ResourceRow &row, const ReadResources &now,
                  Configurations &configurations) {
  const std::vector<std::string> architectures =
      architecturesFor(row, configurations);
  if (!architectures.empty() && !is_contained(architectures, row.architecture))
    return false;
  if (now.wholeBuild)
    return now.report.missing.empty();
  if (row.source.empty())
    return false;
  if (any_of(now.report.missing, [&](const MissingReport &missing) {
        return missing.source == row.source;
      }))
    return false;
  return is_contained(now.sources, row.source) || !sys::fs::exists(row.source);
}

} // namespace

Expected<ResourceComparison> compareWithRatchet(const std::string &file,
                                                const ReadResources &now,
                                                const SettingOptions &options) {
  Configurations configurations(options);
  auto recorded = readRatchet(file);
  if (!recorded)
    return recorded.takeError();
  return compareResources(*recorded, now.report, [&](const ResourceRow &row) {
    return wasLookedFor(row, now, configurations);
  });
}

Error updateRatchet(const std::string &file, const ReadResources &now,
                    const SettingOptions &options) {
  Configurations configurations(options);
  ResourceReport report = now.report;
  if (sys::fs::exists(file)) {
    auto recorded = readRatchet(file);
    if (!recorded)
      return recorded.takeError();
    for (ResourceRow &row : recorded->rows)
      if (!wasLookedFor(row, now, configurations))
        report.rows.push_back(std::move(row));
  }
  std::string folder = folderOf(file), here = currentFolder();
  for (ResourceRow &row : report.rows)
    row.source = relocated(row.source, here, folder);
  return writeFile(file,
                   [&](raw_ostream &out) { printResourceFile(report, out); });
}

} // namespace warplint
