#include "fixes/made_up_memory.h"
#include "base/kernel_name.h"
#include "fixes/arithmetic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace warplint {

/// A variable is where its name says, so that it is there in other modules.
std::optional<uint64_t> MadeUpMemory::addressOf(const GlobalValue &value) {
  const auto *variable = dyn_cast<GlobalVariable>(&value);
  if (!variable)
    return std::nullopt;
  auto [known, isNew] = addresses_.try_emplace(&value, 0);
  if (!isNew)
    return known->second;
  constexpr unsigned sharedSpace = 3;
  const uint64_t bytes = layout_.getTypeAllocSize(variable->getValueType());
  uint64_t address;
  if (variable->getAddressSpace() != sharedSpace) {
    address =
        variableBase +
        ((mixed(normalisedKernelName(variable->getName())) & 0xffff) << 28);
  } else if (!bytes || !variable->hasInitializer()) {
    address = sharedBase + (sharedEnd - sharedBase) / 2; // dynamic
  } else {
    sharedBytes_ = alignTo(sharedBytes_, 256);
    address = sharedBase + sharedBytes_;
    sharedBytes_ += bytes;
  }
  addresses_[&value] = address;
  variables_[address] = variable;
  return address;
}

uint64_t MadeUpMemory::size(uint64_t key) const {
  return inputs_.series ? mixed(key, inputs_.series) % 40 + 1 : inputs_.size;
}

Lanes MadeUpMemory::argument(unsigned position, uint64_t &number) const {
  const Argument &argument = *kernel_.getArg(position);
  const Type &type = *argument.getType();
  Lanes result{};
  if (argument.hasByValAttr())
    result[0] = argumentBase + position * argumentRoom;
  else if (type.isPointerTy())
    result[0] = pointedBase + (uint64_t(position) << pointedShift);
  else if (type.isFloatTy() || type.isDoubleTy())
    result[0] = realOf(mixed(position, 77), elementBits(type));
  else
    result[0] = size(number++);
  return result;
}

std::optional<uint8_t> MadeUpMemory::initial(uint64_t address) const {
  auto after = variables_.upper_bound(address);
  if (after == variables_.begin())
    return std::nullopt;
  const auto &[base, variable] = *std::prev(after);
  if (!variable->hasInitializer() || base < variableBase ||
      address - base >= layout_.getTypeAllocSize(variable->getValueType()))
    return std::nullopt;
  // Memory that is all 0 in the text is often written by the host.
  const auto *data =
      dyn_cast<ConstantDataSequential>(variable->getInitializer());
  if (!data)
    return std::nullopt;
  const StringRef bytes = data->getRawDataValues();
  return address - base < bytes.size()
             ? std::optional(uint8_t(bytes[address - base]))
             : std::nullopt;
}

uint64_t MadeUpMemory::untouched(uint64_t address, unsigned bytes,
                                 Content content) const {
  if (address >= argumentBase && address < argumentEnd) {
    const uint64_t key = address - argumentBase;
    if (content == Content::Address)
      return pointedBase + (uint64_t(64 + mixed(key) % 1000) << pointedShift);
    if (content == Content::Number)
      return size(key + 1000);
  }
  const uint64_t number = mixed(address, 99);
  if (content == Content::Address)
    return elsewhere + ((number & 0xffff) << 24);
  if (content == Content::Real && bytes >= 4)
    return realOf(number, bytes * 8);
  if (bytes >= 4 || inputs_.numbers < Inputs().numbers)
    return number % inputs_.numbers;
  return number & (bytes == 1 ? 0xff : 0x3fff);
}

} // namespace warplint
