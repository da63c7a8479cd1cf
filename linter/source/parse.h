// A command to the AST of its device side, as nvcc would see it.
#pragma once
#include "cache/store.h"
#include "input/buffers.h"
#include "input/toolkit.h"
#include "input/translate.h"
#include "source/parse_error.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
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

  /// Everything at top level, in order; static members of template instances
  /// come separately.
  std::vector<clang::DeclGroupRef> groups;
  std::vector<clang::VarDecl *> staticMembers;
  std::vector<ParseError> errors; ///< Clang's; what decided comes first
  /// Functions of a kept prefix (prefix.h) that are used so far. As more of
  /// them are read, on demand, they go to `generator` if there is one.
  std::vector<clang::DeclGroupRef> fromPrefix;
  clang::ASTConsumer *generator = nullptr;
  std::string prefix; ///< the file of the prefix; empty if there is none
  /// What the prefix includes beside what is kept for all sources, as text.
  std::string libraries;
  /// Absolute paths of all files that were read or looked for, by attempts that
  /// were not kept as well, but not those of the prefix itself.
  std::vector<std::string> asked;

private:
  friend class Parser;
  std::unique_ptr<clang::CompilerInstance> instance_;
  std::unique_ptr<clang::FrontendAction> action_;
};

/// Parses the device side of `command`. Clang reads a little less than nvcc
/// accepts, so further attempts follow one that has errors, and the one with
/// the fewest is kept. Fails only if there is no AST at all: the source cannot
/// be opened, Clang's own headers are missing. `kept` is a store that
/// keeps the headers which all sources begin with; empty: they are parsed anew.
/// What `buffers` hold is read instead of the disk's.
llvm::Expected<std::unique_ptr<ParsedSource>>
parse(const Command &command, const Translation &translation,
      const std::optional<Toolkit> &toolkit, const std::string &resourceDir,
      const Store &kept = Store(), const Buffers &buffers = {});

/// The prefix with these `libraries` that `parse` would begin with, if it is
/// kept already: which one depends on the files in the folders of -I. Empty if
/// there is none.
std::string keptPrefix(const Command &command, const Translation &translation,
                       const std::optional<Toolkit> &toolkit,
                       const std::string &resourceDir, const Store &kept,
                       const std::string &libraries);

} // namespace warplint
