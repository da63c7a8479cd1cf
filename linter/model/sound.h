// Values that came from a record to whether they can be used: a record of a
// shared cache may be forged, so each index and each enumerator is looked at.
#pragma once
#include "model/model.h"

namespace warplint {

/// Returns true if every index of the kernel leads to something that exists, and
/// no access has more bytes than hardware moves at once: its sectors are counted
/// one by one.
bool isSound(const Kernel &kernel);

} // namespace warplint
