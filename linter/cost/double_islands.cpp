#include "cost/double_islands.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <map>

namespace warplint {

namespace {

bool isDoubleValue(const Computation &operation) {
  return operation.type == Number::F64 && operation.kind != Compute::Compare;
}

/// Returns true if it takes or gives a double.
bool isDouble(const Computation &operation) {
  return operation.type == Number::F64 || operation.from == Number::F64;
}

bool isConversion(const Computation &operation) {
  return operation.kind == Compute::Convert;
}

class IslandReader {
public:
  explicit IslandReader(const Kernel &kernel)
      : kernel_(kernel), users_(kernel.operations.size()) {}

  std::vector<DoubleIsland> read() {
    llvm::EquivalenceClasses<unsigned> classes;
    for (unsigned i = 0; i < kernel_.operations.size(); ++i) {
      const Computation &operation = kernel_.operations[i];
      for (const Input &input : kernel_.inputsOf(operation)) {
        if (input.source != Input::Source::Computation)
          continue;
        users_[input.index].push_back(i);
        if (isDouble(operation) &&
            isDoubleValue(kernel_.operations[input.index]))
          classes.unionSets(i, input.index);
      }
      if (isDouble(operation))
        classes.insert(i);
    }
    std::map<unsigned, std::vector<unsigned>> members;
    for (unsigned i = 0; i < kernel_.operations.size(); ++i)
      if (isDouble(kernel_.operations[i]))
        members[classes.getLeaderValue(i)].push_back(i);
    std::vector<DoubleIsland> islands;
    for (const auto &[leader, operations] : members)
      if (isAccidental(operations))
        if (DoubleIsland island = keptOf(operations);
            !island.operations.empty())
          islands.push_back(std::move(island));
    llvm::sort(islands, [](const DoubleIsland &a, const DoubleIsland &b) {
      return a.operations < b.operations;
    });
    return islands;
  }

private:
  bool isAccidental(llvm::ArrayRef<unsigned> operations) const {
    bool hasFloat = false, isMadeOfWhole = false, becomesFloat = false;
    for (unsigned i : operations) {
      const Computation &operation = kernel_.operations[i];
      if (operation.kind == Compute::Call ||
          (operation.isStored && operation.type == Number::F64))
        return false;
      if (isConversion(operation)) {
        const bool isFromFloat =
            operation.from == Number::F32 || operation.from == Number::F16;
        const bool isToFloat =
            operation.type == Number::F32 || operation.type == Number::F16;
        if (operation.type == Number::F64 &&
            kernel_.writtenOf(operation).isCast)
          return false;
        hasFloat |= isFromFloat;
        isMadeOfWhole |= !isFromFloat && operation.type == Number::F64;
        becomesFloat |= isToFloat;
      }
      if (isAccumulated(i))
        return false;
      if (!isConversion(operation) && !areOwn(operation))
        return false;
    }
    return hasFloat || (isMadeOfWhole && becomesFloat);
  }

  /// Returns true if no double input comes from memory or from what is not
  /// followed.
  bool areOwn(const Computation &operation) const {
    for (const Input &input : kernel_.inputsOf(operation)) {
      if (input.source == Input::Source::Other)
        return false;
      if (input.source == Input::Source::Access) {
        const Access &access = kernel_.accesses[input.index];
        if (access.bytes >= 8 && access.space != Space::Parameter &&
            access.space != Space::Constant)
          return false;
      }
    }
    return true;
  }

  /// Returns true for the double that a loop passes to its next iteration.
  bool isAccumulated(unsigned i) const {
    const Computation &operation = kernel_.operations[i];
    if (operation.kind != Compute::Join)
      return false;
    for (const Input &input : kernel_.inputsOf(operation))
      if (input.source == Input::Source::Computation && input.index >= i)
        return true;
    return false;
  }

  static bool isFloatConstant(double value) {
    return double(float(value)) == value;
  }

  /// Returns true for a float, as a double.
  bool isWidenedFloat(const Input &input) const {
    if (input.source == Input::Source::Constant)
      return isFloatConstant(input.constant);
    if (input.source != Input::Source::Computation)
      return false;
    const Computation &from = kernel_.operations[input.index];
    return isConversion(from) &&
           (from.from == Number::F32 || from.from == Number::F16);
  }

  /// Returns true if the result, rounded to float, is that of the float
  /// operation: nvcc uses it then.
  bool isNarrowed(unsigned i) const {
    const Computation &operation = kernel_.operations[i];
    switch (operation.kind) {
    case Compute::Add:
    case Compute::Subtract:
    case Compute::Multiply:
    case Compute::Divide:
    case Compute::SquareRoot:
    case Compute::Absolute:
    case Compute::Negate:
    case Compute::Round:
    case Compute::Compare:
      break;
    default:
      return false;
    }
    if (!llvm::all_of(kernel_.inputsOf(operation), [&](const Input &input) {
          return isWidenedFloat(input);
        }))
      return false;
    return operation.kind == Compute::Compare ||
           llvm::all_of(users_[i], [&](unsigned user) {
             const Computation &use = kernel_.operations[user];
             return isConversion(use) && use.type == Number::F32;
           });
  }

  DoubleIsland keptOf(llvm::ArrayRef<unsigned> operations) const {
    DoubleIsland island;
    for (unsigned i : operations) {
      const Computation &operation = kernel_.operations[i];
      if (isConversion(operation))
        island.conversions.push_back(i);
      else if (operation.kind != Compute::Join &&
               operation.kind != Compute::Negate && !isNarrowed(i))
        island.operations.push_back(i);
    }
    return island;
  }

  const Kernel &kernel_;
  std::vector<std::vector<unsigned>> users_; ///< by operation
};

} // namespace

std::vector<DoubleIsland> accidentalDoubles(const Kernel &kernel) {
  return IslandReader(kernel).read();
}

} // namespace warplint
