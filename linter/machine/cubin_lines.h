// Finds the source line of a cubin's instruction.
#pragma once
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ELF.h"

namespace warplint {

using CubinElf = llvm::object::ELFFile<llvm::object::ELF64LE>;
using CubinSection = llvm::object::ELF64LE::Shdr;

/// Empty if the table is broken.
llvm::StringRef sectionName(const CubinElf &elf, const CubinSection &section);

struct CubinLine {
  std::string file; ///< as the line table names it; empty if there is no line
  unsigned line = 0;
};

/// The line tables of a cubin, of the source or of the PTX
/// (.nv_debug_line_sass); empty if it has none.
class CubinLines {
public:
  CubinLines(const CubinElf &elf, llvm::ArrayRef<CubinSection> sections,
             llvm::StringRef tables = ".debug_line");
  CubinLine at(uint64_t sectionIndex, uint64_t offset) const;

private:
  void parse();

  std::string bytes_; ///< the relocated section
  std::unique_ptr<llvm::DWARFContext> context_;
  std::vector<llvm::DWARFDebugLine::LineTable> tables_;
};

} // namespace warplint
