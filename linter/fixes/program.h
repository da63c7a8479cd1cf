// A function in IR to code that is quick to interpret (private to fixes).
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include <array>
#include <functional>

namespace warplint {

/// A value: a scalar in the first lane, or the elements of a vector or of a
/// structure. Numbers are zero-extended.
using Lanes = std::array<uint64_t, 4>;

/// The value that an untouched element of memory is taken for.
enum class Content : uint8_t { Number, Real, Address };

struct Step {
  const llvm::Instruction *instruction;
  int result = -1;                    ///< slot; -1: none
  llvm::SmallVector<int, 4> operands; ///< a slot, or ~index of a constant
  unsigned targets[2] = {0, 0};       ///< of a branch: blocks by number
  uint8_t bits = 0;                   ///< of the result's elements
  Content content = Content::Number;  ///< of a load
};

/// The values that a block's phis take when it is reached from another one.
struct Moves {
  llvm::SmallVector<std::pair<int, int>, 4> all; ///< result, source
};

struct Program {
  const llvm::Function *function = nullptr;
  std::vector<Step> steps;
  std::vector<unsigned> starts;                               ///< of the blocks
  llvm::DenseMap<std::pair<unsigned, unsigned>, Moves> moves; ///< from, to
  std::vector<Lanes> constants;
  llvm::DenseMap<const llvm::Value *, int> slots;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> blocks;
  std::string whyNot; ///< what has no representation; else empty
};

/// `addressOf`: of a variable.
Program
programOf(const llvm::Function &function,
          const std::function<uint64_t(const llvm::GlobalValue &)> &addressOf);

/// The bits of an element of the type; 0 if it has no fixed size up to 64.
unsigned elementBits(const llvm::Type &type);
/// 1 for a scalar.
unsigned lanesOf(const llvm::Type &type);

} // namespace warplint
