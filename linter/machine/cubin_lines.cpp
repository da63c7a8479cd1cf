#include "machine/cubin_lines.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace warplint {

using Elf = CubinElf;
using Section = CubinSection;

namespace {

/// Every function starts at address 0 of its section. One table of lines needs
/// distinct addresses, 4 GiB apart.
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

/// Applies the relocations of `section` to `debugLine`. A broken relocation
/// loses the lines of its function only.
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

} // namespace

CubinLines::CubinLines(const Elf &elf, ArrayRef<Section> sections,
                       StringRef tables) {
  size_t index = 0;
  for (; index < sections.size(); ++index)
    if (sectionName(elf, sections[index]) == tables)
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

/// Damage ends the table; lines read before are kept.
void CubinLines::parse() {
  auto ignore = [](Error error) { consumeError(std::move(error)); };
  context_ = DWARFContext::create(StringMap<std::unique_ptr<MemoryBuffer>>(),
                                  /*AddrSize=*/8, /*isLittleEndian=*/true,
                                  ignore, ignore);
  DWARFDataExtractor data(bytes_, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DWARFDebugLine::SectionParser parser(data, *context_,
                                       context_->normal_units());
  // LLVM adds a broken table's length to its offset, which may loop.
  for (uint64_t last = 0; !parser.done() && parser.getOffset() >= last;) {
    last = parser.getOffset() + 1;
    tables_.push_back(parser.parseNext(ignore, ignore));
  }
}

CubinLine CubinLines::at(uint64_t sectionIndex, uint64_t offset) const {
  CubinLine found;
  for (const DWARFDebugLine::LineTable &table : tables_) {
    uint32_t index = table.lookupAddress({addressOf(sectionIndex, offset)});
    if (index == table.UnknownRowIndex)
      continue;
    const DWARFDebugLine::Row &row = table.Rows[index];
    found.line = row.Line;
    if (!table.getFileNameByIndex(
            row.File, /*CompDir=*/"",
            DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
            found.file))
      found.file.clear();
    break;
  }
  return found;
}

} // namespace warplint
