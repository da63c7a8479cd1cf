#include "ir/names.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

void AccessNames::add(const Place &place, NamedAccess name) {
  auto &[here, macro] = names_[place];
  // Of a template's instances one may have numbers, and another one classes.
  bool known = llvm::any_of(here, [&](const NamedAccess &other) {
    return other.text == name.text &&
           other.operands.empty() == name.operands.empty();
  });
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
  const bool isNamed = llvm::any_of(here, [&](const NamedAccess &name) {
    return isOne(name) && name.object == object;
  });
  for (const NamedAccess &name : here)
    if (!isNamed && !object.empty() &&
        llvm::any_of(name.operands, [&](const NamedAccess &operand) {
          return operand.object == object;
        }))
      return &name;
  for (const NamedAccess &name : here)
    if (isOne(name))
      return &name;
  for (const NamedAccess &name : here)
    if (name.isPointer == isPointer || name.bytes == 0)
      return &name;
  return &here.front();
}

} // namespace warplint
