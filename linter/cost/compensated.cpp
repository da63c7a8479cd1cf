#include "cost/compensated.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

namespace warplint {

namespace {

/// An input without its negations.
struct Term {
  Input input;
  bool isNegative = false;
};

Term termOf(const Kernel &kernel, const Input &input, bool isNegative = false) {
  Term term{input, isNegative};
  while (term.input.source == Input::Source::Computation &&
         kernel.operations[term.input.index].kind == Compute::Negate) {
    term.input = kernel.inputsOf(kernel.operations[term.input.index])[0];
    term.isNegative = !term.isNegative;
  }
  return term;
}

std::array<Term, 2> termsOf(const Kernel &kernel, const Computation &sum) {
  const llvm::ArrayRef<Input> inputs = kernel.inputsOf(sum);
  return {termOf(kernel, inputs[0]),
          termOf(kernel, inputs[1], sum.kind == Compute::Subtract)};
}

/// Returns true for one value, whatever the signs.
bool isSame(const Term &one, const Term &other) {
  const Input &a = one.input, &b = other.input;
  return a.source == b.source && a.source != Input::Source::Other &&
         a.source != Input::Source::Constant && a.index == b.index;
}

/// Returns true if one term of a sum is itself a sum, from which the other term
/// is taken out again: '(s + y) - s', 't - (t - a)'.
bool isLossOfSum(const Kernel &kernel, const Computation &outer) {
  if (!isSum(outer) || !isFloat(outer.type) || outer.inputCount != 2)
    return false;
  const std::array<Term, 2> terms = termsOf(kernel, outer);
  auto takesOut = [&](const Term &made, const Term &other) {
    if (made.input.source != Input::Source::Computation)
      return false;
    const Computation &inner = kernel.operations[made.input.index];
    return isSum(inner) && inner.inputCount == 2 &&
           llvm::any_of(termsOf(kernel, inner), [&](const Term &term) {
             const bool isNegative = term.isNegative != made.isNegative;
             return isSame(term, other) && isNegative != other.isNegative;
           });
  };
  return takesOut(terms[0], terms[1]) || takesOut(terms[1], terms[0]);
}

/// Returns true for 'fma(a, b, -(a * b))'.
bool isLossOfProduct(const Kernel &kernel, const Computation &fused) {
  if (fused.kind != Compute::Fused || fused.inputCount != 3)
    return false;
  const llvm::ArrayRef<Input> inputs = kernel.inputsOf(fused);
  const Term term = termOf(kernel, inputs[2]);
  if (term.input.source != Input::Source::Computation)
    return false;
  const Computation &product = kernel.operations[term.input.index];
  if (product.kind != Compute::Multiply || product.inputCount != 2)
    return false;
  const Term a = termOf(kernel, inputs[0]), b = termOf(kernel, inputs[1]);
  const std::array<Term, 2> factors = termsOf(kernel, product);
  return (isSame(a, factors[0]) && isSame(b, factors[1])) ||
         (isSame(a, factors[1]) && isSame(b, factors[0]));
}

} // namespace

bool isSum(const Computation &operation) {
  return operation.kind == Compute::Add || operation.kind == Compute::Subtract;
}

bool isCompensated(const Kernel &kernel) {
  return llvm::any_of(kernel.operations, [&](const Computation &operation) {
    return isLossOfSum(kernel, operation) || isLossOfProduct(kernel, operation);
  });
}

} // namespace warplint
