// How a text names a place.
#pragma once
#include "model/place.h"
#include <string>

namespace warplint {

/// "line 12", "main.cu:12": a place, named in a finding at `seenFrom`.
std::string lineOf(const Place &place, const Place &seenFrom);

/// " at line 12", " at main.cu:12"; empty if the place is unknown.
std::string atLine(const Place &place, const Place &seenFrom);

} // namespace warplint
