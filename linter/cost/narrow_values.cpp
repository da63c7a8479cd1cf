#include "cost/narrow_values.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

bool isNarrow(Number type) { return type == Number::I8 || type == Number::I16; }

/// Returns true if the upper bits of its inputs change the result.
bool needsAllBits(const Computation &operation) {
  switch (operation.kind) {
  case Compute::Compare:
  case Compute::Divide:
  case Compute::Remainder:
  case Compute::Minimum:
  case Compute::Maximum:
  case Compute::Bits:
    return true;
  case Compute::Shift: // to the left, the low bits alone count
    return operation.isSigned;
  case Compute::Convert:
    return isFloat(operation.type);
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
    for (unsigned i = 0; i < kernel_.operations.size(); ++i)
      if (isCarried(i))
        if (NarrowValue value = valueOf(i); !value.uses.empty())
          values.push_back(std::move(value));
    return values;
  }

private:
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

  /// The operations that hold the variable's values: the join, and what paths
  /// and conversions of an iteration make of it.
  std::vector<unsigned> valuesOf(unsigned join, LoopId loop) const {
    std::vector<unsigned> values = {join};
    llvm::DenseSet<unsigned> seen = {join};
    for (size_t next = 0; next < values.size(); ++next) {
      const Computation &value = kernel_.operations[values[next]];
      if (value.kind != Compute::Join && value.kind != Compute::Select)
        continue;
      for (const Input &input : kernel_.inputsOf(value))
        if (input.source == Input::Source::Computation &&
            isNarrow(kernel_.operations[input.index].type) &&
            isIn(kernel_.operations[input.index], loop) &&
            seen.insert(input.index).second)
          values.push_back(input.index);
    }
    return values;
  }

  bool isUse(unsigned i) const {
    const Computation &operation = kernel_.operations[i];
    if (operation.kind == Compute::Logic) // 'state & 0x80', tested
      return llvm::any_of(users_[i], [&](unsigned user) {
        return kernel_.operations[user].kind == Compute::Compare;
      });
    return needsAllBits(operation);
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

  NarrowValue valueOf(unsigned join) const {
    NarrowValue value{join, {}, {}, 0};
    const LoopId loop = kernel_.loopsOf(kernel_.operations[join]).back();
    bool isSignedCounter = true;
    for (unsigned at : valuesOf(join, loop)) {
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
          if (!isUse(by))
            return;
          isUsed = true;
          value.uses.push_back(by);
          isSignedCounter &= isSigned && isBound(by);
        };
        if (extends)
          for (unsigned beyond : users_[user])
            use(beyond, operation.isSigned);
        else
          use(user, operation.isSigned);
        value.extensions += isUsed;
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
