#include "compiled/cubin.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;

namespace warplint {
namespace {

using Elf = object::ELFFile<object::ELF64LE>;
using Section = object::ELF64LE::Shdr;

constexpr unsigned instructionSize = 16; ///< bytes, since sm_70
constexpr unsigned opcodeMask = 0xfff;   ///< of an instruction's first word
constexpr unsigned loadLocal = 0x983;    ///< LDL, measured for sm_75 to sm_120
constexpr unsigned storeLocal = 0x387;   ///< STL, likewise
constexpr unsigned storeLocalUniform = 0x987;  ///< STL, its address partly in a
                                               ///< uniform register: sm_100 on
constexpr unsigned loadShared = 0x984;         ///< LDS, likewise
constexpr unsigned storeShared = 0x388;        ///< STS, likewise
constexpr unsigned storeSharedUniform = 0x988; ///< the same, its address partly
                                               ///< in a uniform register

/// LLVM's generic object reader ends the program on a broken relocation and on
/// a processor it does not know. The reader for one ELF class does not.
Expected<Elf> openCubin(MemoryBufferRef cubin) {
  StringRef bytes = cubin.getBuffer();
  if (!bytes.starts_with(ELF::ElfMagic))
    return createStringError("'" + cubin.getBufferIdentifier() +
                             "' is no cubin");
  Expected<Elf> elf = Elf::create(bytes);
  if (!elf)
    return elf.takeError();
  const auto &header = elf->getHeader();
  if (header.e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      header.e_ident[ELF::EI_DATA] != ELF::ELFDATA2LSB ||
      header.e_machine != ELF::EM_CUDA)
    return createStringError("'" + cubin.getBufferIdentifier() +
                             "' holds no 64-bit CUDA machine code");
  return elf;
}

/// 90 for sm_90. CUDA 13 moved the number up by a byte and says so in the
/// version of the ABI.
unsigned architectureOf(const Elf &elf) {
  const auto &header = elf.getHeader();
  if (header.e_ident[ELF::EI_ABIVERSION] >= ELF::ELFABIVERSION_CUDA_V2)
    return (header.e_flags & ELF::EF_CUDA_SM_MASK) >> ELF::EF_CUDA_SM_OFFSET;
  return header.e_flags & ELF::EF_CUDA_SM;
}

/// Every function starts at address 0 of its own section. For one table of
/// lines they get addresses of their own, 4 GiB apart.
uint64_t addressOf(uint64_t sectionIndex, uint64_t offset) {
  return (sectionIndex << 32) + offset;
}

template <typename Relocation>
void relocate(const Elf &elf, const Section &symbols, std::string &debugLine,
              const Relocation &relocation, uint64_t addend) {
  Expected<const object::ELF64LE::Sym *> symbol =
      elf.getRelocationSymbol(relocation, &symbols);
  if (!symbol)
    return consumeError(symbol.takeError());
  if (*symbol)
    support::endian::write64le(
        debugLine.data() + relocation.r_offset,
        addressOf((*symbol)->st_shndx, (*symbol)->st_value + addend));
}

/// Replaces in `debugLine` the addresses that the relocations of `section`
/// leave open. A broken relocation costs the lines of its function, not the
/// others.
void relocateBy(const Elf &elf, const Section &section,
                std::string &debugLine) {
  Expected<const Section *> symbols = elf.getSection(section.sh_link);
  if (!symbols)
    return consumeError(symbols.takeError());
  auto isInside = [&](const auto &relocation) {
    return relocation.r_offset <= debugLine.size() &&
           debugLine.size() - relocation.r_offset >= 8;
  };
  if (section.sh_type == ELF::SHT_RELA) {
    auto relocations = elf.relas(section);
    if (!relocations)
      return consumeError(relocations.takeError());
    for (const auto &relocation : *relocations)
      if (isInside(relocation))
        relocate(elf, **symbols, debugLine, relocation, relocation.r_addend);
  } else {
    auto relocations = elf.rels(section);
    if (!relocations)
      return consumeError(relocations.takeError());
    for (const auto &relocation : *relocations)
      if (isInside(relocation))
        relocate(
            elf, **symbols, debugLine, relocation,
            support::endian::read64le(debugLine.data() + relocation.r_offset));
  }
}

/// The line tables of a cubin, empty if it has none.
class Lines {
public:
  Lines(const Elf &elf, Elf::Elf_Shdr_Range sections) {
    size_t index = 0;
    for (; index < sections.size(); ++index)
      if (nameOf(elf, sections[index]) == ".debug_line")
        break;
    if (index == sections.size())
      return;
    auto contents = elf.getSectionContents(sections[index]);
    if (!contents) {
      consumeError(contents.takeError());
      return;
    }
    bytes_.assign(contents->begin(), contents->end());
    for (const Section &section : sections)
      if (section.sh_info == index &&
          (section.sh_type == ELF::SHT_RELA || section.sh_type == ELF::SHT_REL))
        relocateBy(elf, section, bytes_);
    parse();
  }

