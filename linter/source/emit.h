// Generates the device IR of a parsed source's kernels.
#pragma once
#include "source/parsed_source.h"
#include "clang/AST/Decl.h"
#include "llvm/IR/Module.h"
#include <map>

namespace warplint {

struct Emitted {
  std::unique_ptr<llvm::Module> module;
  /// Declarations with a body, by IR name.
  std::map<std::string, const clang::FunctionDecl *> functions;
  /// Kernels without IR, because they or their callees have errors.
  std::vector<const clang::FunctionDecl *> dropped;
};

Emitted emitDevice(ParsedSource &source, llvm::LLVMContext &context);

} // namespace warplint
