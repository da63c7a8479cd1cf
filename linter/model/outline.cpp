#include "model/outline.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

KernelOutline outlineOf(const Kernel &kernel) {
  KernelOutline outline{
      kernel.name, kernel.mangled, kernel.place, {}, kernel.notFollowed};
  const std::string *file = nullptr; // the last; most places share one
  std::vector<unsigned> *lines = nullptr;
  auto add = [&](const Place &place) {
    if (!file || *file != place.file) {
      auto entry = outline.lines.try_emplace(place.file).first;
      file = &entry->first;
      lines = &entry->second;
    }
    if (lines->empty() || lines->back() != place.line)
      lines->push_back(place.line);
  };
  auto addAll = [&](const auto &list) {
    for (const auto &element : list) {
      add(element.place);
      llvm::for_each(element.callSites, add);
    }
  };
  add(kernel.place);
  addAll(kernel.accesses);
  addAll(kernel.loops);
  addAll(kernel.branches);
  addAll(kernel.written);
  for (const Array &array : kernel.arrays)
    add(array.place);
  for (auto &[name, all] : outline.lines) {
    llvm::sort(all);
    all.erase(llvm::unique(all), all.end());
  }
  return outline;
}

} // namespace warplint
