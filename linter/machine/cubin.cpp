#include "machine/cubin.h"
#include "base/failure.h"
#include "machine/cubin_info.h"
#include "machine/cubin_lines.h"
#include "machine/opcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warplint {
namespace {

using Elf = CubinElf;
using Section = CubinSection;

constexpr unsigned instructionSize = 16; ///< bytes, since sm_70
constexpr unsigned opcodeMask = 0xfff;   ///< of an instruction's first word
constexpr unsigned loadLocal = 0x983;    ///< LDL, measured for sm_75 to sm_121
constexpr unsigned storeLocal = 0x387;   ///< STL, likewise
constexpr unsigned storeLocalUniform = 0x987;  ///< STL, its address partly in a
                                               ///< uniform register: sm_100 on
constexpr unsigned loadShared = 0x984;         ///< LDS, likewise
constexpr unsigned storeShared = 0x388;        ///< STS, likewise
constexpr unsigned storeSharedUniform = 0x988; ///< the same, its address partly
                                               ///< in a uniform register
constexpr unsigned stackPointer = 1;           ///< R1, by NVIDIA's ABI

/// LLVM's generic object reader aborts on a broken relocation and on an unknown
/// processor. The reader for one ELF class does not.
Expected<Elf> openCubin(MemoryBufferRef cubin) {
  StringRef bytes = cubin.getBuffer();
  if (!bytes.starts_with(ELF::ElfMagic))
    return failure("'" + cubin.getBufferIdentifier() + "' is no cubin");
  Expected<Elf> elf = Elf::create(bytes);
  if (!elf)
    return elf.takeError();
  const auto &header = elf->getHeader();
  if (header.e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      header.e_ident[ELF::EI_DATA] != ELF::ELFDATA2LSB ||
      header.e_machine != ELF::EM_CUDA)
    return failure("'" + cubin.getBufferIdentifier() +
                   "' holds no 64-bit CUDA machine code");
  return elf;
}

/// CUDA 13 moved the architecture up by a byte, and more information into
/// sections. The ABI version tells which layout applies.
bool isOfCuda13(const Elf &elf) {
  return elf.getHeader().e_ident[ELF::EI_ABIVERSION] >=
         ELF::ELFABIVERSION_CUDA_V2;
}

/// 90 for sm_90.
unsigned architectureOf(const Elf &elf) {
  unsigned flags = elf.getHeader().e_flags;
  if (isOfCuda13(elf))
    return (flags & ELF::EF_CUDA_SM_MASK) >> ELF::EF_CUDA_SM_OFFSET;
  return flags & ELF::EF_CUDA_SM;
}

std::string architectureName(const Elf &elf, ArrayRef<Section> sections) {
  bool accelerated =
      isOfCuda13(elf) ? isAccelerated(elf, sections)
                      : elf.getHeader().e_flags & ELF::EF_CUDA_ACCELERATORS_V1;
  return "sm_" + std::to_string(architectureOf(elf)) + (accelerated ? "a" : "");
}

unsigned opcodeOf(ArrayRef<uint8_t> code) {
  return support::endian::read16le(code.data()) & opcodeMask;
}

/// Bits 73 to 75 encode the size, for local and shared memory: unsigned and
/// signed 8 bits, the same for 16, then 32, 64 and 128 bits.
unsigned bytesMoved(ArrayRef<uint8_t> code) {
  constexpr unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16, 0};
  return bytes[code[9] >> 1 & 7];
}

/// Bits 24 to 31 are the address register, bits 40 to 63 the offset; bit 91: a
/// uniform register is added.
std::optional<int> frameOffset(ArrayRef<uint8_t> code) {
  if (code[3] != stackPointer || (code[11] & 0x08))
    return std::nullopt;
  return SignExtend32<24>(support::endian::read32le(&code[4]) >> 8);
}

/// The symbols' data for the functions of one section.
struct SectionSymbols {
  struct Callee {
    uint64_t begin, end;
    std::string name;
  };
  bool holdsKernel = false;
  unsigned symbol = 0;         ///< the kernel's
  std::vector<Callee> callees; ///< functions that were not inlined
  /// Functions of ptxas itself: the slow paths of divisions and roots, behind
  /// the code.
  std::vector<Callee> slowPaths;

