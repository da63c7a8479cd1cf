// Where a finding's place comes up in compiled code.
#pragma once
#include "findings/finding.h"
#include "machine/compiled.h"
#include "model/model.h"
#include <vector>

namespace warplint {

/// The same file, however each spells it, and the same line: line tables name
/// files as the compiler was given them.
bool sameLine(const Place &a, const Place &b);

/// Whether an access came from `place`: it stands there itself or was inlined
/// into it.
bool comesFrom(const Access &access, const Place &place);

} // namespace warplint
