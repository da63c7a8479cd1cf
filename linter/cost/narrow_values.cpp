#include "cost/narrow_values.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace warplint {

namespace {

bool isNarrow(Number type) { return type == Number::I8 || type == Number::I16; }

unsigned widthOf(Number type) {
  return type == Number::I1    ? 1
         : type == Number::I8  ? 8
         : type == Number::I16 ? 16
                               : 32;
}

/// A shift of what is not negative is one to the right of unknown sign: the
/// source tells it from one to the left.
bool isRightShift(const Kernel &kernel, const Computation &operation) {
  return operation.kind == Compute::Shift &&
         (operation.isSigned ||
          llvm::StringRef(kernel.writtenOf(operation).text).contains(">>"));
}

/// Returns true if the upper bits of its inputs change the result.
bool needsAllBits(const Kernel &kernel, const Computation &operation) {
  // Halves are 16 bits to their functions, and no integers.
  const bool isConvert = operation.kind == Compute::Convert;
  if (isConvert ? isFloat(operation.from) : isFloat(operation.type))
    return false;
  switch (operation.kind) {
  case Compute::Compare:
  case Compute::Divide:
  case Compute::Remainder:
  case Compute::Minimum:
  case Compute::Maximum:
  case Compute::Bits:
    return true;
  case Compute::Shift: // to the left, the low bits alone count
    return isRightShift(kernel, operation);
  case Compute::Convert:
    return isFloat(operation.type);
  default:
    return false;
  }
}

/// Returns true if the low bits of the result come from those of the inputs,
/// and the upper bits from all: who needs all bits of it needs all of theirs.
bool passesBitsOn(const Kernel &kernel, const Computation &operation) {
  switch (operation.kind) {
  case Compute::Add:
  case Compute::Subtract:
  case Compute::Multiply:
  case Compute::Negate:
  case Compute::Shift:
  case Compute::Select:
    return !isFloat(operation.type) && !isNarrow(operation.type);
  case Compute::Logic: // a mask takes the upper bits away
    return !isNarrow(operation.type) &&
           llvm::none_of(kernel.inputsOf(operation), [](const Input &input) {
             return input.source == Input::Source::Constant &&
                    input.constant >= 0;
           });
  default:
    return false;
  }
}

class NarrowReader {
public:
  explicit NarrowReader(const Kernel &kernel)
      : kernel_(kernel), users_(kernel.operations.size()) {
    for (unsigned i = 0; i < kernel.operations.size(); ++i)
      for (const Input &input : kernel.inputsOf(kernel.operations[i]))
        if (input.source == Input::Source::Computation)
          users_[input.index].push_back(i);
  }

  std::vector<NarrowValue> read() {
    std::vector<NarrowValue> values;
    llvm::DenseSet<unsigned> seen;
    for (unsigned i = 0; i < kernel_.operations.size(); ++i)
      if (isCarried(i))
        add(values, valueOf(i, valuesOf(i, loopOf(i)), isCounter(i), seen));
    for (unsigned i = 0; i < kernel_.operations.size(); ++i)
      if (isCutOff(i) && !seen.contains(i))
        add(values, valueOf(i, copiesOf(i), false, seen));
    return values;
  }

private:
  static void add(std::vector<NarrowValue> &values, NarrowValue value) {
    if (!value.uses.empty())
      values.push_back(std::move(value));
  }

  LoopId loopOf(unsigned i) const {
    return kernel_.loopsOf(kernel_.operations[i]).back();
  }

  bool isCarried(unsigned i) const {
    const Computation &join = kernel_.operations[i];
    return join.kind == Compute::Join && isNarrow(join.type) &&
           !kernel_.loopsOf(join).empty() &&
           llvm::any_of(kernel_.inputsOf(join), [&](const Input &input) {
             return input.source == Input::Source::Computation &&
                    input.index >= i;
           });
  }

  bool isIn(const Computation &operation, LoopId loop) const {
    return llvm::is_contained(kernel_.loopsOf(operation), loop);
  }

