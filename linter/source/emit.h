// A parsed source to the device IR of its kernels.
#pragma once
#include "source/parse.h"
#include "clang/AST/Decl.h"
#include "llvm/IR/Module.h"
#include <map>

namespace warplint {

struct Emitted {
  std::unique_ptr<llvm::Module> module;
  /// IR name to declaration, for everything that has a body.
  std::map<std::string, const clang::FunctionDecl *> functions;
  /// Kernels that have no IR, since they or what they call have errors.
  std::vector<const clang::FunctionDecl *> dropped;
};

Emitted emitDevice(ParsedSource &source, llvm::LLVMContext &context);

} // namespace warplint
