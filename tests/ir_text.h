// Device IR written as text, as code generation would hand it over.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace warplint {

/// A module for the NVPTX target; empty, and the test failed, if `text` is no
/// valid IR.
inline std::unique_ptr<llvm::Module> parseIr(llvm::StringRef text,
                                             llvm::LLVMContext &context) {
  const std::string whole =
      "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-"
      "n16:32:64\"\n"
      "target triple = \"nvptx64-nvidia-cuda\"\n" +
      text.str();
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(whole, error, context);
  if (!module) {
    ADD_FAILURE() << error.getLineNo() - 2 << ": " << error.getMessage().str();
    return std::make_unique<llvm::Module>("none", context);
  }
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  return module;
}

} // namespace warplint
