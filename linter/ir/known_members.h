// Replaces loads of members of a kernel's arguments by known values: where the
// source fixes what a policy or a View holds, no load is needed.
#pragma once
#include "llvm/IR/Function.h"
#include <map>

namespace warplint {

/// The value of an integer in an argument.
struct KnownMember {
  uint64_t value = 0;
  unsigned bytes = 0;    ///< of its type
  bool isCertain = true; ///< else it is the usual value
};

/// Maps byte offsets in an argument, or in another object of the arguments'
/// type.
using KnownMembers = std::map<uint64_t, KnownMember>;

/// Marks a load whose usual value is known; its one operand is the value.
constexpr const char *usualValue = "warplint.usually";

/// Replaces loads of members of the object at `base`.
void replaceMembers(llvm::Function &kernel, const llvm::Value &base,
                    const KnownMembers &members);

} // namespace warplint
