// Places, whose columns are bytes from 1, to an editor's ranges, whose columns
// are UTF-16 code units from 0.
#pragma once
#include "model/place.h"
#include "report/source_lines.h"
#include "llvm/Support/LSP/Protocol.h"

namespace warplint {

class EditorPlaces {
public:
  explicit EditorPlaces(Buffers buffers) : lines_(std::move(buffers)) {}

  /// From the place to the end of `text` if that stands there, else of the
  /// word or operator that does; the whole line where no column is known.
  llvm::lsp::Range range(const Place &place, llvm::StringRef text = "");

  /// Where the line of `place` has `text`, as near to the place as it gets; as
  /// above if it is nowhere.
  llvm::lsp::Range rangeOf(const Place &place, llvm::StringRef text);

  llvm::lsp::Location location(const Place &place);

private:
  llvm::lsp::Range rangeFrom(const Place &place, size_t bytes);

  SourceLines lines_;
};

} // namespace warplint
