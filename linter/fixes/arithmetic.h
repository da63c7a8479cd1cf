// One instruction without memory to its value (private to fixes).
#pragma once
#include "fixes/program.h"
#include <optional>

namespace warplint {

/// A number that is a function of others, spread over all bits.
uint64_t mixed(uint64_t a, uint64_t b = 0);
uint64_t mixed(llvm::StringRef text);
/// The bits of a float (32) or a double (64) between 0.5 and 2, of either sign.
uint64_t realOf(uint64_t number, unsigned bits);

/// The value of an arithmetic instruction, a comparison, a cast or a selection;
/// none if it is another one.
std::optional<Lanes> computed(const Step &step, llvm::ArrayRef<Lanes> operands);

/// The value of a call without effects: exact where C++ has the function, else
/// some function of the name and the operands.
Lanes called(const Step &step, llvm::ArrayRef<Lanes> operands);

/// What an atomic operation with `operand` makes of `old`, of so many bits:
/// exact, or else the same function of the two each time.
uint64_t updated(const llvm::AtomicRMWInst &atomic, uint64_t old,
                 uint64_t operand, unsigned bits);

} // namespace warplint
