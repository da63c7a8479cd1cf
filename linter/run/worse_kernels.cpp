#include "run/worse_kernels.h"
#include "base/folders.h"
#include "base/kernel_name.h"
#include "findings/kernel_changes.h"
#include "findings/worse_kernel.h"
#include "report/resources/resource_diff.h"
#include "run/resources.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace warplint {

namespace {

const Kernel *kernelOf(const ResourceRow &row, const Batch &batch) {
  for (const Work &work : batch.sources)
    for (const Kernel &kernel : work.model.kernels)
      if (normalisedKernelName(kernel.mangled) == row.signature)
        return &kernel;
  return nullptr;
}

Finding findingOf(const ResourceChange &change, const Batch &batch,
                  const Batch &earlier) {
  const ResourceRow &row = change.after;
  llvm::SmallString<256> file(row.place.file.empty() ? row.source
                                                     : row.place.file);
  llvm::sys::path::make_absolute(currentFolder(), file);
  Finding finding;
  finding.check = worseKernel().info.id;
  finding.place = {file.str().str(), row.place.line, row.place.column};
  const bool isNew = change.direction == Direction::New;
  finding.message = "kernel '" + row.kernel +
                    (isNew ? "' is new and spills: " : "' takes more: ") +
                    llvm::join(change.what, ", ");
  finding.about = row.signature + row.architecture;
  const Kernel *before = kernelOf(change.before, earlier);
  const Kernel *after = kernelOf(row, batch);
  if (before && after)
    finding.notes = whatGrew(*before, *after, capabilityOf(row.architecture));
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

} // namespace

void addWorseKernels(const ResourceComparison &comparison, const Batch &batch,
                     const Batch &earlier, Outcomes &outcomes) {
  for (const ResourceChange &change : comparison.changes) {
    auto work = llvm::find_if(batch.sources, [&](const Work &work) {
      return shownHere(work.command.source) == change.after.source;
    });
    if (work == batch.sources.end())
      continue;
    auto setting =
        llvm::find_if(work->settings->checks, [](const CheckSettings &each) {
          return each.check == &worseKernel();
        });
    auto outcome =
        llvm::find_if(outcomes.sources, [&](const SourceOutcome &each) {
          return each.source == work->command.source;
        });
    if (!setting->on.value || outcome == outcomes.sources.end())
      continue;
    Finding finding = findingOf(change, batch, earlier);
    finding.level = setting->level.value;
    if (work->settings->reportsIn(finding.place.file, work->command.source))
      outcome->reported.insert(finding.place.file);
    outcome->linted.findings.push_back(std::move(finding));
  }
}

} // namespace warplint
