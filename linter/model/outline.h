// The part of a kernel that later stages need once its findings are known:
// names and places.
#pragma once
#include "model/model.h"
#include <map>

namespace warplint {

struct KernelOutline {
  std::string name;    ///< "ns::gather<float, 4>"
  std::string mangled; ///< as Clang spells it
  Place place;
  /// By file, the sorted lines of its code, of inlined code and of the calls to
  /// it.
  std::map<std::string, std::vector<unsigned>> lines;
  std::vector<std::string> notFollowed; ///< "recursion in 'f'", ...
};

struct KernelTemplate {
  std::string name; ///< "gather"
  Place place;
};

KernelOutline outlineOf(const Kernel &kernel);

} // namespace warplint
