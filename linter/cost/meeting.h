// Decides if the updates of an atomic meet so often that they take longer than
// what surrounds them.
#pragma once
#include "cost/contention.h"

namespace warplint {

enum class Meet {
  Not,
  InBlock, ///< lanes of a warp, or many threads of a block
  InGrid   ///< a few threads of each block, in a large grid
};

/// An index that loaded data give and that has so few values makes updates meet.
constexpr uint64_t fewAddresses = 1024;

/// Returns true if loaded data decide whether an update is made, and few such
/// updates may be made: no meeting of theirs is certain.
bool isPerhapsRare(const Access &access, const Contention &seen);

/// `space`: of the evaluated address.
Meet meeting(const Access &access, Space space, const KernelShape &shape,
             const Contention &seen);

} // namespace warplint
