#include "fixes/same_bits.h"
#include "fixes/all_floats.h"
#include "ptx/read_ptx.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace warplint {

namespace {

bool isEffect(const Instruction &instruction) {
  return instruction.isTerminator() || instruction.mayReadOrWriteMemory() ||
         isa<AllocaInst>(instruction);
}

/// The places of a function's effects and blocks.
class Order {
public:
  explicit Order(const Function &function) {
    for (const BasicBlock &block : function) {
      numbers_[&block] = numbers_.size();
      for (const Instruction &instruction : block)
        if (isEffect(instruction)) {
          numbers_[&instruction] = numbers_.size();
          effects.push_back(&instruction);
        }
    }
  }

  /// By the order of the text, blocks among them; 0 for any other value.
  unsigned numberOf(const Value &value) const {
    auto number = numbers_.find(&value);
    return number == numbers_.end() ? 0 : number->second + 1;
  }

  std::vector<const Instruction *> effects;

private:
  DenseMap<const Value *, unsigned> numbers_;
};

/// Compares two functions. Values that loops carry are taken for the same while
/// they are compared; if one is not, nothing is said.
class Comparison {
public:
  Comparison(const Function &before, const Function &after)
      : before_(before), after_(after) {}

  bool areSame() {
    if (before_.effects.size() != after_.effects.size())
      return false;
    return all_of(zip(before_.effects, after_.effects),
                  [&](auto pair) {
                    const auto [a, b] = pair;
                    return before_.numberOf(*a) == after_.numberOf(*b) &&
                           areAlike(*a, *b) && haveSameOperands(*a, *b);
                  }) &&
           !isUndone_;
  }

private:
  static bool areAlike(const Instruction &a, const Instruction &b) {
    return a.isSameOperationAs(&b) &&
           a.hasMetadata(inexact) == b.hasMetadata(inexact);
  }

  bool haveSameOperands(const Instruction &a, const Instruction &b) {
    return all_of(zip(a.operands(), b.operands()), [&](auto pair) {
      return areSame(*std::get<0>(pair), *std::get<1>(pair));
    });
  }

  bool areSame(const Value &a, const Value &b) {
    auto [known, isNew] = known_.try_emplace({&a, &b}, State::Open);
    if (!isNew) {
      if (known->second == State::Open)
        known->second = State::Supposed;
      return known->second != State::Different;
    }
    const bool result = compare(a, b);
    State &state = known_[{&a, &b}];
    isUndone_ |= !result && state == State::Supposed;
    state = result ? State::Same : State::Different;
    return result;
  }

  bool compare(const Value &a, const Value &b) {
    if (&a == &b) // a constant
      return true;
    if (auto *global = dyn_cast<GlobalValue>(&a))
      return isa<GlobalValue>(b) && global->getName() == b.getName();
    if (auto *argument = dyn_cast<Argument>(&a))
      return isa<Argument>(b) &&
             argument->getArgNo() == cast<Argument>(b).getArgNo();
    const unsigned one = before_.numberOf(a), other = after_.numberOf(b);
    if (one || other)
      return one == other;
    auto *first = dyn_cast<Instruction>(&a);
    auto *second = dyn_cast<Instruction>(&b);
    if (first && second && areAlike(*first, *second) &&
        isSamePhi(*first, *second) && haveSameOperands(*first, *second))
      return true;
    return areSameForAll(a, b);
  }

  /// Of the same block, from the same ones in the same order.
  bool isSamePhi(const Instruction &a, const Instruction &b) {
    auto *phi = dyn_cast<PHINode>(&a);
    return !phi ||
           (areSame(*a.getParent(), *b.getParent()) &&
            all_of(zip(phi->blocks(), cast<PHINode>(b).blocks()),
                   [&](auto pair) {
                     return areSame(*std::get<0>(pair), *std::get<1>(pair));
                   }));
  }

  bool areSameForAll(const Value &a, const Value &b) {
    const auto one = ofOneFloat(a), other = ofOneFloat(b);
    if (!one || !other || !areSame(*one->input, *other->input))
      return false;
    // What both compute alike on the way may be any float.
    const std::vector<const Value *> here = waistsOf(*one),
                                     there = waistsOf(*other);
    for (const Value *waist : here)
      for (const Value *its : there) {
        const bool isInput = waist == one->input && its == other->input;
        auto *first = dyn_cast<Instruction>(waist);
        auto *second = dyn_cast<Instruction>(its);
        if (isInput || (first && second && areAlike(*first, *second) &&
                        areSame(*first, *second)))
          if (areSameForAll(OneFloat{&a, waist}, OneFloat{&b, its}))
            return true;
      }
    return false;
  }

  bool areSameForAll(const OneFloat &one, const OneFloat &other) {
    auto [known, isNew] =
        tried_.try_emplace({shapeOf(one), shapeOf(other)}, false);
    if (isNew)
      known->second = areSameForAllFloats(one, other);
    return known->second;
  }

  const Order before_, after_;
  /// Supposed: taken for the same while it is compared.
  enum class State : uint8_t { Open, Supposed, Same, Different };
  DenseMap<std::pair<const Value *, const Value *>, State> known_;
  std::map<std::pair<std::string, std::string>, bool> tried_;
  /// What was taken for the same while it was compared is not.
  bool isUndone_ = false;
};

bool areSame(const Function &before, const Function &after) {
  return before.arg_size() == after.arg_size() &&
         before.size() == after.size() && Comparison(before, after).areSame();
}

} // namespace

bool haveSameBits(StringRef before, StringRef after,
                  ArrayRef<ComparedKernel> kernels) {
  LLVMContext context;
  auto one = readPtx(before, context), other = readPtx(after, context);
  if (!one || !other) {
    if (!one)
      consumeError(one.takeError());
    if (!other)
      consumeError(other.takeError());
    return false;
  }
  StripDebugInfo(**one);
  StripDebugInfo(**other);
  auto isCallee = [](const Function &function) {
    return !function.isDeclaration() &&
           function.getCallingConv() != CallingConv::PTX_Kernel;
  };
  for (const Function &function : **one)
    if (isCallee(function)) {
      const Function *now = (*other)->getFunction(function.getName());
      if (!now || !areSame(function, *now))
        return false;
    }
  return all_of(kernels, [&](const ComparedKernel &kernel) {
    const Function *then = (*one)->getFunction(kernel.before),
                   *now = (*other)->getFunction(kernel.after);
    return (!then && !now) || (then && now && areSame(*then, *now));
  });
}

} // namespace warplint
