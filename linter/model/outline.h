// A kernel without what is computed in it: what is left to know of it once its
// findings are known.
#pragma once
#include "model/model.h"
#include <map>

namespace warplint {

struct KernelOutline {
  std::string name;    ///< "ns::gather<float, 4>"
  std::string mangled; ///< as Clang spells it
  Place place;
  /// By file, those on which any of its code stands, inlined code and the calls
  /// to it among it; sorted.
  std::map<std::string, std::vector<unsigned>> lines;
  std::vector<std::string> notFollowed; ///< "recursion in 'f'", ...
};

KernelOutline outlineOf(const Kernel &kernel);

} // namespace warplint
