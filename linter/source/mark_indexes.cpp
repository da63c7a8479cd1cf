#include "source/mark_indexes.h"
#include "ir/index_marks.h"
#include "source/member_type.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace warplint {

namespace {

/// Handles `a(i, j)` and `a[i, j]`.
const clang::CXXMethodDecl *subscript(const clang::FunctionDecl *function) {
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (!method || method->isStatic() || method->getNumParams() < 2 ||
      (method->getOverloadedOperator() != clang::OO_Call &&
       method->getOverloadedOperator() != clang::OO_Subscript))
    return nullptr;
  bool isPlain = llvm::all_of(
      method->parameters(), [](const clang::ParmVarDecl *parameter) {
        return parameter->getType().getNonReferenceType()->isIntegerType();
      });
  return isPlain ? method : nullptr;
}

class Marker {
public:
  Marker(llvm::Function &subscript, const clang::CXXMethodDecl &method,
         const std::string &layout)
      : method_(method), context_(method.getASTContext()) {
    std::vector<llvm::Type *> types(
        method.getNumParams(), llvm::Type::getInt64Ty(subscript.getContext()));
    mark_ = subscript.getParent()->getOrInsertFunction(
        indexMark + layout + "." + std::to_string(types.size()),
        llvm::FunctionType::get(llvm::Type::getVoidTy(subscript.getContext()),
                                types, false));
    auto *function = llvm::cast<llvm::Function>(mark_.getCallee());
    // Attributes that keep the mark without blocking optimisation.
    function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->addFnAttr(llvm::Attribute::NoUnwind);
  }

  void mark(llvm::CallBase &call) {
    llvm::IRBuilder<> builder(&call);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    llvm::SmallVector<llvm::Value *, 8> indexes;
    for (unsigned i = 0; i < method_.getNumParams(); ++i)
      indexes.push_back(index(builder, call.getArgOperand(i + 1),
                              method_.getParamDecl(i)->getType()));
    builder.CreateCall(mark_, indexes);
  }

private:
  llvm::Value *index(llvm::IRBuilder<> &builder, llvm::Value *argument,
                     clang::QualType type) {
    clang::QualType plain = type.getNonReferenceType();
    if (type->isReferenceType()) {
      llvm::LoadInst *load = builder.CreateLoad(
          builder.getIntNTy(context_.getTypeSize(plain)), argument);
      load->setMetadata(indexLoad, llvm::MDNode::get(builder.getContext(), {}));
      argument = load;
    }
    return builder.CreateIntCast(argument, builder.getInt64Ty(),
                                 plain->isSignedIntegerType());
  }

  const clang::CXXMethodDecl &method_;
  const clang::ASTContext &context_;
  llvm::FunctionCallee mark_;
};

} // namespace

void markIndexes(Emitted &emitted) {
  for (const auto &[name, decl] : emitted.functions) {
    llvm::Function *function = emitted.module->getFunction(name);
    const clang::CXXMethodDecl *method = subscript(decl);
    if (!function || !method ||
        function->arg_size() != method->getNumParams() + 1)
      continue;
    const std::string layout = layoutNameOf(*method->getParent());
    if (!contiguousIndex(layout, method->getNumParams()))
      continue;
    Marker marker(*function, *method, layout);
    for (llvm::User *user : function->users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
          call && call->getCalledFunction() == function)
        marker.mark(*call);
  }
}

} // namespace warplint
