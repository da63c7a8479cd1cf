#include "findings/operations.h"
#include "cost/divisions.h"
#include "findings/locate.h"
#include "model/argument_bytes.h"
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

std::string vectorOfInput(const Kernel &kernel, const Computation &operation,
                          unsigned input) {
  std::string text = textOfInput(kernel, operation, input);
  const llvm::StringRef component = llvm::StringRef(text).take_back(2);
  if (component.size() == 2 && component[0] == '.' &&
      llvm::StringRef("xyzw").contains(component[1]))
    text.resize(text.size() - 2);
  return text;
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

namespace {

/// The argument, or the member of one, that alone decides the divisor.
std::optional<uint64_t> argumentOfDivisor(const Kernel &kernel,
                                          const Computation &division) {
  const ExpressionGraph &graph = kernel.graph;
  const Input &divisor = kernel.inputsOf(division)[1];
  if (!divisor.hasValue)
    return std::nullopt;
  ValueId value = divisor.value;
  while (graph.node(value).op == Op::Resize ||
         graph.node(value).op == Op::SignExtend)
    value = graph.operand(value, 0);
  return argumentEntry(graph, value);
}

bool divideAlike(const Kernel &kernel, const Computation &one,
                 const Computation &other) {
  const llvm::ArrayRef<Input> a = kernel.inputsOf(one),
                              b = kernel.inputsOf(other);
  return a[0].hasValue && a[1].hasValue && b[0].hasValue && b[1].hasValue &&
         a[0].value == b[0].value && a[1].value == b[1].value;
}

} // namespace

std::vector<unsigned> divisionsLeft(unsigned subject,
                                    const CompiledView &view) {
  const Kernel &source = view.source.kernel, &ptx = view.ptx->kernel;
  const Computation &wanted = source.operations[subject];
  std::vector<Place> same, others;
  for (const Computation &operation : source.operations)
    if (isDivision(operation) && operation.inputCount == 2)
      (divideAlike(source, wanted, operation) ? same : others)
          .push_back(source.writtenOf(operation).place);
  same.push_back(source.writtenOf(wanted).place);
  const std::optional<uint64_t> argument = argumentOfDivisor(source, wanted);
  std::vector<unsigned> left;
  for (unsigned i = 0; i < ptx.operations.size(); ++i) {
    const Computation &operation = ptx.operations[i];
    if (!isDivision(operation) || operation.inputCount != 2 ||
        isFloat(operation.type) != isFloat(wanted.type) ||
        ptx.inputsOf(operation)[1].source == Input::Source::Constant)
      continue;
    const Written &written = ptx.writtenOf(operation);
    auto isAt = [&](const Place &place) { return comesFrom(written, place); };
    const bool isWithoutLine =
        wanted.type == Number::I64 && written.place.line == 0;
    if (isWithoutLine || llvm::any_of(same, isAt) ||
        (argument && argumentOfDivisor(ptx, operation) == argument &&
         llvm::none_of(others, isAt)))
      left.push_back(i);
  }
  return left;
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
