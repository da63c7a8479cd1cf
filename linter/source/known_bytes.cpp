#include "source/known_bytes.h"
#include "model/argument_bytes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

namespace warplint {

KnownBytes::KnownBytes(const clang::ASTContext &context,
                       clang::QualType structure)
    : context_(context), record_(structure->getAsRecordDecl()),
      values_(context.getTypeSizeInChars(structure).getQuantity()),
      isKnown_(values_.size(), false) {}

void KnownBytes::read(ValueOf valueOf) {
  isKnown_.assign(values_.size(), true);
  isWhole_ = true;
  readRecord(record_, 0, valueOf);
}

/// A structure with bases, a union and a lambda are not followed: the compilers
/// may order the captured variables differently.
void KnownBytes::readRecord(const clang::RecordDecl *record, uint64_t at,
                            ValueOf valueOf) {
  const clang::ASTRecordLayout &layout = context_.getASTRecordLayout(record);
  auto *withBases = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  if (record->isUnion() || record->isLambda() ||
      (withBases &&
       (withBases->getNumBases() || withBases->isDynamicClass()))) {
    lose(at, layout.getSize().getQuantity());
    isWhole_ = false;
    return;
  }
  for (const clang::FieldDecl *field : record->fields()) {
    const uint64_t bits = layout.getFieldOffset(field->getFieldIndex());
    path_.push_back(field);
    readField(field, at + bits / context_.getCharWidth(), valueOf);
    path_.pop_back();
  }
}

void KnownBytes::readField(const clang::FieldDecl *field, uint64_t at,
                           ValueOf valueOf) {
  const clang::QualType type = field->getType();
  if (type->isRecordType() && !field->isBitField())
    return readRecord(type->getAsRecordDecl(), at, valueOf);
  constexpr unsigned most = 64; // numbers in one structure
  const uint64_t bytes = context_.getTypeSizeInChars(type).getQuantity();
  const bool isNumber =
      type->isIntegralOrEnumerationType() && !field->isBitField();
  const std::optional<uint64_t> value =
      isNumber && bytes <= 8 && asked_ < most ? valueOf(path_) : std::nullopt;
  asked_ += isNumber;
  if (!value) {
    lose(at, bytes);
    isWhole_ &= !mayHoldNumbers(type);
    return;
  }
  for (uint64_t i = 0; i < bytes && at + i < values_.size(); ++i)
    values_[at + i] = *value >> 8 * i;
}

void KnownBytes::lose(uint64_t at, uint64_t bytes) {
  for (uint64_t i = at; i < at + bytes && i < isKnown_.size(); ++i)
    isKnown_[i] = false;
}

bool KnownBytes::mayHoldNumbers(clang::QualType type) const {
  type = context_.getBaseElementType(type);
  return !type->isAnyPointerType() && !type->isReferenceType() &&
         !type->isRealFloatingType();
}

std::vector<std::optional<uint64_t>> KnownBytes::entries() const {
  std::vector<std::optional<uint64_t>> entries;
  for (size_t at = 0; at < values_.size(); at += bytesPerEntry) {
    uint64_t entry = 0;
    bool isKnown = true;
    for (size_t i = at; i < at + bytesPerEntry && i < values_.size(); ++i) {
      entry |= uint64_t(values_[i]) << 8 * (i - at);
      isKnown &= isKnown_[i];
    }
    entries.push_back(isKnown ? std::optional(entry) : std::nullopt);
  }
  return entries;
}

} // namespace warplint
