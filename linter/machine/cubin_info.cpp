#include "machine/cubin_info.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;

namespace warplint {
namespace {

// cuobjdump's names without EIATTR_ or EICOMPAT_ATTR_.
enum Attribute : uint8_t {
  MaxThreads = 0x05,
  ParameterBank = 0x0a,   // PARAM_CBANK: a symbol, an offset and a size
  RequiredThreads = 0x10, // REQNTID
  FrameSize = 0x11,
  MinStackSize = 0x12,
  MaxRegisters = 0x1b, // MAXREG_COUNT
  Registers = 0x2f,    // REGCOUNT
  Barriers = 0x4c,     // NUM_BARRIERS
  Annotations = 0x55,  // pairs of a kind and an offset
};
constexpr uint8_t acceleratorTarget = 0x09; // of .nv.compat

constexpr uint32_t spillRefill = 1;           // the kind of an annotation
constexpr unsigned noLimit = 0xff;            // of MaxRegisters
constexpr unsigned unknownStack = 0xffffffff; // of MinStackSize
/// From sm_90 on, the system's share comes first in a kernel's shared memory.
constexpr unsigned systemShared = 1024, firstWithSystemShared = 90;

using Visitor = function_ref<void(uint8_t attribute, unsigned value,
                                  ArrayRef<uint8_t> payload)>;

/// An attribute consists of a format, a number, and a two-byte value; for
/// format 4, the value is the length of the payload that follows.
void forEachAttribute(ArrayRef<uint8_t> bytes, Visitor visit) {
  constexpr uint8_t sized = 4;
  while (bytes.size() >= 4) {
    uint8_t format = bytes[0], attribute = bytes[1];
    unsigned value = read16le(&bytes[2]);
    bytes = bytes.drop_front(4);
    ArrayRef<uint8_t> payload;
    if (format == sized) {
      if (value > bytes.size())
        return;
      payload = bytes.take_front(value);
      bytes = bytes.drop_front(value);
    }
    visit(attribute, value, payload);
  }
}

ArrayRef<uint8_t> contentsOf(const CubinElf &elf, const CubinSection &section) {
  auto contents = elf.getSectionContents(section);
  if (contents)
    return *contents;
  consumeError(contents.takeError());
  return {};
}

/// Returns the name of a symbol from the table that `section` links to.
StringRef symbolName(const CubinElf &elf, const CubinSection &section,
                     unsigned index) {
  auto name = [&]() -> Expected<StringRef> {
    auto table = elf.getSection(section.sh_link);
    if (!table)
      return table.takeError();
    auto symbol = elf.getSymbol(*table, index);
    if (!symbol)
      return symbol.takeError();
    auto strings = elf.getStringTableForSymtab(**table);
    if (!strings)
      return strings.takeError();
    return (*symbol)->getName(*strings);
  }();
  if (name)
    return *name;
  consumeError(name.takeError());
  return "";
}

/// Reads .nv.info: attributes of all functions, each named by its symbol.
void readCommon(const CubinElf &elf, const CubinSection &section,
                const std::map<std::string, CubinFunction *> &functions) {
  forEachAttribute(contentsOf(elf, section), [&](uint8_t attribute, unsigned,
                                                 ArrayRef<uint8_t> payload) {
    if (payload.size() != 8 ||
        (attribute != Registers && attribute != FrameSize &&
         attribute != MinStackSize))
      return;
    auto found =
        functions.find(symbolName(elf, section, read32le(&payload[0])).str());
    if (found == functions.end())
      return;
    unsigned value = read32le(&payload[4]);
    if (attribute == Registers)
      found->second->registers = value;
    else if (attribute == FrameSize)
      found->second->stackFrame = value;
    else if (value != unknownStack)
      found->second->cumulativeStack = value;
  });
}

void addSpillMarks(ArrayRef<uint8_t> annotations, std::set<uint64_t> &spills) {
  for (; annotations.size() >= 8; annotations = annotations.drop_front(8)) {
    if (read32le(&annotations[0]) != spillRefill)
      return; // others may have another length
    spills.insert(read32le(&annotations[4]));
  }
}

/// Reads .nv.info.<function>.
void readOwn(ArrayRef<uint8_t> bytes, CubinFunction &function,
             std::set<uint64_t> &spills) {
  forEachAttribute(
      bytes, [&](uint8_t attribute, unsigned value, ArrayRef<uint8_t> payload) {
        auto threads = [&]() -> std::optional<std::array<unsigned, 3>> {
          if (payload.size() != 12)
            return std::nullopt;
          return {{read32le(&payload[0]), read32le(&payload[4]),
                   read32le(&payload[8])}};
        };
        if (attribute == MaxThreads)
          function.maxThreads = threads();
        else if (attribute == RequiredThreads)
          function.requiredThreads = threads();
        else if (attribute == ParameterBank && payload.size() == 8)
          function.parameters = read16le(&payload[4]);
        else if (attribute == Barriers)
          function.barriers = value & 0xff;
        else if (attribute == MaxRegisters && value != noLimit)
          function.maxRegisters = value;
        else if (attribute == Annotations)
          addSpillMarks(payload, spills);
      });
}

} // namespace

StringRef sectionName(const CubinElf &elf, const CubinSection &section) {
  Expected<StringRef> name = elf.getSectionName(section);
  if (name)
    return *name;
  consumeError(name.takeError());
  return "";
}

SpillMarks readInfo(const CubinElf &elf, ArrayRef<CubinSection> sections,
                    unsigned architecture,
                    const std::map<std::string, CubinFunction *> &functions) {
  SpillMarks spills;
  auto function = [&](StringRef name) -> CubinFunction * {
    auto found = functions.find(name.str());
    return found == functions.end() ? nullptr : found->second;
  };
  for (const CubinSection &section : sections) {
    StringRef name = sectionName(elf, section);
    if (name == ".nv.info")
      readCommon(elf, section, functions);
    else if (name.consume_front(".nv.info.")) {
      if (CubinFunction *owner = function(name))
        readOwn(contentsOf(elf, section), *owner, spills[owner]);
    } else if (name.consume_front(".nv.shared.")) {
      if (CubinFunction *owner = function(name))
        owner->sharedMemory =
            section.sh_size -
            (architecture < firstWithSystemShared
                 ? 0
                 : std::min<uint64_t>(systemShared, section.sh_size));
    }
  }
  return spills;
}

bool isAccelerated(const CubinElf &elf, ArrayRef<CubinSection> sections) {
  bool accelerated = false;
  for (const CubinSection &section : sections)
    if (sectionName(elf, section) == ".nv.compat")
      forEachAttribute(
          contentsOf(elf, section),
          [&](uint8_t attribute, unsigned value, ArrayRef<uint8_t>) {
            if (attribute == acceleratorTarget)
              accelerated = value & 1;
          });
  return accelerated;
}

} // namespace warplint
