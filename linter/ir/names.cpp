#include "ir/names.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

void AccessNames::add(const Place &place, NamedAccess name) {
  auto &[here, macro] = names_[place];
  bool known = llvm::any_of(
      here, [&](const NamedAccess &other) { return other.text == name.text; });
  if (known)
    return;
  if (!name.macro.empty()) {
    const bool isFirst = !macro;
    if (isFirst)
      macro.emplace();
    macro->text = macro->macro = name.macro;
    macro->object =
        isFirst || macro->object == name.object ? name.object : name.macro;
  }
  here.push_back(std::move(name));
}

const NamedAccess *AccessNames::find(const Place &place, unsigned bytes,
                                     bool isPointer,
                                     llvm::StringRef object) const {
  auto it = names_.find(place);
  if (it == names_.end())
    return nullptr;
  const auto &[here, macro] = it->second;
  auto isOne = [&](const NamedAccess &name) {
    return name.isPointer == isPointer && name.bytes == bytes;
  };
  if (macro && here.size() > 1 && llvm::count_if(here, isOne) != 1) {
    const NamedAccess *ofObject = nullptr;
    for (const NamedAccess &name : here)
      if (!object.empty() && name.object == object &&
          (!ofObject || (isOne(name) && !isOne(*ofObject))))
        ofObject = &name;
    return ofObject ? ofObject : &*macro;
  }
  for (const NamedAccess &name : here)
    if (isOne(name))
      return &name;
  for (const NamedAccess &name : here)
    if (name.isPointer == isPointer || name.bytes == 0)
      return &name;
  return &here.front();
}

} // namespace warplint
