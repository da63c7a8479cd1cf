#include "cost/unrolling.h"
#include "cost/compile_time.h"
#include "cost/request.h"
#include <map>

namespace warplint {

namespace {

/// Registers that the loaded values may take of the 255 of a thread, beside an
/// array of the same length (H200: 21 doubles of each gain 4.6x).
constexpr double mostRegisters = 64;

/// A load of the same elements in each iteration of `outer`, which nothing
/// writes meanwhile.
bool repeatsIn(const Kernel &kernel, const Access &access, LoopId outer) {
  return access.operation == Operation::Load && !access.isVolatile &&
         (access.isReadOnly || access.isRestrict) && access.bytes &&
         access.space != Space::Shared && access.space != Space::Local &&
         !(kernel.graph.loopsOf()[access.address] &
           ExpressionGraph::loopBit(outer));
}

Demand loadedAgain(const Kernel &kernel, const KernelTime &time, LoopId loop,
                   double iterations) {
  const std::optional<LoopId> outer = kernel.loops[loop].parent;
  Demand saved;
  double registers = 0;
  for (unsigned i = 0; outer && i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (access.loops.empty() || access.loops.back() != loop ||
        !repeatsIn(kernel, access, *outer))
      continue;
    registers += iterations * std::max(1u, access.bytes / wordBytes);
    const double times = std::max(1.0, time.frequencies().trips(*outer).count);
    saved += time.of(i) * (1 - 1 / times);
  }
  return registers <= mostRegisters ? saved : Demand();
}

} // namespace

Demand savedByUnrolling(const Kernel &kernel, const KernelTime &time,
                        LoopId loop, double iterations) {
  constexpr double instructions = 4, most = 0.5;
  const double all = time.ofLoop(loop).instructions;
  const double executions =
      time.frequencies()
          .of(kernel.nestOf(loop), kernel.loops[loop].enters)
          .perWarp;
  Demand saved = loadedAgain(kernel, time, loop, iterations);
  saved.instructions += std::min(all * most, instructions * executions);
  return saved;
}

Demand savedByKnownBounds(const Kernel &kernel, const KernelTime &time,
                          unsigned array) {
  std::map<LoopId, unsigned> elementBytes;
  for (const Access &access : kernel.accesses)
    if (access.array == array)
      if (const auto why = whyNotKnown(kernel, access.address);
          why && why->cause == NotKnown::Cause::LoopBound)
        elementBytes[*why->loop] = std::max(1u, access.bytes);
  Demand saved;
  for (const auto &[loop, bytes] : elementBytes)
    saved += savedByUnrolling(kernel, time, loop,
                              double(kernel.arrays[array].bytes) / bytes);
  return saved;
}

} // namespace warplint
