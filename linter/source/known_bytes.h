// Finds what a launch knows of the bytes of a structure that it passes by
// value.
#pragma once
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace warplint {

/// The bytes of one structure. What pads it counts as known.
class KnownBytes {
public:
  KnownBytes(const clang::ASTContext &context, clang::QualType structure);
  /// `valueOf` returns the value of a whole number at the end of a path of
  /// members, if it is known.
  void read(llvm::function_ref<std::optional<uint64_t>(
                llvm::ArrayRef<const clang::FieldDecl *> path)>
                valueOf);
  /// Every whole number in the structure is known.
  bool isWhole() const { return isWhole_; }
  /// An entry for each four bytes; none where one of them is unknown.
  std::vector<std::optional<uint64_t>> entries() const;

private:
  using ValueOf = llvm::function_ref<std::optional<uint64_t>(
      llvm::ArrayRef<const clang::FieldDecl *>)>;
  void readRecord(const clang::RecordDecl *record, uint64_t at,
                  ValueOf valueOf);
  void readField(const clang::FieldDecl *field, uint64_t at, ValueOf valueOf);
  void lose(uint64_t at, uint64_t bytes);
  bool mayHoldNumbers(clang::QualType type) const;

  const clang::ASTContext &context_;
  const clang::RecordDecl *record_;
  llvm::SmallVector<const clang::FieldDecl *, 3> path_;
  std::vector<uint8_t> values_;
  std::vector<bool> isKnown_;
  bool isWhole_ = false;
  unsigned asked_ = 0;
};

} // namespace warplint