  static StringRef nameOf(const Elf &elf, const Section &section) {
    Expected<StringRef> name = elf.getSectionName(section);
    if (name)
      return *name;
    consumeError(name.takeError());
    return "";
  }

  template <typename Instruction>
  void locate(uint64_t address, Instruction &instruction) const {
    for (const DWARFDebugLine::LineTable &table : tables_) {
      uint32_t index = table.lookupAddress({address});
      if (index == table.UnknownRowIndex)
        continue;
      const DWARFDebugLine::Row &row = table.Rows[index];
      instruction.line = row.Line;
      if (!table.getFileNameByIndex(
              row.File, /*CompDir=*/"",
              DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
              instruction.file))
        instruction.file.clear();
      return;
    }
  }

private:
  /// Damage ends the table where it stands; what was read before it is kept.
  void parse() {
    auto ignore = [](Error error) { consumeError(std::move(error)); };
    context_ = DWARFContext::create(StringMap<std::unique_ptr<MemoryBuffer>>(),
                                    /*AddrSize=*/8, /*isLittleEndian=*/true,
                                    ignore, ignore);
    DWARFDataExtractor data(bytes_, /*IsLittleEndian=*/true,
                            /*AddressSize=*/8);
    DWARFDebugLine::SectionParser parser(data, *context_,
                                         context_->normal_units());
    while (!parser.done())
      tables_.push_back(parser.parseNext(ignore, ignore));
  }

  std::string bytes_; ///< the relocated section
  std::unique_ptr<DWARFContext> context_;
  std::vector<DWARFDebugLine::LineTable> tables_;
};

/// Bits 73 to 75 tell unsigned and signed 8 bits, the same of 16, then 32, 64
/// and 128 bits; measured for sm_75 to sm_120.
unsigned bytesMoved(ArrayRef<uint8_t> code) {
  constexpr unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16, 0};
  return bytes[code[9] >> 1 & 7];
}

/// Whether these 16 bytes are such an instruction; says what it is, but for its
/// line. Of an address, bits 24 to 31 are the register (R1 is the stack
/// pointer), 40 to 63 the signed immediate, and bit 91 says that a uniform
/// register is added; measured for sm_75 to sm_120.
bool decode(ArrayRef<uint8_t> code, LocalInstruction &instruction) {
  unsigned opcode = support::endian::read16le(code.data()) & opcodeMask;
  instruction.isStore = opcode == storeLocal || opcode == storeLocalUniform;
  instruction.bytes = bytesMoved(code);
  if (code[3] == 1 && !(code[11] & 0x08))
    instruction.frameOffset =
        SignExtend32<24>(support::endian::read32le(code.data() + 4) >> 8);
  return opcode == loadLocal || instruction.isStore;
}

bool decode(ArrayRef<uint8_t> code, SharedInstruction &instruction) {
  unsigned opcode = support::endian::read16le(code.data()) & opcodeMask;
  instruction.isStore = opcode == storeShared || opcode == storeSharedUniform;
  instruction.bytes = bytesMoved(code);
  return opcode == loadShared || instruction.isStore;
}

/// What else the cubin says of the instructions of one kernel's section.
struct SectionNotes {
  struct Callee {
    uint64_t begin, end;
    std::string name;
  };
  std::vector<Callee> callees; ///< functions that were not inlined
  std::set<uint64_t> spills;   ///< offsets of what ptxas marks

