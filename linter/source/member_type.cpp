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

} // namespace warplint
