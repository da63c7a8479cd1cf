// The text of a machine instruction to the registers that it reads and writes.
//
// Operands name the first register of a value; how many follow it is a matter
// of the opcode and its suffixes. Held against the marks of `nvdisasm -plr`
// (13.2) for sm_75 to sm_120.
#pragma once
#include "machine/disassembly.h"
#include <bitset>

namespace warplint {

/// The files of registers, apart. The last two belong to the warp.
enum class RegisterFile { General, Uniform, Predicate, UniformPredicate };

/// Registers of all files.
class RegisterSet {
public:
  void add(RegisterFile file, unsigned number) {
    if (const auto slot = slotOf(file, number))
      slots_.set(*slot);
  }
  void remove(RegisterFile file, unsigned number) {
    if (const auto slot = slotOf(file, number))
      slots_.reset(*slot);
  }
  bool has(RegisterFile file, unsigned number) const {
    const auto slot = slotOf(file, number);
    return slot && slots_.test(*slot);
  }
  bool isEmpty() const { return slots_.none(); }
  unsigned count(RegisterFile file) const;
  std::vector<unsigned> numbers(RegisterFile file) const;

  RegisterSet &operator|=(const RegisterSet &other) {
    slots_ |= other.slots_;
    return *this;
  }
  RegisterSet operator|(const RegisterSet &other) const {
    return RegisterSet(*this) |= other;
  }
  RegisterSet operator&(const RegisterSet &other) const {
    RegisterSet both = *this;
    both.slots_ &= other.slots_;
    return both;
  }
  RegisterSet without(const RegisterSet &other) const {
    RegisterSet rest = *this;
    rest.slots_ &= ~other.slots_;
    return rest;
  }
  bool operator==(const RegisterSet &) const = default;

private:
  static constexpr unsigned registers = 256, predicates = 8;

  static unsigned sizeOf(RegisterFile file) {
    return file == RegisterFile::General || file == RegisterFile::Uniform
               ? registers
               : predicates;
  }
  static unsigned firstOf(RegisterFile file) {
    switch (file) {
    case RegisterFile::General:
      return 0;
    case RegisterFile::Uniform:
      return registers;
    case RegisterFile::Predicate:
      return 2 * registers;
    default:
      return 2 * registers + predicates;
    }
  }
  static std::optional<unsigned> slotOf(RegisterFile file, unsigned number) {
    return number < sizeOf(file) ? std::optional(firstOf(file) + number)
                                 : std::nullopt;
  }

  std::bitset<2 * registers + 2 * predicates> slots_;
};

struct RegisterUses {
  RegisterSet read, written;
};

/// No value for an opcode that is not known: its results are not known, either.
/// Calls read and write what their functions do.
std::optional<RegisterUses> usesOf(const MachineText &instruction);

} // namespace warplint