  /// The operations that hold the variable's values: the join, and what an
  /// iteration makes of it in as many bits on the way to the next one.
  std::vector<unsigned> valuesOf(unsigned join, LoopId loop) const {
    llvm::DenseSet<unsigned> before = {join}, after = {join};
    std::vector<unsigned> open = {join};
    while (!open.empty()) {
      const unsigned at = open.back();
      open.pop_back();
      for (const Input &input : kernel_.inputsOf(kernel_.operations[at]))
        if (input.source == Input::Source::Computation &&
            isIn(kernel_.operations[input.index], loop) &&
            before.insert(input.index).second)
          open.push_back(input.index);
    }
    open = {join};
    std::vector<unsigned> values;
    while (!open.empty()) {
      const unsigned at = open.back();
      open.pop_back();
      if (isNarrow(kernel_.operations[at].type))
        values.push_back(at);
      for (unsigned user : users_[at])
        if (before.contains(user) && after.insert(user).second)
          open.push_back(user);
    }
    llvm::sort(values);
    return values;
  }

  /// Returns true for what each iteration computes and cuts off: 'short d = a -
  /// b'.
  bool isCutOff(unsigned i) const {
    const Computation &cut = kernel_.operations[i];
    if (cut.kind != Compute::Convert || !isNarrow(cut.type) ||
        isFloat(cut.from) || kernel_.loopsOf(cut).empty())
      return false;
    return bitsOf(kernel_.inputsOf(cut)[0]) > widthOf(cut.type);
  }

  /// Bits that hold each value of the input, none of them negative; 32 if that
  /// is unknown.
  unsigned bitsOf(const Input &input, unsigned depth = 0) const {
    constexpr unsigned all = 32, deepest = 8;
    if (input.source == Input::Source::Constant)
      return input.constant < 0 ? all
                                : std::ilogb(std::max(1.0, input.constant)) + 1;
    if (input.source != Input::Source::Computation || depth == deepest)
      return all;
    const Computation &operation = kernel_.operations[input.index];
    const llvm::ArrayRef<Input> inputs = kernel_.inputsOf(operation);
    auto of = [&](unsigned i) { return bitsOf(inputs[i], depth + 1); };
    switch (operation.kind) {
    case Compute::Convert: {
      if (isFloat(operation.from))
        return all;
      const unsigned from = widthOf(operation.from), bits = of(0);
      if (operation.isSigned && bits >= from)
        return all; // it may be negative
      return std::min({from, widthOf(operation.type), bits});
    }
    case Compute::Add:
      return std::min(all, std::max(of(0), of(1)) + 1);
    case Compute::Multiply:
      return std::min(all, of(0) + of(1));
    case Compute::Select:
      return std::max(of(1), of(2));
    case Compute::Divide:
      return of(0);
    case Compute::Remainder:
      return std::min(of(0), of(1));
    case Compute::Logic: // the kind does not tell 'and' from 'or'
      return std::max(of(0), of(1));
    case Compute::Shift: {
      if (!isRightShift(kernel_, operation) ||
          inputs[1].source != Input::Source::Constant)
        return all;
      const unsigned bits = of(0);
      return bits < all ? bits - std::min<double>(bits, inputs[1].constant)
                        : all;
    }
    default:
      return all;
    }
  }

  /// The value, and the variables that hold it in as many bits.
  std::vector<unsigned> copiesOf(unsigned cut) const {
    const LoopId loop = loopOf(cut);
    std::vector<unsigned> values = {cut};
    for (unsigned k = 0; k < values.size(); ++k)
      for (unsigned user : users_[values[k]]) {
        const Computation &operation = kernel_.operations[user];
        const bool isCopy = operation.kind == Compute::Join ||
                            operation.kind == Compute::Select;
        if (isCopy && isNarrow(operation.type) && isIn(operation, loop) &&
            !llvm::is_contained(values, user))
          values.push_back(user);
      }
    return values;
  }

  bool isUse(unsigned i) const {
    const Computation &operation = kernel_.operations[i];
    if (operation.kind == Compute::Logic) // 'state & 0x80', tested
      return llvm::any_of(users_[i], [&](unsigned user) {
        return kernel_.operations[user].kind == Compute::Compare;
      });
    return needsAllBits(kernel_, operation);
  }

