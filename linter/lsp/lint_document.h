// Lints one document of an editor. The findings are those of `check` for that
// file.
#pragma once
#include "run/options.h"
#include "llvm/Support/LSP/Protocol.h"
#include <map>
#include <set>

namespace warplint {

/// A quick fix that edits one file.
struct EditorFix {
  std::string title; ///< with its class
  std::string file;  ///< absolute, as the editor names it
  bool isPreferred = false;
  std::vector<llvm::lsp::TextEdit> edits;
};

/// LLVM's Diagnostic has no field for the id of a check.
struct EditorDiagnostic : llvm::lsp::Diagnostic {
  std::string code;
  std::optional<EditorFix> fix; ///< in the JSON: `data`
};
llvm::json::Value toJSON(const EditorDiagnostic &diagnostic);
bool fromJSON(const llvm::json::Value &value, EditorDiagnostic &diagnostic,
              llvm::json::Path path);

/// The cost of an access, or who holds the registers of a finding's kernel.
struct HoverNote {
  std::vector<llvm::lsp::Range> where;
  std::string text; ///< markdown
};

struct LintRequest {
  std::string file;     ///< absolute
  std::string language; ///< language id of the editor; may be empty
  std::string folder;   ///< the editor's; may be empty
  bool judge = false;
  std::string through; ///< the source by which a header was read last
  /// Fingerprints of findings that the last judged run refuted: omitted.
  std::vector<std::string> refuted;
};

struct Shown {
  std::map<std::string, std::vector<EditorDiagnostic>> diagnostics; ///< by file
  std::set<std::string> files; ///< all files of the user that were read
  std::string through;         ///< of a header: the source that includes it
  std::vector<HoverNote> hovers;
  std::vector<std::string> refuted; ///< as in the request, if judged
  std::vector<std::string> notes;   ///< for a log
  std::string failure;              ///< a message for the user; may be empty
};
llvm::json::Value toJSON(const Shown &shown);
bool fromJSON(const llvm::json::Value &value, Shown &shown,
              llvm::json::Path path);

/// If `options.sources.buffers` has the document itself, it is not saved.
Shown lintDocument(const LintRequest &request, Options options);

} // namespace warplint