  void mark(uint64_t offset, LocalInstruction &instruction) const {
    instruction.isMarkedSpill = spills.count(offset);
    for (const Callee &callee : callees)
      if (offset >= callee.begin && offset < callee.end)
        instruction.function = callee.name;
  }
  void mark(uint64_t, SharedInstruction &) const {}
};

/// The functions in the section `index` of `kernel`: each kernel has a copy of
/// its own, called `$kernel$function`.
void addCallees(const Elf &elf, const Section &symbols, uint64_t index,
                StringRef kernel, SectionNotes &notes) {
  auto all = elf.symbols(&symbols);
  auto names = elf.getStringTableForSymtab(symbols);
  if (!all || !names) {
    consumeError(all.takeError());
    consumeError(names.takeError());
    return;
  }
  for (const auto &symbol : *all) {
    if (symbol.getType() != ELF::STT_FUNC || symbol.st_shndx != index)
      continue;
    Expected<StringRef> name = symbol.getName(*names);
    if (!name) {
      consumeError(name.takeError());
      continue;
    }
    StringRef callee = *name;
    if (!callee.consume_front("$") || callee.starts_with("__internal_"))
      continue;
    if (callee.consume_front(kernel))
      callee.consume_front("$");
    notes.callees.push_back(
        {symbol.st_value, symbol.st_value + symbol.st_size, callee.str()});
  }
}

/// The marks in `.nv.info.<kernel>`: a list of entries of a format (4: its size
/// follows), an attribute and a size; attribute 0x55 holds pairs of 32 bits, of
/// which the first is 1 for "SpillRefill" and the second an offset. Told by
/// nvdisasm 13.0, written by ptxas 12.9 and 13.0, not by 12.4. The bytes that
/// marked instructions move add up to the spill bytes of ptxas' report.
void addSpillMarks(ArrayRef<uint8_t> info, SectionNotes &notes) {
  constexpr uint8_t sized = 4, annotations = 0x55;
  constexpr uint32_t spillRefill = 1;
  while (info.size() >= 4) {
    const uint8_t format = info[0], attribute = info[1];
    const size_t size =
        format == sized ? support::endian::read16le(info.data() + 2) : 0;
    info = info.drop_front(4);
    if (size > info.size())
      return;
    if (format == sized && attribute == annotations)
      for (size_t at = 0; at + 8 <= size; at += 8) {
        if (support::endian::read32le(info.data() + at) != spillRefill)
          break; // others may be of another length
        notes.spills.insert(support::endian::read32le(info.data() + at + 4));
      }
    info = info.drop_front(size);
  }
}

SectionNotes notesOn(const Elf &elf, Elf::Elf_Shdr_Range sections,
                     uint64_t index, StringRef kernel) {
  SectionNotes notes;
  for (const Section &section : sections) {
    if (section.sh_type == ELF::SHT_SYMTAB)
      addCallees(elf, section, index, kernel, notes);
    if (Lines::nameOf(elf, section) != (".nv.info." + kernel).str())
      continue;
    if (auto contents = elf.getSectionContents(section))
      addSpillMarks(*contents, notes);
    else
      consumeError(contents.takeError());
  }
  return notes;
}

template <typename Instruction>
std::vector<Instruction>
instructionsOf(ArrayRef<uint8_t> code, uint64_t sectionIndex,
               const Lines &lines, const SectionNotes &notes) {
  std::vector<Instruction> instructions;
  for (uint64_t offset = 0; offset + instructionSize <= code.size();
       offset += instructionSize) {
    Instruction instruction;
    if (!decode(code.slice(offset, instructionSize), instruction))
      continue;
    lines.locate(addressOf(sectionIndex, offset), instruction);
    notes.mark(offset, instruction);
    instructions.push_back(std::move(instruction));
  }
  return instructions;
}

template <typename Instruction>
Expected<std::map<std::string, std::vector<Instruction>>>
readInstructions(MemoryBufferRef cubin) {
  Expected<Elf> elf = openCubin(cubin);
  if (!elf)
    return elf.takeError();
  unsigned architecture = architectureOf(*elf);
  if (architecture < 70)
    return createStringError("the machine code of sm_" + Twine(architecture) +
                             " is not read, only that of sm_70 and later");
  auto sections = elf->sections();
  if (!sections)
    return sections.takeError();
  Lines lines(*elf, *sections);
  std::map<std::string, std::vector<Instruction>> byKernel;
  for (const auto &[index, section] : enumerate(*sections)) {
    StringRef name = Lines::nameOf(*elf, section);
    if (section.sh_type != ELF::SHT_PROGBITS || !name.consume_front(".text."))
      continue;
    auto code = elf->getSectionContents(section);
    if (!code)
      return code.takeError();
    byKernel[name.str()] = instructionsOf<Instruction>(
        *code, index, lines, notesOn(*elf, *sections, index, name));
  }
  return byKernel;
}

} // namespace

Expected<std::map<std::string, std::vector<LocalInstruction>>>
readLocalInstructions(MemoryBufferRef cubin) {
  return readInstructions<LocalInstruction>(cubin);
}

Expected<std::map<std::string, std::vector<SharedInstruction>>>
readSharedInstructions(MemoryBufferRef cubin) {
  return readInstructions<SharedInstruction>(cubin);
}

} // namespace warplint
