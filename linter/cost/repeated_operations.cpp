#include "cost/repeated_operations.h"
#include "cost/compile_time.h"
#include "cost/divisions.h"
#include "cost/warp.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

namespace warplint {

namespace {

/// Tells where a value that was computed under one condition is there, too.
class Executed {
public:
  explicit Executed(const Kernel &kernel) : kernel_(kernel) {}

  /// Returns the index in `earlier` of one that was executed wherever `under`
  /// is: both are indexes into Kernel::arithmetic.
  std::optional<size_t> servesIn(uint32_t under,
                                 llvm::ArrayRef<uint32_t> earlier) {
    return first(earlier,
                 [&](uint32_t each) { return isImplied(each, under); });
  }

  /// Returns the index in `earlier` of one that is executed in a part of
  /// `under`: nvcc moves it before the branch.
  std::optional<size_t> servedFrom(uint32_t under,
                                   llvm::ArrayRef<uint32_t> earlier) {
    return first(earlier,
                 [&](uint32_t each) { return isImplied(under, each); });
  }

private:
  static std::optional<size_t>
  first(llvm::ArrayRef<uint32_t> earlier,
        llvm::function_ref<bool(uint32_t)> serves) {
    // Generated code has hundreds of equal operations under as many conditions.
    constexpr size_t most = 64;
    for (size_t i = 0; i < std::min(earlier.size(), most); ++i)
      if (serves(earlier[i]))
        return i;
    return std::nullopt;
  }

  bool isImplied(uint32_t condition, uint32_t under) {
    if (condition == under)
      return true;
    auto [known, isNew] = implied_.try_emplace({condition, under}, false);
    if (isNew)
      known->second =
          isPartOf(kernel_.arithmetic[condition], kernel_.arithmetic[under]);
    return known->second;
  }

  bool isPartOf(const Arithmetic &outer, const Arithmetic &inner) {
    if (outer.loops.size() > inner.loops.size() ||
        !std::equal(outer.loops.begin(), outer.loops.end(),
                    inner.loops.begin()))
      return false;
    const ExpressionGraph &graph = kernel_.graph;
    if (graph.node(outer.guard).op == Op::Constant)
      return true;
    return outer.guard == inner.guard ||
           (outer.guard < inner.guard &&
            termsOf(inner.guard).contains(outer.guard));
  }

  /// What a guard joins by 'and', which are older nodes than it is. Kept for
  /// the last one: the terms of a long chain of `else if` are as many as its
  /// guards, and each is compared with dozens of others in turn.
  const llvm::DenseSet<ValueId> &termsOf(ValueId guard) {
    if (termsOf_ == guard)
      return terms_;
    using Walk = ExpressionGraph::Walk;
    terms_.clear();
    kernel_.graph.walk(guard, terms_, [&](ValueId id) {
      return kernel_.graph.node(id).op == Op::And ? Walk::Into : Walk::Past;
    });
    termsOf_ = guard;
    return terms_;
  }

