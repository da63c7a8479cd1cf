// Converts places, whose columns are bytes from 1, to ranges of an editor,
// whose columns are UTF-16 code units from 0.
#pragma once
#include "model/place.h"
#include "report/source_lines.h"
#include "llvm/Support/LSP/Protocol.h"

namespace warplint {

class EditorPlaces {
public:
  explicit EditorPlaces(Buffers buffers) : lines_(std::move(buffers)) {}

  /// The range of `text` if it is at the place, else of the word or operator
  /// there; the whole line if the column is unknown.
  llvm::lsp::Range range(const Place &place, llvm::StringRef text = "");

  /// The range of the occurrence of `text` nearest to `place` on its line; as
  /// above if there is none.
  llvm::lsp::Range rangeOf(const Place &place, llvm::StringRef text);

  llvm::lsp::Location location(const Place &place);

private:
  llvm::lsp::Range rangeFrom(const Place &place, size_t bytes);

  SourceLines lines_;
};

} // namespace warplint
