// A source as Clang has parsed it: the AST, and what was found on the way.
#pragma once
#include "source/attempts.h"
#include "source/nvcc_spelling.h"
#include "source/parse_error.h"
#include "source/shared_libraries.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// The AST lives as long as this object.
class ParsedSource {
public:
  /// `instance` has its invocation already.
  explicit ParsedSource(std::unique_ptr<clang::CompilerInstance> instance)
      : instance_(std::move(instance)) {}
  ~ParsedSource();
  ParsedSource(const ParsedSource &) = delete;

  /// Opens the source for `action`, which the object then keeps: its consumer
  /// may refer to the object. Fails if Clang has no target or cannot begin.
  llvm::Error begin(std::unique_ptr<clang::FrontendAction> action);
  /// Parses it. To be called once, behind `begin`.
  llvm::Error execute() { return action_->Execute(); }

  clang::CompilerInstance &instance() const { return *instance_; }
  clang::ASTContext &context() const { return instance_->getASTContext(); }

  /// All top-level declarations, in order; static members of template instances
  /// are separate.
  std::vector<clang::DeclGroupRef> groups;
  std::vector<clang::VarDecl *> staticMembers;
  /// What the user's headers declare in the preamble, if one is used; not part
  /// of `groups`.
  std::vector<clang::DeclGroupRef> ofPreamble;
  std::string preamble;            ///< its file; empty if none is used
  std::vector<uint32_t> filesOfPreamble; ///< as MadePreamble::files
  std::vector<ParseError> errors;  ///< Clang's; fatal errors come first
  ErrorKinds errorKinds;           ///< what may cure them
  MissingKeywords missingKeywords; ///< that Clang has found
  /// Types of variables in shared memory that Clang wants to construct.
  std::set<std::string> constructedInShared;
  bool hasErrorsInLateBodies = false; ///< as LateBodies parses them
  /// The words of declarations that were left out, since nothing refers to
  /// them.
  llvm::DenseSet<const clang::IdentifierInfo *> dropped;
  unsigned attempts = 0;              ///< sets of flags that it was parsed with
  /// Functions of the precompiled header that have been used so far. Those that
  /// are deserialised later go to `generator`, if there is one.
  std::vector<clang::DeclGroupRef> fromPrecompiledHeader;
  clang::ASTConsumer *generator = nullptr;
  std::string precompiledHeader; ///< its file; empty if none is used
  /// Include directives in the precompiled header beyond those for all sources.
  std::string libraries;
  /// The macros that it defines before the last of these.
  std::set<std::string> macrosBeforeLibraries;
  /// Absolute paths of all files that any attempt read or looked for, except
  /// those in the precompiled header.
  std::vector<std::string> asked;

  /// What was read outside the precompiled header for each of these library
  /// headers that any was read for, in their order.
  std::vector<HeaderBytes>
  libraryBytes(llvm::ArrayRef<std::string> names) const;
  /// Bytes of all headers outside it.
  uint64_t headerBytes() const;

private:
  std::unique_ptr<clang::CompilerInstance> instance_;
  std::unique_ptr<clang::FrontendAction> action_;
};

} // namespace warplint
