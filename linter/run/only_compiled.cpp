#include "run/only_compiled.h"
#include "base/kernel_name.h"
#include "ptx/ptx_kernels.h"
#include "ptx/ptx_text.h"
#include <map>
#include <set>

namespace warplint {

namespace {

/// The kernels that Clang knows of, by keys to compare nvcc's names with.
class Known {
public:
  explicit Known(const SourceOutline &outline) {
    for (const KernelOutline &kernel : outline.kernels)
      keys_.insert(normalisedKernelName(kernel.mangled));
    for (const DroppedKernel &kernel : outline.notRead)
      keys_.insert(normalisedKernelName(kernel.mangled));
    for (const InstancesLeftOut &leftOut : outline.leftOut)
      for (const std::string &mangled : leftOut.mangled)
        keys_.insert(normalisedKernelName(mangled));
    for (const std::string &mangled : outline.libraryKernels)
      keys_.insert(normalisedKernelName(mangled));
  }
  bool has(llvm::StringRef mangled) const {
    const std::string key = normalisedKernelName(mangled);
    return keys_.count(key) || keys_.count(functionOfKey(key).str());
  }

private:
  std::set<std::string> keys_;
};

/// Removes the kernels whose PTX has lines, none of which is the user's.
void removeLibraries(std::set<std::string> &kernels, const SourceModel &model,
                     llvm::StringRef text) {
  auto module = ptx::parsePtx(text);
  if (!module)
    return llvm::consumeError(module.takeError());
  std::map<unsigned, bool> known; // each one takes a look at the disk
  auto isLibrary = [&](const ptx::Location &location) {
    auto [at, isNew] = known.try_emplace(location.file);
    const std::string &file = module->files[location.file];
    if (isNew)
      at->second = isLibraryFile(file) || model.systemFiles.count(file);
    return at->second;
  };
  for (const ptx::Function &function : module->functions)
    if (!function.locations.empty() &&
        llvm::all_of(function.locations, isLibrary))
      kernels.erase(function.name.str());
}

} // namespace

std::vector<std::string> onlyCompiled(const SourceModel &model,
                                      const Compiled &compiled) {
  const Known known(model.outline);
  std::set<std::string> missing;
  for (const CompiledUnit &unit : compiled.units) {
    std::set<std::string> here;
    for (const CompiledKernel &kernel : unit.kernels)
      if (!known.has(kernel.usage.kernel))
        here.insert(kernel.usage.kernel);
    if (!here.empty())
      removeLibraries(here, model, unit.ptx);
    missing.merge(here);
  }
  return {missing.begin(), missing.end()};
}

} // namespace warplint
