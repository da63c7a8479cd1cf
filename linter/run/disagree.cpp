#include "run/disagree.h"
#include "os/deadline.h"
#include "os/workers.h"
#include "report/progress.h"
#include "run/batch.h"
#include "run/compile_sources.h"

namespace warplint {

/// The disagreements in one source. Adds the reasons why kernels are not
/// compared to `work.notes`.
static std::vector<Disagreement> disagreementsIn(Work &work,
                                                 const Options &options) {
  std::vector<Disagreement> result;
  if (work.isPtx()) {
    work.notes.push_back("PTX alone, so there is no source to compare with");
    return result;
  }
  if (work.model.kernels.empty())
    return result;
  auto fromPtx = ptxKernelsOf(work, options);
  if (!fromPtx) {
    work.notes.push_back("not compared: " +
                         llvm::toString(fromPtx.takeError()));
    return result;
  }
  // nvcc has a limit of its own.
  Deadline deadline(options.limits.timeout, work.readFor);
  for (const Kernel &source : work.model.kernels) {
    auto ptx = llvm::find_if(*fromPtx, [&](const Kernel &kernel) {
      return kernel.mangled == source.mangled;
    });
    if (ptx != fromPtx->end())
      llvm::append_range(result, disagreements(source, *ptx));
    else
      work.notes.push_back("the compiler did not emit kernel '" + source.name +
                           "'");
  }
  if (deadline.isOver()) {
    result.clear();
    work.model.outline.whyNot =
        "comparing it " + tookTooLong(options.limits.timeout);
  }
  return result;
}

llvm::Expected<DisagreementReport> disagree(const Options &options) {
  auto batch = readBatch(options, Want::Models);
  if (!batch)
    return batch.takeError();
  std::vector<std::vector<Disagreement>> found(batch->sources.size());
  {
    Progress progress("comparing", found.size(),
                      Progress::Terminal::standardError(options.output.quiet));
    forEachInParallel(
        found.size(), options.limits.threads,
        [&](size_t i) {
          progress.step(batch->sources[i].command.source);
          found[i] = disagreementsIn(batch->sources[i], options);
        },
        [&](size_t i) {
          batch->sources[i].model.outline.whyNot =
              "comparing it ended in a crash";
        });
  }
  DisagreementReport result;
  for (std::vector<Disagreement> &each : found)
    llvm::append_range(result.disagreements, each);
  result.report = summary(*batch);
  return result;
}

} // namespace warplint