  /// Returns the operations that need all bits of a value extended to 32 bits,
  /// directly or after sums and products.
  std::vector<unsigned> usesBeyond(unsigned extension, LoopId loop) const {
    std::vector<unsigned> found, open = {extension};
    llvm::DenseSet<unsigned> seen = {extension};
    while (!open.empty()) {
      const unsigned at = open.back();
      open.pop_back();
      for (unsigned user : users_[at]) {
        const Computation &operation = kernel_.operations[user];
        if (!isIn(operation, loop) || !seen.insert(user).second)
          continue;
        if (at == extension ? isUse(user) : needsAllBits(kernel_, operation))
          found.push_back(user);
        else if (passesBitsOn(kernel_, operation))
          open.push_back(user);
      }
    }
    return found;
  }

  /// Returns true if each iteration adds to it what the loop leaves as it is,
  /// and does nothing else with it: a counter.
  bool isCounter(unsigned join) const {
    const Computation &carried = kernel_.operations[join];
    return llvm::all_of(kernel_.inputsOf(carried), [&](const Input &input) {
      if (input.source != Input::Source::Computation || input.index < join)
        return true; // the first value
      unsigned at = input.index;
      if (kernel_.operations[at].kind == Compute::Convert) {
        const Input &from = kernel_.inputsOf(kernel_.operations[at])[0];
        if (from.source != Input::Source::Computation)
          return false;
        at = from.index;
      }
      const Computation &sum = kernel_.operations[at];
      return (sum.kind == Compute::Add || sum.kind == Compute::Subtract) &&
             llvm::all_of(kernel_.inputsOf(sum), [&](const Input &part) {
               return part.invariantLoops > 0 || isOrExtends(part, join);
             });
    });
  }

  bool isOrExtends(const Input &input, unsigned join) const {
    if (input.source != Input::Source::Computation)
      return false;
    if (input.index == join)
      return true;
    const Computation &operation = kernel_.operations[input.index];
    return operation.kind == Compute::Convert &&
           kernel_.inputsOf(operation)[0].source ==
               Input::Source::Computation &&
           kernel_.inputsOf(operation)[0].index == join;
  }

  /// Returns true for the comparison of a counter with what the loop leaves as
  /// it is.
  bool isBound(unsigned i) const {
    const Computation &operation = kernel_.operations[i];
    return operation.kind == Compute::Compare &&
           llvm::any_of(kernel_.inputsOf(operation), [](const Input &input) {
             return input.invariantLoops > 0;
           });
  }

  /// `seen`: values of variables that others are made from and back.
  NarrowValue valueOf(unsigned made, llvm::ArrayRef<unsigned> values,
                      bool isCounter, llvm::DenseSet<unsigned> &seen) const {
    NarrowValue value{made, {}, {}, {}, isCounter};
    const LoopId loop = loopOf(made);
    bool isSignedCounter = value.isCounter;
    for (unsigned at : values) {
      if (!seen.insert(at).second)
        continue;
      if (kernel_.operations[at].kind == Compute::Convert)
        value.updates.push_back(at);
      for (unsigned user : users_[at]) {
        const Computation &operation = kernel_.operations[user];
        if (!isIn(operation, loop))
          continue;
        const bool extends =
            operation.kind == Compute::Convert && isNarrow(operation.from) &&
            !isNarrow(operation.type) && !isFloat(operation.type);
        bool isUsed = false;
        auto use = [&](unsigned by, bool isSigned) {
          isUsed = true;
          value.uses.push_back(by);
          isSignedCounter &= isSigned && isBound(by);
        };
        if (extends)
          for (unsigned beyond : usesBeyond(user, loop))
            use(beyond, operation.isSigned);
        else if (isUse(user))
          use(user, operation.isSigned);
        if (isUsed)
          value.extensions.push_back(user);
      }
    }
    if (isSignedCounter)
      value.uses.clear();
    llvm::sort(value.uses);
    value.uses.erase(llvm::unique(value.uses), value.uses.end());
    return value;
  }

  const Kernel &kernel_;
  std::vector<std::vector<unsigned>> users_; ///< by operation
};

} // namespace

std::vector<NarrowValue> narrowValues(const Kernel &kernel) {
  return NarrowReader(kernel).read();
}

} // namespace warplint
