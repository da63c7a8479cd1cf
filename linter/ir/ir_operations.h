// Names the operation of the expression graph that an instruction of the IR, or
// a call of a function that computes one value, stands for.
#pragma once
#include "model/expression.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"
#include <optional>
#include <string>

namespace warplint {

/// Returns the width of the values of a type; 0 if the graph does not follow
/// them.
unsigned bitsOf(const llvm::Type *type);

bool isFloatOrDouble(const llvm::Type *type);

/// Returns the operation of a binary operator on integers.
std::optional<Op> operationOf(unsigned opcode);

/// A comparison of integers; the graph has only equality and less.
struct IntegerComparison {
  Op op;
  bool swapped; ///< the second operand is the graph's first
};
IntegerComparison comparisonOf(llvm::CmpInst::Predicate predicate);

/// Returns the text of an operation on floats (model/float_operation.h); empty
/// if it is another.
std::string floatOperationOf(const llvm::Instruction &instruction);

/// Returns the operation of a function of two integers, such as `__nv_min`.
std::optional<Op> binaryOperationOf(llvm::StringRef function);
/// Returns the operation of a function of one integer, such as `__nv_popc`.
std::optional<Op> unaryOperationOf(llvm::StringRef function);

} // namespace warplint
