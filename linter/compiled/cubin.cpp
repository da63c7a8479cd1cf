#include "compiled/cubin.h"
#include "compiled/cubin_info.h"
#include "compiled/cubin_lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;

namespace warplint {
namespace {

using Elf = CubinElf;
using Section = CubinSection;

constexpr unsigned instructionSize = 16; ///< bytes, since sm_70
constexpr unsigned opcodeMask = 0xfff;   ///< of an instruction's first word
constexpr unsigned loadLocal = 0x983;    ///< LDL, measured for sm_75 to sm_121
constexpr unsigned storeLocal = 0x387;   ///< STL, likewise
constexpr unsigned storeLocalUniform = 0x987; ///< STL, its address partly in a
                                              ///< uniform register: sm_100 on
constexpr unsigned loadShared = 0x984;   ///< LDS, likewise
constexpr unsigned storeShared = 0x388;  ///< STS, likewise
constexpr unsigned storeSharedUniform = 0x988; ///< the same, its address partly
                                               ///< in a uniform register
constexpr unsigned stackPointer = 1;           ///< R1, by NVIDIA's ABI

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

/// CUDA 13 moved the architecture up by a byte and more into sections. It says
/// so in the version of the ABI.
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

/// Bits 73 to 75 tell unsigned and signed 8 bits, the same of 16, then 32, 64
/// and 128 bits, in local and in shared memory.
unsigned bytesMoved(ArrayRef<uint8_t> code) {
  constexpr unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16, 0};
  return bytes[code[9] >> 1 & 7];
}

/// Bits 24 to 31 are the register that holds the address, bits 40 to 63 what is
/// added to it; bit 91 says that a uniform register is added as well.
std::optional<int> frameOffset(ArrayRef<uint8_t> code) {
  if (code[3] != stackPointer || (code[11] & 0x08))
    return std::nullopt;
  return SignExtend32<24>(support::endian::read32le(&code[4]) >> 8);
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

SectionNotes notesOn(const Elf &elf, ArrayRef<Section> sections,
                     uint64_t index, StringRef kernel) {
  SectionNotes notes;
  for (const Section &section : sections) {
    if (section.sh_type == ELF::SHT_SYMTAB)
      addCallees(elf, section, index, kernel, notes);
    if (sectionName(elf, section) != (".nv.info." + kernel).str())
      continue;
    if (auto contents = elf.getSectionContents(section))
      addSpillMarks(*contents, notes);
    else
      consumeError(contents.takeError());
  }
  return notes;
}

template <typename Instruction>
void append(std::vector<Instruction> &to, Instruction instruction,
            CubinLine line) {
  instruction.file = std::move(line.file);
  instruction.line = line.line;
  to.push_back(std::move(instruction));
}

void readCode(ArrayRef<uint8_t> code, uint64_t sectionIndex,
              const CubinLines &lines, const SectionNotes &notes,
              CubinFunction &function) {
  for (uint64_t offset = 0; offset + instructionSize <= code.size();
       offset += instructionSize) {
    ArrayRef<uint8_t> bytes = code.slice(offset, instructionSize);
    unsigned opcode = opcodeOf(bytes);
    if (opcode == loadLocal || opcode == storeLocal ||
        opcode == storeLocalUniform) {
      LocalInstruction instruction;
      instruction.isStore = opcode != loadLocal;
      instruction.bytes = bytesMoved(bytes);
      instruction.frameOffset = frameOffset(bytes);
      notes.mark(offset, instruction);
      append(function.locals, instruction, lines.at(sectionIndex, offset));
    } else if (opcode == loadShared || opcode == storeShared ||
               opcode == storeSharedUniform) {
      SharedInstruction instruction;
      instruction.isStore = opcode != loadShared;
      instruction.bytes = bytesMoved(bytes);
      append(function.shared, instruction, lines.at(sectionIndex, offset));
    }
  }
}

/// Which sections hold a kernel: their symbol has a bit for it.
std::vector<bool> holdKernels(const Elf &elf, ArrayRef<Section> sections) {
  constexpr uint8_t entry = 0x10; // STO_CUDA_ENTRY
  std::vector<bool> holdsKernel(sections.size());
  for (const Section &section : sections) {
    if (section.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto symbols = elf.symbols(&section);
    if (!symbols) {
      consumeError(symbols.takeError());
      continue;
    }
    for (const auto &symbol : *symbols)
      if (symbol.getType() == ELF::STT_FUNC && (symbol.st_other & entry) &&
          symbol.st_shndx < sections.size())
        holdsKernel[symbol.st_shndx] = true;
  }
  return holdsKernel;
}

} // namespace

Expected<CubinReport> readCubin(MemoryBufferRef cubin) {
  Expected<Elf> elf = openCubin(cubin);
  if (!elf)
    return elf.takeError();
  if (unsigned architecture = architectureOf(*elf); architecture < 70)
    return createStringError("the machine code of sm_" + Twine(architecture) +
                             " is not read, only that of sm_70 and later");
  auto sections = elf->sections();
  if (!sections)
    return sections.takeError();

  CubinReport report;
  report.architecture = architectureName(*elf, *sections);
  report.isRelocatable = elf->getHeader().e_type == ELF::ET_REL;
  CubinLines lines(*elf, *sections);
  std::vector<bool> holdsKernel = holdKernels(*elf, *sections);
  for (const auto &[index, section] : enumerate(*sections)) {
    StringRef name = sectionName(*elf, section);
    if (section.sh_type != ELF::SHT_PROGBITS || !name.consume_front(".text."))
      continue;
    auto code = elf->getSectionContents(section);
    if (!code)
      return code.takeError();
    CubinFunction &function = report.functions.emplace_back();
    function.name = name.str();
    function.isKernel = holdsKernel[index];
    if (!isOfCuda13(*elf)) { // the section's own header says
      function.registers = section.sh_info >> 24;
      function.barriers = section.sh_flags >> 20 & 0x7f;
    }
    readCode(*code, index, lines, notesOn(*elf, *sections, index, name),
             function);
  }
  std::map<std::string, CubinFunction *> byName;
  for (CubinFunction &function : report.functions)
    byName[function.name] = &function;
  readInfo(*elf, *sections, architectureOf(*elf), byName);
  return report;
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
