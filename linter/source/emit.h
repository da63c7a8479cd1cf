// Generates the device IR of a parsed source's kernels.
#pragma once
#include "source/alike_instances.h"
#include "source/parsed_source.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"
#include <map>

namespace warplint {

struct Emitted {
  std::unique_ptr<llvm::Module> module;
  /// Declarations with a body, by IR name.
  std::map<std::string, const clang::FunctionDecl *> functions;
  /// Kernels without IR, because they or their callees have errors.
  std::vector<const clang::FunctionDecl *> dropped;
  /// Kernel templates with more instances than are read.
  std::vector<AlikeInstances> alike;
  llvm::DenseSet<const clang::FunctionDecl *> leftOut; ///< those of `alike`

  bool isLeftOut(const clang::Decl *decl) const {
    auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    return function && leftOut.contains(function->getCanonicalDecl());
  }
};

Emitted emitDevice(ParsedSource &source, llvm::LLVMContext &context);

} // namespace warplint
