// Finds the code that came from a place in the source.
#pragma once
#include "model/model.h"

namespace warplint {

/// Returns true if the code stands on the line of `place`, or was inlined into
/// that line.
bool comesFrom(const Access &access, const Place &place);
bool comesFrom(const Branch &branch, const Place &place);
bool comesFrom(const Barrier &barrier, const Place &place);
bool comesFrom(const Written &written, const Place &place);

/// The same for all lines of an access that is inline assembly.
bool comesFrom(const Access &compiled, const Access &source);

} // namespace warplint
