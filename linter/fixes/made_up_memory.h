// The memory of an executed kernel: what was written, and what is made up for
// the rest (private to fixes).
#pragma once
#include "fixes/execution.h"
#include "fixes/program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include <array>
#include <bitset>
#include <memory>

namespace warplint {

// One flat space: an address tells what it is in.
inline constexpr uint64_t sharedBase = 0x0100'0000, sharedEnd = 0x0200'0000;
inline constexpr uint64_t localBase = 0x4000'0000, localEnd = 0x8000'0000;
inline constexpr uint64_t argumentBase =
    0x9000'0000; ///< structures passed by value
inline constexpr uint64_t argumentRoom = 0x1'0000;
inline constexpr uint64_t argumentEnd = 0xa000'0000;
inline constexpr uint64_t variableBase = 0x5000'0000'0000;
inline constexpr uint64_t pointedBase =
    0x7000'0000'0000; ///< what arguments point at
inline constexpr unsigned pointedShift = 36;
inline constexpr uint64_t pointedEnd = 0x7800'0000'0000;
inline constexpr uint64_t elsewhere =
    0x7c00'0000'0000; ///< what memory points at

/// Bytes that were written.
class Memory {
public:
  std::optional<uint8_t> at(uint64_t address) const {
    auto page = pages_.find(address / pageBytes);
    if (page == pages_.end() || !page->second->isWritten[address % pageBytes])
      return std::nullopt;
    return page->second->bytes[address % pageBytes];
  }
  /// `width`: bytes of the number that the byte is part of.
  void write(uint64_t address, uint8_t byte, uint8_t width) {
    std::unique_ptr<Page> &page = pages_[address / pageBytes];
    if (!page)
      page = std::make_unique<Page>();
    page->bytes[address % pageBytes] = byte;
    page->isWritten[address % pageBytes] = true;
    page->widths[address % pageBytes] = width;
  }
  void addTo(std::map<uint64_t, StoredByte> &all) const {
    for (const auto &[number, page] : pages_)
      for (unsigned i = 0; i < pageBytes; ++i)
        if (page->isWritten[i])
          all[number * pageBytes + i] = {page->bytes[i], page->widths[i]};
  }

private:
  static constexpr unsigned pageBytes = 256;
  struct Page {
    std::array<uint8_t, pageBytes> bytes, widths;
    std::bitset<pageBytes> isWritten;
  };
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages_;
};

/// What a kernel finds that nothing has written. A function of the inputs.
class MadeUpMemory {
public:
  MadeUpMemory(const llvm::Function &kernel, const Inputs &inputs)
      : kernel_(kernel), inputs_(inputs), layout_(kernel.getDataLayout()) {}

  /// Returns the place of a variable; none for a function.
  std::optional<uint64_t> addressOf(const llvm::GlobalValue &value);
  /// Returns an argument; `number` counts the whole numbers among them.
  Lanes argument(unsigned position, uint64_t &number) const;
  /// Returns the byte that a variable has before the kernel runs, if the text
  /// says.
  std::optional<uint8_t> initial(uint64_t address) const;
  /// Returns what other untouched memory holds.
  uint64_t untouched(uint64_t address, unsigned bytes, Content content) const;

private:
  uint64_t size(uint64_t key) const;

  const llvm::Function &kernel_;
  const Inputs &inputs_;
  const llvm::DataLayout &layout_;
  llvm::DenseMap<const llvm::GlobalValue *, uint64_t> addresses_;
  std::map<uint64_t, const llvm::GlobalVariable *> variables_;
  uint64_t sharedBytes_ = 0;
};

} // namespace warplint
