// The registers of a PTX function, and the webs that copies join of them: PTX
// has a register for each value, and copies carry that of a variable around
// loops and branches.
#pragma once
#include "ptx/ptx_text.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// "ld" of "ld.global.f32".
llvm::StringRef firstPart(llvm::StringRef opcode);

/// Statements, registers and webs are numbered from 0.
class RegisterWebs {
public:
  explicit RegisterWebs(const ptx::Function &function);

  /// The statement on a line; none if no instruction is there.
  std::optional<size_t> statementAt(unsigned line) const;

  // Of a statement: registers. Those of an address are not among `reads`.
  llvm::ArrayRef<unsigned> writes(size_t statement) const {
    return writes_[statement];
  }
  llvm::ArrayRef<unsigned> reads(size_t statement) const {
    return reads_[statement];
  }
  llvm::ArrayRef<unsigned> addressed(size_t statement) const {
    return addressed_[statement];
  }

  /// None for symbols, labels, special registers and names that no statement
  /// has.
  std::optional<unsigned> numberOf(llvm::StringRef name, unsigned scope) const;
  size_t registers() const { return registers_.size(); }
  /// 0: a predicate.
  unsigned bits(unsigned number) const { return registers_[number].bits; }
  bool isFloat(unsigned number) const { return registers_[number].isFloat; }
  unsigned webOf(unsigned number) const { return webs_[number]; }

  size_t size() const { return definitions_.size(); }
  // Of a web: statements that are no copies.
  llvm::ArrayRef<size_t> definitions(unsigned web) const {
    return definitions_[web];
  }
  llvm::ArrayRef<size_t> uses(unsigned web) const { return uses_[web]; }
  /// True if a `mov` copies it.
  bool isCopied(unsigned web) const { return isCopied_[web]; }

private:
  struct Register {
    unsigned bits;
    bool isFloat;
  };
  struct Declared {
    const ptx::Type *type;
    std::string key; ///< names are unique in a scope
  };

  std::optional<Declared> declared(llvm::StringRef name, unsigned scope) const;
  void addRegisters(const ptx::Operand &operand, unsigned scope,
                    std::vector<unsigned> &into);
  void readOperands();
  std::optional<unsigned> copied(size_t statement) const;
  void joinCopies();
  void collect();

  const ptx::Function &function_;
  std::map<std::string, unsigned> numbers_;
  std::vector<Register> registers_;
  std::vector<std::vector<unsigned>> writes_, reads_, addressed_;
  llvm::DenseMap<unsigned, size_t> byLine_;
  llvm::IntEqClasses webs_;
  std::vector<std::vector<size_t>> definitions_, uses_;
  std::vector<bool> isCopied_;
};

} // namespace warplint
