#include "findings/array_cure.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

/// Longer arrays have too many elements to compare the index with (H100: 45 of
/// them, read from L1, were 6 times as fast as the comparisons).
constexpr uint64_t fewBytes = 64;

/// The elements of a structure are those of a member.
static bool isPlain(const Array &array) {
  return llvm::StringRef(array.type).ends_with("]");
}

/// Returns true for an array with too many elements to compare an index with.
static bool isLongArray(const Array &array) {
  return isPlain(array) && array.bytes > fewBytes;
}

std::string arrayCure(const Kernel &kernel, unsigned index,
                      const Access &access, const NotKnown &cause) {
  const Array &array = kernel.arrays[index];
  // 18 times as fast where the index is data (H100), constant memory 3 times.
  if (isConstantTable(kernel, index))
    return llvm::formatv("declare '{0}' '__shared__', and let the threads of "
                         "the block fill it once: its elements never change",
                         array.name);
  switch (cause.cause) {
  case NotKnown::Cause::Memory:
  case NotKnown::Cause::Argument:
  case NotKnown::Cause::Other:
    if (isLongArray(array) || cause.what.empty() || !isPlain(array))
      return "";
    return "loop over the elements of '" + array.name +
           "' under '#pragma unroll' and select the one whose number is the "
           "index, or switch over the index";
  case NotKnown::Cause::LoopBound: {
    if (isRestOf(kernel, access.address, *cause.loop))
      return "";
    const std::string bound = boundCure(kernel, *cause.loop);
    const std::string what = decidesLength(kernel, *cause.loop);
    if (!bound.empty() || what.empty() || isLongArray(array))
      return bound;
    return "loop over the whole array under '#pragma unroll', with a condition "
           "on " +
           what + " in the body";
  }
  case NotKnown::Cause::LoopKept:
    return "'#pragma unroll' in place of the loop's pragma";
  default:
    return "";
  }
}

std::pair<Place, std::vector<Place>> whereIndexed(const Kernel &kernel,
                                                  const Access &access,
                                                  const NotKnown &cause) {
  const llvm::ArrayRef<Place> calls = access.callSites;
  if (!cause.loop || llvm::StringRef(access.text).contains('['))
    return {access.place, access.callSites};
  const std::vector<Place> &counter = kernel.loops[*cause.loop].callSites;
  // A function may get its index from another one, which counts it.
  if (counter.size() >= calls.size() ||
      calls.take_front(counter.size()) != llvm::ArrayRef(counter))
    return {access.place, access.callSites};
  return {calls[counter.size()], counter};
}

void setShareOfArray(Finding &finding, const CostedKernel &costed,
                     const ShapeCosts &shape, unsigned index,
                     const Access &access, const NotKnown &cause) {
  const Kernel &kernel = costed.kernel;
  const bool isForShared =
                 cause.cause == NotKnown::Cause::LoopBound
                     ? isRestOf(kernel, access.address, *cause.loop)
                     : !cause.loop && isLongArray(kernel.arrays[index]),
             // No remedy of a long array is to compare its index.
             isCompared = !cause.loop && !isConstantTable(kernel, index) &&
                          !finding.fix.empty();
  setShare(finding, costed, shape,
           savedOfArray(costed, shape, index, isForShared),
           isCompared ? comparisonsOfArray(costed, shape, index) : Demand());
}

std::string indexed(const Access &access) {
  const llvm::StringRef text = access.text;
  const size_t index = text.rfind('[');
  return text.ends_with("]") && index > 0 ? text.take_front(index).str()
                                          : access.object;
}

std::string copyCure(const Kernel &kernel, const Cost &access,
                     const std::string &parameter) {
  // A library's kernel has the parameter, not the user's.
  if (kernel.isDispatched)
    return "";
  // Constant memory serves one address after the other.
  constexpr double oneAddress = 1.5;
  if (access.basis == Basis::Unknown || access.wavefronts >= oneAddress)
    return llvm::formatv("copy '{0}' into shared memory at the start of the "
                         "kernel, and index it there",
                         parameter);
  return llvm::formatv("declare the parameter '{0}' 'const __grid_constant__': "
                       "it is then read in constant memory, at any index "
                       "(sm_70 and newer)",
                       parameter);
}

std::vector<LocalInstruction> localsOf(const FrameShare &share,
                                       const CompiledKernel &kernel) {
  std::vector<LocalInstruction> found;
  llvm::copy_if(kernel.locals, std::back_inserter(found),
                [&](const LocalInstruction &local) {
                  return !local.isMarkedSpill &&
                         share.places.contains({local.file, local.line, 0});
                });
  return found;
}

} // namespace warplint
