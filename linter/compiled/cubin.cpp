#include "compiled/cubin.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace warplint {
namespace {

using Elf = object::ELFFile<object::ELF64LE>;
using Section = object::ELF64LE::Shdr;

constexpr unsigned instructionSize = 16; ///< bytes, since sm_70
constexpr unsigned opcodeMask = 0xfff;   ///< of an instruction's first word
constexpr unsigned loadLocal = 0x983;    ///< LDL, measured for sm_75 to sm_120
constexpr unsigned storeLocal = 0x387;   ///< STL, likewise
constexpr unsigned loadShared = 0x984;   ///< LDS, likewise
constexpr unsigned storeShared = 0x388;  ///< STS, likewise
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

/// Whether these 16 bytes are such an instruction; says what it is, but for its
/// line.
bool decode(ArrayRef<uint8_t> code, LocalInstruction &instruction) {
  unsigned opcode = support::endian::read16le(code.data()) & opcodeMask;
  instruction.isStore = opcode == storeLocal;
  return opcode == loadLocal || opcode == storeLocal;
}

bool decode(ArrayRef<uint8_t> code, SharedInstruction &instruction) {
  // Bits 73 to 75 tell unsigned and signed 8 bits, the same of 16, then 32, 64
  // and 128 bits; measured for sm_75 to sm_120.
  constexpr unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16, 0};
  unsigned opcode = support::endian::read16le(code.data()) & opcodeMask;
  instruction.isStore = opcode == storeShared || opcode == storeSharedUniform;
  instruction.bytes = bytes[code[9] >> 1 & 7];
  return opcode == loadShared || instruction.isStore;
}

template <typename Instruction>
std::vector<Instruction> instructionsOf(ArrayRef<uint8_t> code,
                                        uint64_t sectionIndex,
                                        const Lines &lines) {
  std::vector<Instruction> instructions;
  for (uint64_t offset = 0; offset + instructionSize <= code.size();
       offset += instructionSize) {
    Instruction instruction;
    if (!decode(code.slice(offset, instructionSize), instruction))
      continue;
    lines.locate(addressOf(sectionIndex, offset), instruction);
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
    byKernel[name.str()] = instructionsOf<Instruction>(*code, index, lines);
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
