// The source line of a machine instruction, from cubins that nvcc made. The
// lines that are expected are those of LLVM's own reader of line tables.
#include "machine/cubin_lines.h"
#include "test_paths.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct Cubin {
  explicit Cubin(const std::string &name) {
    auto file = llvm::MemoryBuffer::getFile(
        WARPLINT_SOURCE_DIR "/fuzz/corpus/cubin/" + name);
    EXPECT_TRUE(bool(file)) << name;
    bytes = std::move(*file);
    elf.emplace(llvm::cantFail(CubinElf::create(bytes->getBuffer())));
    auto all = elf->sections();
    if (all)
      sections = *all;
    else
      llvm::consumeError(all.takeError());
  }
  uint64_t indexOf(llvm::StringRef name) const {
    for (size_t i = 0; i < sections.size(); ++i)
      if (sectionName(*elf, sections[i]) == name)
        return i;
    ADD_FAILURE() << "no section " << name.str();
    return 0;
  }
  /// "s.cu:4"; "none".
  std::string at(uint64_t offset,
                 llvm::StringRef tables = ".debug_line") const {
    const CubinLines lines(*elf, sections, tables);
    const CubinLine line = lines.at(indexOf(".text._Z1kPKiPii"), offset);
    return line.line ? line.file + ":" + std::to_string(line.line) : "none";
  }
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  std::optional<CubinElf> elf;
  llvm::ArrayRef<CubinSection> sections;
};

TEST(CubinLines, AnInstructionHasTheLineOfTheRowBeforeIt) {
  const Cubin cubin("sm_90a.cubin");
  EXPECT_EQ(cubin.at(0x00), "/tmp/seed/s.cu:1");
  EXPECT_EQ(cubin.at(0x50), "/tmp/seed/s.cu:4");
  EXPECT_EQ(cubin.at(0x60), "/tmp/seed/s.cu:7");
  EXPECT_EQ(cubin.at(0xe0), "/tmp/seed/s.cu:5");
  EXPECT_EQ(cubin.at(0x2f0), "/tmp/seed/s.cu:10");
  EXPECT_EQ(cubin.at(0x300), "none") << "behind the end of the function";
}

// Debug builds have the older kind of relocation, whose addend is in the text.
TEST(CubinLines, BothKindsOfRelocationAreApplied) {
  const Cubin cubin("debug.cubin");
  EXPECT_EQ(cubin.at(0x290), "/tmp/seed/s.cu:4");
  EXPECT_EQ(cubin.at(0xa10), "/tmp/seed/s.cu:7");
  EXPECT_EQ(cubin.at(0xcd0), "/tmp/seed/s.cu:10");
}

// Every function begins at address 0 of its section.
TEST(CubinLines, AnotherSectionHasNoneOfTheseLines) {
  const Cubin cubin("relocatable.cubin");
  const CubinLines lines(*cubin.elf, cubin.sections);
  const uint64_t kernel = cubin.indexOf(".text._Z1kPKiPii");
  EXPECT_EQ(lines.at(kernel, 0x220).line, 9u);
  EXPECT_EQ(lines.at(kernel - 1, 0x220).line, 0u);
  EXPECT_EQ(lines.at(kernel + 1, 0).line, 0u);
}

TEST(CubinLines, LinesOfThePtxAreATableOfTheirOwn) {
  const Cubin cubin("sm_90a.cubin");
  const std::string line = cubin.at(0xe0, ".nv_debug_line_sass");
  EXPECT_NE(line, "none");
  EXPECT_NE(line, cubin.at(0xe0));
}

// Without -lineinfo there is none; a broken table must not loop for ever.
TEST(CubinLines, WithoutATableThereIsNoLine) {
  EXPECT_EQ(Cubin("no-lines.cubin").at(0), "none");
  const Cubin broken("line-table-leads-back.cubin");
  const CubinLines lines(*broken.elf, broken.sections);
  EXPECT_EQ(lines.at(1, 0).line, 0u);
}

} // namespace
