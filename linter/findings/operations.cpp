#include "findings/operations.h"
#include "findings/locate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

std::string shown(const Kernel &kernel, const Computation &operation) {
  const Written &written = kernel.writtenOf(operation);
  if (!written.text.empty())
    return "'" + written.text + "'";
  const std::string kind = spelling(operation.kind);
  return std::string("this ") + spelling(operation.type) + " " + kind;
}

std::string textOfInput(const Kernel &kernel, const Computation &operation,
                        unsigned input) {
  const Written &written = kernel.writtenOf(operation);
  return input < written.operands.size() ? written.operands[input] : "";
}

std::string shareOfPipes(const KernelTime &time, const Demand &demand) {
  const double all = time.total().instructions;
  const double share = all > 0 ? std::min(1.0, demand.instructions / all) : 0;
  if (share < 0.01)
    return "";
  return llvm::formatv("{0:f0} % of the kernel's issue slots", 100 * share);
}

bool pays(const KernelTime &time, const Demand &saved) {
  constexpr double leastShare = 0.02;
  return time.share(saved) >= leastShare;
}

std::vector<std::vector<unsigned>> usersOf(const Kernel &kernel) {
  std::vector<std::vector<unsigned>> users(kernel.operations.size());
  for (unsigned i = 0; i < kernel.operations.size(); ++i)
    for (const Input &input : kernel.inputsOf(kernel.operations[i]))
      if (input.source == Input::Source::Computation)
        users[input.index].push_back(i);
  return users;
}

std::vector<unsigned> operationsInPtx(const Place &place,
                                      const CompiledView &view) {
  const Kernel &ptx = view.ptx->kernel;
  std::vector<bool> isThere(ptx.written.size());
  for (unsigned i = 0; i < ptx.written.size(); ++i)
    isThere[i] = comesFrom(ptx.written[i], place);
  std::vector<unsigned> found;
  for (unsigned i = 0; i < ptx.operations.size(); ++i)
    if (isThere[ptx.operations[i].at])
      found.push_back(i);
  return found;
}

bool isInvariant(const Kernel &kernel, const Computation &operation) {
  return !kernel.loopsOf(operation).empty() &&
         llvm::all_of(kernel.inputsOf(operation), [](const Input &input) {
           return input.source == Input::Source::Constant ||
                  input.invariantLoops > 0;
         });
}

std::vector<unsigned> operationsInPtx(const Place &place, unsigned subject,
                                      const CompiledView &view) {
  std::vector<unsigned> found = operationsInPtx(place, view);
  const Kernel &source = view.source.kernel, &ptx = view.ptx->kernel;
  const Computation &operation = source.operations[subject];
  if (!isInvariant(source, operation))
    return found;
  const size_t depth = source.loopsOf(operation).size();
  llvm::erase_if(found, [&](unsigned i) {
    return ptx.loopsOf(ptx.operations[i]).size() < depth;
  });
  return found;
}

} // namespace warplint
