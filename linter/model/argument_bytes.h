// The bytes of a kernel's by-value structures, as a launch knows them. Behind
// the entries of `Launched::arguments` that stand for arguments, it has one for
// each four bytes of the structures, in the order of the arguments. A load of
// such bytes has their number as its second operand.
#pragma once
#include "model/model.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

constexpr unsigned bytesPerEntry = 4;

/// Numbers the bytes of the structures among a kernel's arguments.
class ArgumentBytes {
public:
  /// Expects the bytes of each argument that is a structure, 0 for others.
  explicit ArgumentBytes(llvm::ArrayRef<uint64_t> structures);
  /// The number of a byte of a structure: that of its entry in
  /// `Launched::arguments`, times four, and its place in the entry.
  uint64_t numberOf(unsigned argument, uint64_t offset) const {
    return starts_[argument] + offset;
  }

private:
  std::vector<uint64_t> starts_; ///< by argument
};

/// The number of the first byte that a load reads, if that is known to belong
/// to a structure among the arguments.
std::optional<uint64_t> argumentByte(const ExpressionGraph &graph,
                                     ValueId loaded);

/// The bytes that a launch gives for `bits` from that byte on; none if it
/// leaves one of them open.
std::optional<uint64_t> argumentBits(const Launched &launch, uint64_t byte,
                                     unsigned bits);

/// Returns true for an argument, or a part of one, of which the launch has an
/// end of what it may pass.
bool isOfEnd(const Launched &launch, const ExpressionGraph &graph,
             ValueId value);

/// Returns true if a value is computed from such an entry.
bool restsOnEnd(const Launched &launched, const ExpressionGraph &graph,
                ValueId value);

/// The entry of `Launched::arguments` that alone decides the value of a node:
/// an argument, or a member of one.
std::optional<uint64_t> argumentEntry(const ExpressionGraph &graph,
                                      ValueId value);

} // namespace warplint
