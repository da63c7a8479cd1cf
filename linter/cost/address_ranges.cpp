#include "cost/address_ranges.h"
#include "cost/mix.h"

namespace warplint {

AddressRanges::AddressRanges(const Kernel &kernel) : kernel_(kernel) {
  unsigned next = 1;
  for (const Object &object : kernel.objects)
    sharedSlot_.push_back(object.space == Space::Shared ? next++ : 0);
}

uint64_t AddressRanges::baseOf(ObjectId object) const {
  if (unsigned slot = sharedSlot_[object])
    return (uint64_t(slot) << sharedRangeBits) + middleOfRange(sharedRangeBits);
  return (uint64_t(object + 1) << objectRangeBits) +
         middleOfRange(objectRangeBits);
}

uint64_t AddressRanges::baseBehind(uint64_t hash, const std::string *name) {
  // A DenseMap keeps the largest keys for itself.
  auto [it, fresh] = index_.try_emplace(mix(hash) >> 2, found_.size());
  if (fresh)
    found_.push_back({name ? *name : std::string(), Space::Global, 0});
  uint64_t range = kernel_.objects.size() + 1 + it->second;
  return (range << objectRangeBits) + middleOfRange(objectRangeBits);
}

const Object *AddressRanges::at(uint64_t address) const {
  if (address < uint64_t(1) << 32) {
    unsigned slot = address >> sharedRangeBits;
    for (ObjectId id = 0; slot && id < kernel_.objects.size(); ++id)
      if (sharedSlot_[id] == slot)
        return &kernel_.objects[id];
    return nullptr;
  }
  uint64_t range = address >> objectRangeBits;
  if (range == 0)
    return nullptr;
  if (range <= kernel_.objects.size())
    return &kernel_.objects[range - 1];
  range -= kernel_.objects.size() + 1;
  return range < found_.size() ? &found_[range] : nullptr;
}

} // namespace warplint
