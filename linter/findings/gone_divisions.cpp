#include "findings/gone_divisions.h"
#include "findings/operations.h"
#include "model/pipe_counts.h"

namespace warplint {

std::vector<unsigned> goneDivisions(const CompiledView &view) {
  std::vector<unsigned> gone;
  if (!view.ptx)
    return gone;
  const Kernel &source = view.source.kernel;
  for (unsigned i = 0; i < source.operations.size(); ++i) {
    const Computation &operation = source.operations[i];
    if (isDivision(operation) && !isFloat(operation.type) &&
        operation.inputCount == 2 &&
        source.inputsOf(operation)[1].source != Input::Source::Constant &&
        source.writtenOf(operation).place.line &&
        divisionsLeft(i, view).empty())
      gone.push_back(i);
  }
  return gone;
}

void replaceDivision(Kernel &kernel, unsigned operation) {
  Computation &division = kernel.operations[operation];
  // Where it is executed: before the loops that leave its inputs as they are.
  size_t invariant = kernel.loopsOf(division).size();
  for (const Input &input : kernel.inputsOf(division))
    if (input.source != Input::Source::Constant)
      invariant = std::min<size_t>(invariant, input.invariantLoops);
  const PipeCounts before = pipesOf(kernel, division);
  division.kind = Compute::Logic;
  PipeCounts after = before * -1;
  after += pipesOf(kernel, division);
  Arithmetic change;
  change.guard = kernel.arithmetic[division.under].guard;
  change.loops = kernel.arithmetic[division.under].loops;
  change.loops.resize(change.loops.size() - invariant);
  addPipes(after, change);
  kernel.arithmetic.push_back(std::move(change));
}

} // namespace warplint
