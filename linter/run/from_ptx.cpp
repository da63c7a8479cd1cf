#include "run/from_ptx.h"
#include "base/failure.h"
#include "base/kernel_name.h"
#include "ptx/ptx_kernels.h"
#include "run/compile_sources.h"
#include <map>
#include <set>

namespace warplint {

namespace {

/// The source's access at the place of a PTX access, if all accesses there have
/// one name. Prefers an access of the same width.
const Access *namesake(const Kernel &source, const Access &ptx) {
  const Access *found = nullptr;
  bool isWide = false;
  for (const Access &access : source.accesses) {
    if (access.place.line != ptx.place.line ||
        access.place.file != ptx.place.file ||
        access.operation != ptx.operation || access.text.empty())
      continue;
    const bool asWide = access.bytes == ptx.bytes;
    if (found && isWide == asWide && found->text != access.text)
      return nullptr;
    if (!found || asWide)
      found = &access;
    isWide |= asWide;
  }
  return found;
}

void describeAs(const Kernel &source, Kernel &ptx) {
  ptx.name = source.name;
  ptx.mangled = source.mangled;
  ptx.place = source.place;
  ptx.bounds = source.bounds;
  ptx.shapes = source.shapes;
  for (Access &access : ptx.accesses)
    if (const Access *same = namesake(source, access)) {
      access.text = same->text;
      access.object = same->object;
    }
}

} // namespace

llvm::Expected<std::vector<Kernel>> kernelsFromPtx(const SourceModel &model,
                                                   const Compiled &compiled) {
  auto unit = llvm::find_if(compiled.units, [](const CompiledUnit &unit) {
    return !unit.ptx.empty();
  });
  if (unit == compiled.units.end())
    return failure("there is no PTX: " + (compiled.whyNot.empty()
                                              ? std::string("nvcc left none")
                                              : compiled.whyNot));
  PtxRequest request;
  request.systemFiles = model.systemFiles;
  auto kernels = readPtxKernels(unit->ptx, request);
  if (!kernels)
    return failure("its PTX could not be read: " +
                   llvm::toString(kernels.takeError()));
  std::map<std::string, const Kernel *> bySource;
  for (const Kernel &kernel : model.kernels)
    bySource[normalisedKernelName(kernel.mangled)] = &kernel;
  auto isOurs = [&](const Place &place) {
    return !place.file.empty() && !model.systemFiles.count(place.file) &&
           !isLibraryFile(place.file);
  };
  std::vector<Kernel> result;
  for (Kernel &kernel : *kernels) {
    auto found = bySource.find(normalisedKernelName(kernel.mangled));
    if (found != bySource.end())
      describeAs(*found->second, kernel);
    else if (!isOurs(kernel.place) &&
             llvm::none_of(kernel.accesses, [&](const Access &access) {
               return isOurs(access.place);
             }))
      continue;
    result.push_back(std::move(kernel));
  }
  return result;
}

static std::set<std::string> mangledNames(const std::vector<Kernel> &kernels) {
  std::set<std::string> names;
  for (const Kernel &kernel : kernels)
    names.insert(kernel.mangled);
  return names;
}

void takeKernelsFromPtx(Work &work, const Options &options) {
  SourceModel &model = work.model;
  const bool isForGaps = options.command == CommandName::Check;
  if (isForGaps && model.outline.whyNot.empty() &&
      model.outline.notRead.empty())
    return;
  auto fromPtx = ptxKernelsOf(work, options);
  if (!fromPtx) {
    std::string why = llvm::toString(fromPtx.takeError());
    if (isForGaps)
      work.notes.push_back(why); // the outline has the reason for the gap
    else
      model.outline.whyNot = why;
    return;
  }
  std::vector<Kernel> fromSource = std::move(model.kernels), kernels;
  const std::set<std::string> inSource = mangledNames(fromSource),
                              inPtx = mangledNames(*fromPtx);
  for (Kernel &kernel : fromSource)
    if (isForGaps)
      kernels.push_back(std::move(kernel));
    else if (!inPtx.count(kernel.mangled))
      work.notes.push_back("the compiler did not emit kernel '" + kernel.name +
                           "'");
  for (Kernel &kernel : *fromPtx)
    if (!isForGaps || !inSource.count(kernel.mangled))
      kernels.push_back(std::move(kernel));
  setKernels(model, std::move(kernels));
  // The PTX has every kernel of the source, so nothing is missing.
  model.outline.whyNot.clear();
  model.outline.errors.clear();
  model.outline.notRead.clear();
  model.outline.leftOut.clear();
}

} // namespace warplint
