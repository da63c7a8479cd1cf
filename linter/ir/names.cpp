#include "ir/names.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

void AccessNames::add(const Place &place, NamedAccess name) {
  std::vector<NamedAccess> &here = names_[place];
  bool known = llvm::any_of(
      here, [&](const NamedAccess &other) { return other.text == name.text; });
  if (!known)
    here.push_back(std::move(name));
}

const NamedAccess *AccessNames::find(const Place &place, unsigned bytes,
                                     bool isPointer) const {
  auto it = names_.find(place);
  if (it == names_.end())
    return nullptr;
  for (const NamedAccess &name : it->second)
    if (name.isPointer == isPointer && name.bytes == bytes)
      return &name;
  for (const NamedAccess &name : it->second)
    if (name.isPointer == isPointer || name.bytes == 0)
      return &name;
  return &it->second.front();
}

} // namespace warplint