  StringRef calleeAt(uint64_t offset) const {
    for (const Callee &callee : callees)
      if (offset >= callee.begin && offset < callee.end)
        return callee.name;
    return "";
  }
  bool isSlowPath(uint64_t offset) const {
    return llvm::any_of(slowPaths, [&](const Callee &callee) {
      return offset >= callee.begin && offset < callee.end;
    });
  }
};

/// Each kernel has its own copy of a function that was not inlined, called
/// `$kernel$function`.
void addSymbols(const Elf &elf, const Section &table,
                ArrayRef<Section> sections,
                std::vector<SectionSymbols> &bySection) {
  constexpr uint8_t entry = 0x10; // STO_CUDA_ENTRY
  auto symbols = elf.symbols(&table);
  auto names = elf.getStringTableForSymtab(table);
  if (!symbols || !names) {
    consumeError(symbols.takeError());
    consumeError(names.takeError());
    return;
  }
  for (const auto &[index, symbol] : enumerate(*symbols)) {
    if (symbol.getType() != ELF::STT_FUNC || symbol.st_shndx >= sections.size())
      continue;
    SectionSymbols &section = bySection[symbol.st_shndx];
    if (symbol.st_other & entry) {
      section.holdsKernel = true;
      section.symbol = index;
    }
    Expected<StringRef> name = symbol.getName(*names);
    if (!name) {
      consumeError(name.takeError());
      continue;
    }
    StringRef callee = *name;
    if (!callee.consume_front("$"))
      continue;
    if (callee.starts_with("__internal_")) {
      section.slowPaths.push_back(
          {symbol.st_value, symbol.st_value + symbol.st_size, callee.str()});
      continue;
    }
    StringRef kernel = sectionName(elf, sections[symbol.st_shndx]);
    kernel.consume_front(".text.");
    if (callee.consume_front(kernel))
      callee.consume_front("$");
    section.callees.push_back(
        {symbol.st_value, symbol.st_value + symbol.st_size, callee.str()});
  }
}

std::vector<SectionSymbols> symbolsOf(const Elf &elf,
                                      ArrayRef<Section> sections) {
  std::vector<SectionSymbols> bySection(sections.size());
  for (const Section &section : sections)
    if (section.sh_type == ELF::SHT_SYMTAB)
      addSymbols(elf, section, sections, bySection);
  return bySection;
}

template <typename Instruction>
void append(std::vector<Instruction> &to, Instruction instruction,
            CubinLine line) {
  instruction.file = std::move(line.file);
  instruction.line = line.line;
  to.push_back(std::move(instruction));
}

void readCode(ArrayRef<uint8_t> code, uint64_t sectionIndex,
              const CubinLines &lines, const SectionSymbols &symbols,
              const std::set<uint64_t> &spills, CubinFunction &function) {
  std::map<std::pair<std::string, unsigned>, MachineLine> counted;
  for (uint64_t offset = 0; offset + instructionSize <= code.size();
       offset += instructionSize) {
    ArrayRef<uint8_t> bytes = code.slice(offset, instructionSize);
    unsigned opcode = opcodeOf(bytes);
    CubinLine line = lines.at(sectionIndex, offset);
    // The line table continues with the line before them.
    if (symbols.isSlowPath(offset))
      countInstruction(opcode, counted[{"", 0}]);
    else
      countInstruction(opcode, counted[{line.file, line.line}]);
    if (opcode == loadLocal || opcode == storeLocal ||
        opcode == storeLocalUniform) {
      LocalInstruction instruction;
      instruction.isStore = opcode != loadLocal;
      instruction.bytes = bytesMoved(bytes);
      instruction.frameOffset = frameOffset(bytes);
      instruction.isMarkedSpill = spills.count(offset);
      instruction.function = symbols.calleeAt(offset).str();
      append(function.locals, instruction, std::move(line));
    } else if (opcode == loadShared || opcode == storeShared ||
               opcode == storeSharedUniform) {
      SharedInstruction instruction;
      instruction.isStore = opcode != loadShared;
      instruction.bytes = bytesMoved(bytes);
      append(function.shared, instruction, std::move(line));
    }
  }
  for (auto &[place, line] : counted) {
    line.file = place.first;
    line.line = place.second;
    function.lines.push_back(std::move(line));
  }
}

