// A kernel's IR to the same IR with members of its arguments as what is known
// of them: where the source says what a policy or a View holds, no load need
// ask.
#pragma once
#include "llvm/IR/Function.h"
#include <map>

namespace warplint {

/// What an integer in an argument holds.
struct KnownMember {
  uint64_t value = 0;
  unsigned bytes = 0;    ///< of its type
  bool isCertain = true; ///< else it is what it usually is
};

/// By byte offset in an argument, or in another object of the arguments' type.
using KnownMembers = std::map<uint64_t, KnownMember>;

/// Marks a load of what is usually known: one operand, the value.
constexpr const char *usualValue = "warplint.usually";

/// Replaces loads of members of what `base` points to.
void replaceMembers(llvm::Function &kernel, const llvm::Value &base,
                    const KnownMembers &members);

} // namespace warplint
