#include "source/member_type.h"
#include "clang/AST/ASTContext.h"

namespace warplint {

static const clang::TypedefNameDecl *
memberAlias(const clang::CXXRecordDecl &record,
            const clang::IdentifierInfo &name) {
  for (const clang::NamedDecl *decl : record.lookup(&name))
    if (auto *alias = llvm::dyn_cast<clang::TypedefNameDecl>(decl))
      return alias;
  for (const clang::CXXBaseSpecifier &base : record.bases())
    if (const clang::CXXRecordDecl *inner =
            base.getType()->getAsCXXRecordDecl();
        inner && inner->hasDefinition())
      if (const clang::TypedefNameDecl *alias =
              memberAlias(*inner->getDefinition(), name))
        return alias;
  return nullptr;
}

const clang::CXXRecordDecl *memberType(const clang::CXXRecordDecl &record,
                                       llvm::StringRef name) {
  const clang::TypedefNameDecl *alias =
      record.hasDefinition()
          ? memberAlias(*record.getDefinition(),
                        record.getASTContext().Idents.get(name))
          : nullptr;
  return alias ? alias->getUnderlyingType()->getAsCXXRecordDecl() : nullptr;
}

const clang::CXXRecordDecl *layoutOf(const clang::CXXRecordDecl &record) {
  for (const char *member : {"array_layout", "layout_type"})
    if (const clang::CXXRecordDecl *layout = memberType(record, member);
        layout && layout->getIdentifier())
      return layout;
  return nullptr;
}

std::string layoutNameOf(const clang::CXXRecordDecl &record) {
  const clang::CXXRecordDecl *layout = layoutOf(record);
  if (!layout)
    return "";
  // Translates the layout names of Views based on mdspan to those that users
  // write.
  if (layout->getName() == "layout_left_padded")
    return "LayoutLeft";
  if (layout->getName() == "layout_right_padded")
    return "LayoutRight";
  return layout->getName().str();
}

std::vector<std::pair<uint64_t, unsigned>>
integersIn(clang::QualType type, uint64_t offset, clang::ASTContext &context) {
  if (type->isIntegralOrEnumerationType())
    return {{offset, context.getTypeSizeInChars(type).getQuantity()}};
  if (const clang::ConstantArrayType *array =
          context.getAsConstantArrayType(type)) {
    clang::QualType element = array->getElementType();
    if (!element->isIntegralOrEnumerationType())
      return {};
    const unsigned bytes = context.getTypeSizeInChars(element).getQuantity();
    std::vector<std::pair<uint64_t, unsigned>> result;
    for (uint64_t i = 0; i < array->getSize().getZExtValue(); ++i)
      result.push_back({offset + i * bytes, bytes});
    return result;
  }
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->isCompleteDefinition() || record->getNumBases() ||
      std::distance(record->field_begin(), record->field_end()) != 1)
    return {};
  return integersIn(record->field_begin()->getType(), offset, context);
}

} // namespace warplint
