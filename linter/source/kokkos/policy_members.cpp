#include "source/kokkos/policy_members.h"
#include "ir/known_members.h"
#include "source/member_type.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

namespace warplint {

namespace {

using Sizes = std::vector<std::optional<uint64_t>>;

/// Keeps the members that another dispatch has as well.
void agree(Sizes &sizes, const Sizes &theirs) {
  sizes.resize(std::min(sizes.size(), theirs.size()));
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != theirs[i])
      sizes[i].reset();
}

/// Returns the known members of one policy, by their names in
/// Kokkos_ExecPolicy.hpp and KokkosExp_MDRangePolicy.hpp, the same from 3.4 to
/// 5.1. From 5.1 on the kernel has bounds of its own, turned as the block is.
class PolicyMembers {
public:
  PolicyMembers(const KokkosPolicy &policy, clang::ASTContext &context)
      : policy_(policy), context_(context) {}

  /// `driver` is the parameter of the backend's kernel: functor and policy.
  KnownMembers in(const clang::CXXRecordDecl &driver) {
    forEachField(driver, 0, [&](const clang::FieldDecl &field, uint64_t at) {
      const clang::CXXRecordDecl *record =
          field.getType()->getAsCXXRecordDecl();
      if (record && record->isCompleteDefinition() && record->getIdentifier() &&
          record->getName().ends_with("RangePolicy"))
        addPolicy(*record, at);
      if (field.getName() != "m_lower")
        return;
      Sizes begin = policy_.begin;
      if (policy_.isTurned)
        std::reverse(begin.begin(), begin.end());
      add(field, at, begin);
    });
    return std::move(members_);
  }

private:
  void forEachField(
      const clang::CXXRecordDecl &record, uint64_t at,
      llvm::function_ref<void(const clang::FieldDecl &, uint64_t)> visit) {
    const clang::ASTRecordLayout &layout = context_.getASTRecordLayout(&record);
    for (const clang::FieldDecl *field : record.fields())
      visit(*field, at + layout.getFieldOffset(field->getFieldIndex()) / 8);
  }

  void addPolicy(const clang::CXXRecordDecl &policy, uint64_t at) {
    forEachField(policy, at, [&](const clang::FieldDecl &field, uint64_t at) {
      llvm::StringRef name = field.getName();
      if (name == "m_begin" || name == "m_lower")
        add(field, at, policy_.begin);
      else if (name == "m_tile")
        add(field, at, policy_.tile);
    });
  }

  void add(const clang::FieldDecl &field, uint64_t at, const Sizes &sizes) {
    const auto places = integersIn(field.getType(), at, context_);
    if (places.size() != sizes.size())
      return;
    for (size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i])
        members_[places[i].first] = {*sizes[i], places[i].second};
  }

  const KokkosPolicy &policy_;
  clang::ASTContext &context_;
  KnownMembers members_;
};

} // namespace

std::map<std::string, KokkosPolicy>
agreedPolicies(llvm::ArrayRef<KokkosReader::Dispatch> dispatches) {
  std::map<std::string, KokkosPolicy> agreed;
  for (const KokkosReader::Dispatch &dispatch : dispatches) {
    auto [known, isFirst] =
        agreed.try_emplace(dispatch.kernel, dispatch.policy);
    agree(known->second.begin, dispatch.policy.begin);
    agree(known->second.tile, dispatch.policy.tile);
  }
  return agreed;
}

void fixPolicy(llvm::Function &kernel, const clang::FunctionDecl &decl,
               const KokkosPolicy &policy) {
  const clang::CXXRecordDecl *driver = kokkosDriver(decl);
  const llvm::Value *base = kokkosDriverIn(kernel);
  if (driver && base)
    replaceMembers(kernel, *base,
                   PolicyMembers(policy, decl.getASTContext()).in(*driver));
}

} // namespace warplint
