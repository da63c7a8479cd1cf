// A document of an editor to what there is to show of it. What is found is what
// `check` of that file finds.
#pragma once
#include "run/options.h"
#include "llvm/Support/LSP/Protocol.h"
#include <map>
#include <set>

namespace warplint {

/// LLVM's has no room for the id of a check.
struct EditorDiagnostic : llvm::lsp::Diagnostic {
  std::string code;
};
llvm::json::Value toJSON(const EditorDiagnostic &diagnostic);
bool fromJSON(const llvm::json::Value &value, EditorDiagnostic &diagnostic,
              llvm::json::Path path);

/// What an access costs, for whoever points at it.
struct AccessNote {
  std::vector<llvm::lsp::Range> where;
  std::string text; ///< markdown
};

struct LintRequest {
  std::string file;     ///< absolute
  std::string language; ///< the editor's word for what it is; may be empty
  std::string folder;   ///< the editor's; may be empty
  bool judge = false;
  std::string through; ///< the source through which a header was read last
  /// Fingerprints of what the compiled code refuted when last asked: left out.
  std::vector<std::string> refuted;
};

struct Shown {
  std::map<std::string, std::vector<EditorDiagnostic>> diagnostics; ///< by file
  std::set<std::string> files; ///< of the user's, all that were read
  std::string through;         ///< of a header: the source that includes it
  std::vector<AccessNote> accesses;
  std::vector<std::string> refuted; ///< as in the request, if it was judged
  std::vector<std::string> notes;   ///< for a log
  std::string failure;              ///< for a person; may be empty
};
llvm::json::Value toJSON(const Shown &shown);
bool fromJSON(const llvm::json::Value &value, Shown &shown,
              llvm::json::Path path);

/// `options.sources.buffers` contains the document if it is not saved.
Shown lintDocument(const LintRequest &request, Options options);

} // namespace warplint
