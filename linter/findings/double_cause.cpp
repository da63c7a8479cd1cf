#include "findings/double_cause.h"
#include "findings/operations.h"
#include "findings/wording.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

namespace {

/// "1", "-3", "1e-5f": no double, but what it meets makes it one.
bool isOtherLiteral(llvm::StringRef text) {
  text = text.trim("+-( )");
  return !text.empty() &&
         (llvm::all_of(text, llvm::isDigit) ||
          ((llvm::isDigit(text[0]) || text[0] == '.') &&
           text.ends_with_insensitive("f") &&
           text.find_first_of(" */(") == llvm::StringRef::npos));
}

/// "0.999", "1.", "1e-3", "0x1p-2": a literal of type double.
bool isDoubleLiteral(llvm::StringRef text) {
  text = text.ltrim("+-( ");
  text = text.rtrim(" )");
  if (text.empty() || !(llvm::isDigit(text[0]) || text[0] == '.'))
    return false;
  double value;
  return !text.getAsDouble(value) &&
         text.find_first_of(".eEpP") != llvm::StringRef::npos;
}

DoubleCause causeOf(const Kernel &kernel, const Computation &operation) {
  DoubleCause cause;
  auto propose = [&](decltype(DoubleCause::kind) kind, std::string text) {
    if (kind > cause.kind && !text.empty())
      cause = {kind, std::move(text)};
  };
  const llvm::ArrayRef<Input> inputs = kernel.inputsOf(operation);
  const Written &written = kernel.writtenOf(operation);
  for (const std::string &operand : written.operands)
    if (isDoubleLiteral(operand))
      propose(DoubleCause::Literal, operand);
  for (unsigned i = 0; i < inputs.size(); ++i) {
    const std::string text = textOfInput(kernel, operation, i);
    if (inputs[i].source == Input::Source::Constant && !isOtherLiteral(text))
      propose(DoubleCause::Constant, text);
    if (inputs[i].source == Input::Source::Argument ||
        inputs[i].source == Input::Source::Access)
      propose(DoubleCause::Variable, text);
  }
  // A function that is given what was computed in double has no choice.
  const bool isGivenDouble = llvm::any_of(inputs, [&](const Input &input) {
    if (input.source != Input::Source::Computation)
      return false;
    const Computation &made = kernel.operations[input.index];
    return made.type == Number::F64 && made.kind != Compute::Convert;
  });
  if (!written.function.empty() && operation.kind != Compute::Call &&
      !isGivenDouble)
    propose(DoubleCause::Function, written.function);
  return cause;
}

/// The constant that an operation has from elsewhere than its own text: the
/// name of one, or the value of one that a function is called with. Empty for
/// numbers in the text.
std::string constantInWords(const Kernel &kernel, const Computation &operation,
                            unsigned input, const Written &seenFrom) {
  const double value = kernel.inputsOf(operation)[input].constant;
  const std::string text = textOfInput(kernel, operation, input);
  const llvm::StringRef number = llvm::StringRef(text).trim("+-( )");
  if (number.empty() || ((llvm::isDigit(number[0]) || number[0] == '.') &&
                         number.find_first_of(" */(") == llvm::StringRef::npos))
    return "";
  if (kernel.writtenOf(operation).callSites != seenFrom.callSites) {
    llvm::SmallString<32> digits;
    llvm::APFloat(value).toString(digits, /*FormatPrecision=*/9);
    return std::string(digits);
  }
  // What a float holds may be one, or an integer.
  return double(float(value)) == value ? "" : "'" + text + "'";
}

} // namespace

unsigned culpritOf(const Kernel &kernel, const DoubleIsland &island,
                   DoubleCause &cause) {
  unsigned culprit = island.operations.front();
  for (unsigned i : island.operations)
    if (DoubleCause seen = causeOf(kernel, kernel.operations[i]);
        seen.kind > cause.kind) {
      cause = std::move(seen);
      culprit = i;
    }
  return culprit;
}

std::string cureOf(const Kernel &kernel, const DoubleIsland &island,
                   const DoubleCause &cause, const Written &culprit) {
  // One double keeps the others: all of them have to go.
  std::vector<std::string> literals, variables, constants;
  auto add = [](std::vector<std::string> &names, std::string name) {
    if (!name.empty() && !llvm::is_contained(names, name))
      names.push_back(std::move(name));
  };
  for (unsigned i : island.operations) {
    const Computation &operation = kernel.operations[i];
    const llvm::ArrayRef<Input> inputs = kernel.inputsOf(operation);
    for (const std::string &operand : kernel.writtenOf(operation).operands)
      if (isDoubleLiteral(operand))
        add(literals, llvm::StringRef(operand).trim("+-( )").str() + "f");
    for (unsigned input = 0; input < inputs.size(); ++input) {
      if (inputs[input].source == Input::Source::Argument ||
          inputs[input].source == Input::Source::Access)
        add(variables, textOfInput(kernel, operation, input));
      if (inputs[input].source == Input::Source::Constant)
        add(constants, constantInWords(kernel, operation, input, culprit));
    }
  }
  std::vector<std::string> steps;
  switch (cause.kind) {
  case DoubleCause::Literal:
    steps.push_back("write " + quotedNames(literals));
    break;
  case DoubleCause::Constant:
    add(constants, "'" + cause.text + "'");
    break;
  case DoubleCause::Function:
    return "call '" + cause.text + "f' with floats";
  case DoubleCause::Variable:
  case DoubleCause::Nothing:
    break;
  }
  constexpr unsigned shownConstants = 3;
  const size_t all = constants.size();
  constants.resize(std::min<size_t>(all, shownConstants));
  if (all)
    steps.push_back(
        (all > 1 ? "use floats of the values of "
                 : "use a float of the value of ") +
        llvm::join(constants, ", ") +
        (all > shownConstants
             ? llvm::formatv(" and {0} more", all - shownConstants).str()
             : ""));
  if (!variables.empty())
    steps.push_back(llvm::formatv("make {0} {1}, or convert {2} to one first",
                                  quotedNames(variables),
                                  variables.size() > 1 ? "floats" : "a float",
                                  variables.size() > 1 ? "each" : "it"));
  return steps.empty() ? "keep the values in floats"
                       : llvm::join(steps, ", and ");
}

} // namespace warplint
