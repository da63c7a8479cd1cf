// Parses the device side of a command, as nvcc would.
#pragma once
#include "cache/store.h"
#include "input/buffers.h"
#include "input/toolkit.h"
#include "input/translate.h"
#include "source/attempts.h"
#include "source/nvcc_spelling.h"
#include "source/parse_error.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// A parsed source. The AST lives as long as this object.
class ParsedSource {
public:
  ParsedSource() = default;
  ~ParsedSource();
  ParsedSource(const ParsedSource &) = delete;

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
  std::vector<ParseError> errors;  ///< Clang's; fatal errors come first
  MissingKeywords missingKeywords; ///< that Clang has found
  /// Types of variables in shared memory that Clang wants to construct.
  std::set<std::string> constructedInShared;
  bool hasErrorsInLateBodies = false; ///< as LateBodies parses them
  unsigned attempts = 0;              ///< sets of flags that it was parsed with
  /// Functions of the precompiled header that have been used so far. Those that
  /// are deserialised later go to `generator`, if there is one.
  std::vector<clang::DeclGroupRef> fromPrecompiledHeader;
  clang::ASTConsumer *generator = nullptr;
  std::string precompiledHeader; ///< its file; empty if none is used
  /// Include directives in the precompiled header beyond those for all sources.
  std::string libraries;
  /// Absolute paths of all files that any attempt read or looked for, except
  /// those in the precompiled header.
  std::vector<std::string> asked;

private:
  friend class Parser;
  ErrorKinds errorKinds_;
  std::unique_ptr<clang::CompilerInstance> instance_;
  std::unique_ptr<clang::FrontendAction> action_;
};

/// Parses the device side of `command`. Clang accepts a little less than nvcc,
/// so an attempt with errors is followed by others with the flags that may cure
/// them, and the one with the fewest errors is returned. Fails only if there is
/// no AST at all: the source cannot be opened, Clang's own headers are missing.
/// `kept` is the store for precompiled headers; without a folder, none are
/// used. `buffers` replace files on disk.
llvm::Expected<std::unique_ptr<ParsedSource>>
parse(const Command &command, const Translation &translation,
      const std::optional<Toolkit> &toolkit, const std::string &resourceDir,
      const Store &kept = Store(), const Buffers &buffers = {});

} // namespace warplint
