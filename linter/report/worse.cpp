#include "report/worse.h"
#include "report/resources/resource_diff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

static Finding findingOf(const ResourceChange &change, StringRef folder) {
  const ResourceRow &row = change.after;
  SmallString<256> file(row.place.file.empty() ? row.source : row.place.file);
  sys::path::make_absolute(folder, file);
  Finding finding;
  finding.check = worseKernel;
  finding.place = {file.str().str(), row.place.line, row.place.column};
  const bool isNew = change.direction == Direction::New;
  finding.message = "kernel '" + row.kernel +
                    (isNew ? "' is new and spills: " : "' takes more: ") +
                    join(change.what, ", ");
  finding.about = row.signature + row.architecture;
  if (std::string spills = newSpills(change); !spills.empty())
    finding.notes.push_back(std::move(spills));
  finding.kernels.push_back({row.kernel,
                             row.mangled,
                             row.architecture,
                             {Verdict::Confirmed, ""},
                             0,
                             finding.place});
  return finding;
}

Report worseAsFindings(Report report, const std::string &folder) {
  for (const ResourceChange &change : report.worse)
    report.findings.push_back(findingOf(change, folder));
  report.worse.clear();
  return report;
}

} // namespace warplint
