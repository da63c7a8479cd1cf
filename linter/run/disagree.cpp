#include "run/disagree.h"
#include "run/compile_sources.h"
#include "run/each_source.h"
#include <chrono>

namespace warplint {

/// The disagreements in one source. Adds the reasons why kernels are not
/// compared to `work.notes`.
static std::vector<Disagreement>
disagreementsIn(Work &work, const Options &options, Deadline &deadline) {
  std::vector<Disagreement> result;
  if (work.isPtx()) {
    work.notes.push_back("PTX alone, so there is no source to compare with");
    return result;
  }
  if (work.model.kernels.empty())
    return result;
  const auto begin = std::chrono::steady_clock::now();
  auto fromPtx = ptxKernelsOf(work, options);
  deadline.extend(std::chrono::steady_clock::now() - begin);
  if (!fromPtx) {
    work.notes.push_back("not compared: " +
                         llvm::toString(fromPtx.takeError()));
    return result;
  }
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
  return result;
}

llvm::Expected<DisagreementReport> disagree(const Options &options) {
  auto batch = readBatch(options, Want::Models);
  if (!batch)
    return batch.takeError();
  DisagreementReport result;
  result.disagreements = rowsOfEach<Disagreement>(
      *batch, options, "comparing", [&](Work &work, Deadline &deadline) {
        return disagreementsIn(work, options, deadline);
      });
  result.report = summary(*batch);
  return result;
}

} // namespace warplint