  const Kernel &kernel_;
  std::optional<ValueId> termsOf_;
  llvm::DenseSet<ValueId> terms_;
  std::map<std::pair<uint32_t, uint32_t>, bool> implied_;
};

/// Returns true if each iteration of the innermost loop around an operation
/// executes it, whatever else stays the same in the loop: nvcc leaves the
/// reciprocal behind the branch of such a flag, too.
bool isInEachIteration(const Kernel &kernel, const Computation &operation) {
  using Walk = ExpressionGraph::Walk;
  const ExpressionGraph &graph = kernel.graph;
  const Arithmetic &under = kernel.arithmetic[operation.under];
  const LoopId loop = under.loops.back();
  auto isAnd = [&](ValueId id) { return graph.node(id).op == Op::And; };
  llvm::SmallDenseSet<ValueId, 4> ofLoop;
  for (ValueId ofWhole :
       {kernel.loops[loop].enters, kernel.loops[loop].continues})
    graph.walk(ofWhole, [&](ValueId id) {
      ofLoop.insert(id);
      return isAnd(id) ? Walk::Into : Walk::Past;
    });
  return graph.walk(under.guard, [&](ValueId id) {
    return ofLoop.contains(id) || graph.isConstant(id, 1) ? Walk::Past
           : isAnd(id)                                    ? Walk::Into
                                                          : Walk::Stop;
  });
}

} // namespace

std::vector<bool> repeatedOperations(const Kernel &kernel) {
  // Loads that a register serves have the value of the load or store before.
  std::map<std::pair<ValueId, unsigned>, uint32_t> loads;
  std::vector<uint32_t> loadOf(kernel.accesses.size());
  for (uint32_t i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    const std::pair key(access.address, access.bytes);
    const bool isServed =
        access.operation == Operation::Load && access.need == Need::Never;
    loadOf[i] = isServed && loads.contains(key) ? loads[key] : i;
    loads[key] = loadOf[i];
  }
  using Key = std::tuple<
      Compute, Number, Number, bool, bool, std::string,
      std::vector<std::tuple<Input::Source, uint64_t, uint32_t, double>>>;
  struct Earlier {
    std::vector<uint32_t> under; ///< by operation
    std::vector<uint32_t> operations;
  };
  std::map<Key, Earlier> first;
  Executed executed(kernel);
  std::vector<uint32_t> same(kernel.operations.size());
  std::vector<bool> repeated(kernel.operations.size());
  for (uint32_t i = 0; i < kernel.operations.size(); ++i) {
    const Computation &operation = kernel.operations[i];
    same[i] = i;
    const bool mayRepeat = operation.kind != Compute::Join &&
                           operation.kind != Compute::Call &&
                           operation.kind != Compute::Compare;
    // The kind does not tell 'and' from 'or', nor left from right.
    const bool needsText =
        operation.kind == Compute::Logic || operation.kind == Compute::Shift;
    const Written &written = kernel.writtenOf(operation);
    std::vector<std::tuple<Input::Source, uint64_t, uint32_t, double>> inputs;
    bool isKnown = mayRepeat;
    for (const Input &input : kernel.inputsOf(operation)) {
      uint64_t index = input.index;
      Input::Source source = input.source;
      if (input.hasValue && source != Input::Source::Constant)
        source = Input::Source::Other;
      switch (source) {
      case Input::Source::Constant:
        index = 0;
        break;
      case Input::Source::Argument:
        break;
      case Input::Source::Computation:
        index = index < i ? same[index] : index;
        break;
      case Input::Source::Access:
        index = loadOf[index];
        break;
      case Input::Source::Other:
        isKnown &= input.hasValue;
        index = input.value;
        break;
      }
      inputs.push_back(
          {source, index, input.part,
           source == Input::Source::Constant ? input.constant : 0});
    }
    if (!isKnown)
      continue;
    Earlier &earlier =
        first[{operation.kind, operation.type, operation.from,
               operation.isSigned, operation.isApproximate,
               needsText ? written.text : written.function, std::move(inputs)}];
    if (auto at = executed.servesIn(operation.under, earlier.under)) {
      same[i] = same[earlier.operations[*at]];
      repeated[i] = true;
    } else if (auto at = executed.servedFrom(operation.under, earlier.under)) {
      same[i] = same[earlier.operations[*at]];
      repeated[earlier.operations[*at]] = true;
      earlier.under[*at] = operation.under;
      earlier.operations[*at] = i;
    } else {
      earlier.under.push_back(operation.under);
      earlier.operations.push_back(i);
    }
  }
  return repeated;
}

/// What a division of integers takes less since its divisor is a constant in
/// each copy of the loops that the compiler unrolls; none for another one.
static std::optional<PipeCounts>
savedByUnrolledDivisor(const Kernel &kernel, const Computation &division,
                       ValueId divisor) {
  constexpr unsigned copies = 3;
  const uint64_t moving = kernel.graph.loopsOf()[divisor];
  if (!moving || whyNotKnown(kernel, divisor))
    return std::nullopt;
  Evaluation evaluation(kernel, {});
  Warp warp(evaluation, {warpSize, 1, 1}, 0, 0, /*trial=*/0);
  bool arePowersOfTwo = true;
  for (unsigned copy = 0; copy < copies; ++copy) {
    Iterations iterations;
    for (LoopId loop = 0; loop < kernel.loops.size(); ++loop)
      if (moving & ExpressionGraph::loopBit(loop))
        iterations[loop] = copy;
    const LaneValues value = warp.evaluate(divisor, iterations);
    arePowersOfTwo &=
        !(value.unknown & 1) && llvm::isPowerOf2_64(value.value[0]);
  }
  PipeCounts saved = pipesOf(kernel, division);
  saved += pipesOf(division, kernel.writtenOf(division).function,
                   arePowersOfTwo ? 2 : 3) *
           -1;
  return saved;
}

std::vector<PipeCounts> sharedByDivisions(const Kernel &kernel,
                                          const std::vector<bool> &repeated) {
  // Conversions, reciprocal and one step of Newton's.
  constexpr PipeCounts reciprocal{.fma = 3, .alu = 4, .special = 3};
  // A remainder is the dividend less a product.
  constexpr PipeCounts remainder{.fma = 2, .alu = 1};
  std::map<ValueId, std::vector<uint32_t>> divisors; ///< to their conditions
  std::map<std::pair<ValueId, ValueId>, std::vector<uint32_t>> quotients;
  Executed executed(kernel);
  std::vector<PipeCounts> shared(kernel.operations.size());
  for (size_t i = 0; i < kernel.operations.size(); ++i) {
    const Computation &operation = kernel.operations[i];
    if (!isDivision(operation) || isFloat(operation.type) ||
        operation.inputCount != 2 || repeated[i])
      continue;
    const llvm::ArrayRef<Input> inputs = kernel.inputsOf(operation);
    if (!inputs[0].hasValue || !inputs[1].hasValue ||
        inputs[1].source == Input::Source::Constant)
      continue;
    if (const auto saved =
            savedByUnrolledDivisor(kernel, operation, inputs[1].value)) {
      shared[i] = *saved;
      continue;
    }
    auto isKnown = [&](std::vector<uint32_t> &conditions) {
      if (executed.servesIn(operation.under, conditions))
        return true;
      conditions.push_back(operation.under);
      return false;
    };
    const bool isDivisorKnown = isKnown(divisors[inputs[1].value]);
    const bool isQuotientKnown =
        isKnown(quotients[{inputs[0].value, inputs[1].value}]);
    if (isQuotientKnown) {
      shared[i] = pipesOf(kernel, operation);
      shared[i] += remainder * -1;
    } else if (operation.type != Number::I64) {
      // One of the copies of four iterations computes it again.
      constexpr double ofCopies = 0.75;
      if (isDivisorKnown)
        shared[i] = reciprocal;
      else if (inputs[1].invariantLoops && inputs[0].invariantLoops == 0 &&
               isInEachIteration(kernel, operation))
        shared[i] = reciprocal * ofCopies;
    }
  }
  return shared;
}

} // namespace warplint
