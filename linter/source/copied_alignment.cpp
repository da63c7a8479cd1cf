#include "source/copied_alignment.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>

namespace warplint {

namespace {

/// The smallest alignment of the types of this size that a line copies.
using Alignments = std::map<std::pair<unsigned, uint64_t>, llvm::Align>;

/// Reads the copies of structures in a function's body.
class CopyReader : public clang::RecursiveASTVisitor<CopyReader> {
public:
  explicit CopyReader(const clang::ASTContext &context) : context_(context) {}

  bool shouldVisitImplicitCode() const { return true; }

  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *call) {
    auto *method =
        llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getCalleeDecl());
    if (method && method->isTrivial() && call->getNumArgs() == 2)
      add(*call, {call->getArg(0), call->getArg(1)});
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construct) {
    const clang::CXXConstructorDecl &constructor = *construct->getConstructor();
    if (constructor.isTrivial() && constructor.isCopyOrMoveConstructor() &&
        construct->getNumArgs() == 1)
      add(*construct, {construct->getArg(0)});
    return true;
  }

  Alignments alignments;

private:
  void add(const clang::Expr &copy,
           std::initializer_list<const clang::Expr *> sides) {
    const clang::SourceManager &sources = context_.getSourceManager();
    for (const clang::Expr *side : sides) {
      const clang::QualType type = side->getType().getNonReferenceType();
      if (type->isIncompleteType() || type->isDependentType())
        continue;
      const llvm::Align align(context_.getTypeAlignInChars(type).getQuantity());
      const uint64_t bytes = context_.getTypeSizeInChars(type).getQuantity();
      // Code generation places a copy at the operator or at the expression.
      for (clang::SourceLocation at : {copy.getExprLoc(), copy.getBeginLoc()}) {
        const clang::PresumedLoc place =
            sources.getPresumedLoc(sources.getExpansionLoc(at));
        if (place.isInvalid())
          continue;
        auto [known, fresh] =
            alignments.try_emplace({place.getLine(), bytes}, align);
        if (!fresh)
          known->second = std::min(known->second, align);
      }
    }
  }

  const clang::ASTContext &context_;
};

/// Returns the copies that are written as one: calls of memcpy have no types.
std::vector<llvm::MemCpyInst *> typedCopies(llvm::Function &function) {
  std::vector<llvm::MemCpyInst *> copies;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
        copy && copy->getMetadata(llvm::LLVMContext::MD_tbaa_struct) &&
        copy->getDebugLoc() && llvm::isa<llvm::ConstantInt>(copy->getLength()))
      copies.push_back(copy);
  return copies;
}

} // namespace

void alignCopies(Emitted &emitted) {
  for (const auto &[name, decl] : emitted.functions) {
    llvm::Function *function = emitted.module->getFunction(name);
    if (!function || !decl->getBody())
      continue;
    const std::vector<llvm::MemCpyInst *> copies = typedCopies(*function);
    if (copies.empty())
      continue;
    CopyReader reader(decl->getASTContext());
    reader.TraverseStmt(decl->getBody());
    for (llvm::MemCpyInst *copy : copies) {
      const uint64_t bytes =
          llvm::cast<llvm::ConstantInt>(copy->getLength())->getZExtValue();
      auto known =
          reader.alignments.find({copy->getDebugLoc().getLine(), bytes});
      if (known == reader.alignments.end())
        continue;
      const llvm::Align align = known->second;
      copy->setDestAlignment(
          std::max(copy->getDestAlign().valueOrOne(), align));
      copy->setSourceAlignment(
          std::max(copy->getSourceAlign().valueOrOne(), align));
    }
  }
}

} // namespace warplint