/// `marksAll`: an instruction without a mark is no spill.
std::optional<SpilledBytes> spilledBy(const CubinFunction &function,
                                      bool marksAll) {
  SpilledBytes bytes;
  for (const LocalInstruction &local : function.locals)
    if (local.isMarkedSpill && local.function.empty())
      (local.isStore ? bytes.stores : bytes.loads) += local.bytes;
  const bool isKnown =
      marksAll || function.stackFrame == 0u || bytes.stores || bytes.loads;
  return isKnown ? std::optional(bytes) : std::nullopt;
}

} // namespace

Expected<CubinReport> readCubin(MemoryBufferRef cubin) {
  Expected<Elf> elf = openCubin(cubin);
  if (!elf)
    return elf.takeError();
  if (unsigned architecture = architectureOf(*elf); architecture < 70)
    return failure("the machine code of sm_" + Twine(architecture) +
                   " is not read, only that of sm_70 and later");
  auto sections = elf->sections();
  if (!sections)
    return sections.takeError();

  CubinReport report;
  report.architecture = architectureName(*elf, *sections);
  report.isRelocatable = elf->getHeader().e_type == ELF::ET_REL;
  const std::vector<SectionSymbols> symbols = symbolsOf(*elf, *sections);
  std::vector<size_t> code; // by function: the index of its section
  for (const auto &[index, section] : enumerate(*sections)) {
    StringRef name = sectionName(*elf, section);
    if (section.sh_type != ELF::SHT_PROGBITS || !name.consume_front(".text."))
      continue;
    code.push_back(index);
    CubinFunction &function = report.functions.emplace_back();
    function.name = name.str();
    function.isKernel = symbols[index].holdsKernel;
    function.symbol = symbols[index].symbol;
    if (!isOfCuda13(*elf)) { // as the section header says
      function.registers = section.sh_info >> 24;
      function.barriers = section.sh_flags >> 20 & 0x7f;
    }
  }
  std::map<std::string, CubinFunction *> byName;
  for (CubinFunction &function : report.functions)
    byName[function.name] = &function;
  SpillMarks spills = readInfo(*elf, *sections, architectureOf(*elf), byName);
  CubinLines lines(*elf, *sections);
  for (const auto &[index, function] : zip(code, report.functions)) {
    auto bytes = elf->getSectionContents((*sections)[index]);
    if (!bytes)
      return bytes.takeError();
    readCode(*bytes, index, lines, symbols[index], spills[&function], function);
    function.spills = std::move(spills[&function]);
    function.spilled = spilledBy(function, isOfCuda13(*elf));
  }
  return report;
}

void readPtxLines(MemoryBufferRef cubin, CubinReport &report) {
  Expected<Elf> elf = openCubin(cubin);
  if (!elf)
    return consumeError(elf.takeError());
  auto sections = elf->sections();
  if (!sections)
    return consumeError(sections.takeError());
  std::map<StringRef, CubinFunction *> byName;
  for (CubinFunction &function : report.functions)
    byName[function.name] = &function;
  const CubinLines lines(*elf, *sections, ".nv_debug_line_sass");
  for (const auto &[index, section] : enumerate(*sections)) {
    StringRef name = sectionName(*elf, section);
    if (!name.consume_front(".text."))
      continue;
    auto function = byName.find(name);
    if (function == byName.end())
      continue;
    for (uint64_t offset = 0; offset < section.sh_size;
         offset += instructionSize)
      function->second->ptxLines.push_back(lines.at(index, offset).line);
  }
}

Expected<std::string> architectureOfCubin(MemoryBufferRef cubin) {
  Expected<Elf> elf = openCubin(cubin);
  if (!elf)
    return elf.takeError();
  auto sections = elf->sections();
  if (!sections)
    return sections.takeError();
  return architectureName(*elf, *sections);
}

} // namespace warplint
