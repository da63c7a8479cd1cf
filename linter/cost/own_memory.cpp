#include "cost/own_memory.h"
#include "cost/arguments.h"
#include "model/may_be_global.h"
#include "model/same_pointers.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace warplint {

namespace {

/// The positions of the arguments for which each launch passes memory of its
/// own.
std::set<uint64_t> ownArguments(const Kernel &kernel,
                                llvm::ArrayRef<Launch> launches) {
  std::set<uint64_t> own;
  bool isFirst = true;
  for (const Launch &launch : launches) {
    if (launch.kernel != kernel.mangled)
      continue;
    std::set<uint64_t> here;
    for (const OwnMemory &memory : launch.ownMemory)
      here.insert(memory.argument);
    if (isFirst)
      own = here;
    else
      std::erase_if(own, [&](uint64_t i) { return !here.count(i); });
    isFirst = false;
  }
  return own;
}

/// The most bytes that any launch allocates for an argument; 0 if a launch may
/// pass other memory.
uint64_t allocatedFor(uint64_t position, const Kernel &kernel,
                      llvm::ArrayRef<Launch> launches) {
  uint64_t most = 0;
  for (const Launch &launch : launches) {
    if (launch.kernel != kernel.mangled)
      continue;
    const auto own = llvm::find_if(launch.ownMemory, [&](const auto &memory) {
      return memory.argument == position;
    });
    if (own == launch.ownMemory.end() || !own->bytes)
      return 0;
    most = std::max(most, own->bytes);
  }
  return most;
}

void settleAllocated(Kernel &kernel, llvm::ArrayRef<Launch> launches) {
  if (kernel.isDispatched || !kernel.notFollowed.empty())
    return;
  for (ObjectId id = 0; id < kernel.objects.size(); ++id)
    if (kernel.objects[id].space == Space::Global && !kernel.objects[id].bytes)
      if (const auto position = positionOf(kernel, id))
        kernel.objects[id].allocated =
            allocatedFor(*position, kernel, launches);
}

bool hasOwnMemory(const Kernel &kernel, llvm::ArrayRef<Launch> launches) {
  if (kernel.isDispatched || !kernel.notFollowed.empty())
    return false;
  const std::set<uint64_t> own = ownArguments(kernel, launches);
  return !own.empty() &&
         llvm::all_of(kernel.accesses, [&](const Access &access) {
           if (!mayBeGlobal(access.space))
             return true;
           const auto argument = argumentOf(kernel, access);
           const auto at = argument ? positionOf(kernel, *argument)
                                    : std::optional<uint64_t>();
           return at && own.count(*at);
         });
}

} // namespace

void settleOwnMemory(std::vector<Kernel> &kernels,
                     llvm::ArrayRef<Launch> launches) {
  // The instances of a template share its text, which an edit changes for all.
  std::set<Place> shared;
  for (const Kernel &kernel : kernels)
    if (!hasOwnMemory(kernel, launches))
      shared.insert(kernel.place);
  for (Kernel &kernel : kernels) {
    kernel.hasOwnMemory = !shared.count(kernel.place);
    settleAllocated(kernel, launches);
  }
}

} // namespace warplint
