#include "source/alike_instances.h"
#include "source/describe_kernel.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <map>

namespace warplint {

/// Adds what an argument is, but for its number.
static void addKind(const clang::TemplateArgument &argument,
                    const clang::ASTContext &context,
                    llvm::FoldingSetNodeID &id) {
  id.AddInteger(argument.getKind());
  if (argument.getKind() == clang::TemplateArgument::Pack) {
    id.AddInteger(argument.pack_size());
    for (const clang::TemplateArgument &one : argument.pack_elements())
      addKind(one, context, id);
  } else if (argument.getKind() == clang::TemplateArgument::Integral) {
    id.AddPointer(argument.getIntegralType().getCanonicalType().getTypePtr());
  } else {
    context.getCanonicalTemplateArgument(argument).Profile(id, context);
  }
}

/// Leaves `most` of them, by a hash of their names: with an even step, an
/// option of two values would have but one of them in what is left.
static std::vector<const clang::FunctionDecl *>
leftOutOf(llvm::ArrayRef<const clang::FunctionDecl *> instances, size_t most) {
  std::vector<std::pair<uint64_t, const clang::FunctionDecl *>> byHash;
  for (const clang::FunctionDecl *instance : instances)
    byHash.push_back({llvm::xxh3_64bits(mangledName(*instance)),
                      instance->getCanonicalDecl()});
  llvm::stable_sort(byHash, llvm::less_first());
  std::vector<const clang::FunctionDecl *> leftOut;
  for (const auto &[hash, instance] : llvm::ArrayRef(byHash).drop_front(most))
    leftOut.push_back(instance);
  return leftOut;
}

std::vector<AlikeInstances>
alikeInstances(llvm::ArrayRef<const clang::FunctionDecl *> kernels,
               size_t most) {
  std::map<llvm::FoldingSetNodeID, size_t> groupOf;
  std::vector<std::vector<const clang::FunctionDecl *>> groups;
  for (const clang::FunctionDecl *kernel : kernels) {
    const clang::FunctionTemplateDecl *primary = kernel->getPrimaryTemplate();
    const clang::TemplateArgumentList *arguments =
        kernel->getTemplateSpecializationArgs();
    if (!primary || !arguments)
      continue;
    llvm::FoldingSetNodeID id;
    id.AddPointer(primary->getCanonicalDecl());
    // An explicit specialisation has code of its own.
    id.AddPointer(kernel->getTemplateInstantiationPattern());
    for (const clang::TemplateArgument &argument : arguments->asArray())
      addKind(argument, kernel->getASTContext(), id);
    const auto [group, isNew] = groupOf.try_emplace(id, groups.size());
    if (isNew)
      groups.emplace_back();
    groups[group->second].push_back(kernel);
  }
  std::vector<AlikeInstances> result;
  for (const auto &group : groups)
    if (group.size() > most)
      result.push_back({group.front(), group.size(), leftOutOf(group, most)});
  return result;
}

} // namespace warplint
