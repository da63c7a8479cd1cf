// Objects as ranges of addresses: which addresses an object has, and which
// object an evaluated address belongs to.
#pragma once
#include "model/model.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>
#include <vector>

namespace warplint {

/// Each object has its own address range, so that an address identifies its
/// object. Shared memory has 32-bit addresses, so its objects have the ranges
/// below 2^32.
constexpr unsigned objectRangeBits = 40, sharedRangeBits = 24;

/// The first address of the range that contains `address`; identifies the
/// object.
constexpr uint64_t rangeOf(uint64_t address) {
  unsigned bits = address >> 32 ? objectRangeBits : sharedRangeBits;
  return address >> bits << bits;
}

/// Objects begin in the middle of their range, so that it contains a[i - 1].
constexpr uint64_t middleOfRange(unsigned rangeBits) {
  return uint64_t(1) << (rangeBits - 1);
}

/// The bytes from the first one of its object to `address`.
constexpr int64_t offsetInObject(uint64_t address) {
  return int64_t(
      address - rangeOf(address) -
      middleOfRange(address >> 32 ? objectRangeBits : sharedRangeBits));
}

/// The ranges of a kernel's objects, and of those that loaded pointers point
/// to: the same in all warps, so that addresses can be compared.
class AddressRanges {
public:
  explicit AddressRanges(const Kernel &kernel);
  /// The first address of an object.
  uint64_t baseOf(ObjectId object) const;
  /// The first address of the object behind an unknown pointer. There is one
  /// range for each `hash` of the address that a pointer is loaded from, so
  /// that two loads agree.
  uint64_t baseBehind(uint64_t hash, const std::string *name);
  /// True if such a pointer has been followed.
  bool hasFound() const { return !found_.empty(); }
  /// The object at an address; null if there is none.
  const Object *at(uint64_t address) const;

private:
  const Kernel &kernel_;
  std::vector<unsigned> sharedSlot_;         ///< by ObjectId; 0 if not shared
  std::deque<Object> found_;                 ///< behind unknown pointers
  llvm::DenseMap<uint64_t, unsigned> index_; ///< into `found_`, by hash
};

} // namespace warplint
