#include "report/snippet.h"
#include "base/printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace warplint {
namespace {

constexpr unsigned tabStop = 8;
constexpr StringRef dots = "...";
constexpr StringRef byteOrderMark = "\xEF\xBB\xBF";

/// One character and how the terminal shows it.
struct Cell {
  std::string text;
  unsigned byte;   ///< its offset in the line
  unsigned column; ///< its terminal column
  unsigned width;
};

Cell show(StringRef character, unsigned byte, unsigned column) {
  // Most are ASCII, and need no Unicode tables.
  if (isPrint(character.front()))
    return {character.str(), byte, column, 1};
  if (character == "\t") {
    unsigned width = tabStop - column % tabStop;
    return {std::string(width, ' '), byte, column, width};
  }
  if (character == byteOrderMark)
    return {"", byte, column, 0};
  int width = sys::unicode::columnWidthUTF8(character);
  // A control character would move the cursor, so the caret would be wrong.
  if (width < 0)
    return {replacementCharacter.str(), byte, column, 1};
  return {character.str(), byte, column, unsigned(width)};
}

std::vector<Cell> cellsOf(StringRef line) {
  std::vector<Cell> cells;
  unsigned column = 0;
  for (size_t byte = 0; byte < line.size();) {
    size_t size = characterSize(line.substr(byte));
    cells.push_back(show(line.substr(byte, size), byte, column));
    column += cells.back().width;
    byte += size;
  }
  return cells;
}

unsigned widthOf(const std::vector<Cell> &cells) {
  return cells.empty() ? 0 : cells.back().column + cells.back().width;
}

/// The terminal column of byte `byte`. The byte after the last one is valid
/// too: the end of the line.
std::optional<unsigned> columnOf(unsigned byte, const std::vector<Cell> &cells,
                                 size_t lineSize) {
  if (byte > lineSize)
    return std::nullopt;
  if (byte == lineSize)
    return widthOf(cells);
  // The last character that starts at or before the byte, which may be in the
  // middle of a character.
  auto after = std::upper_bound(
      cells.begin(), cells.end(), byte,
      [](unsigned byte, const Cell &cell) { return byte < cell.byte; });
  return std::prev(after)->column;
}

/// The cells of [begin, end), with dots where text is cut off.
std::string window(const std::vector<Cell> &cells, unsigned begin,
                   unsigned end) {
  const unsigned first = begin == 0 ? 0 : begin + dots.size();
  const bool cutAtEnd = end < widthOf(cells);
  const unsigned last = cutAtEnd ? end - dots.size() : end;
  std::string text;
  if (begin != 0)
    text += dots;
  unsigned column = first;
  for (const Cell &cell : cells) {
    if (cell.column < first || cell.column + cell.width > last)
      continue;
    // A wide character that the cut splits leaves a gap.
    text.append(cell.column - column, ' ');
    text += cell.text;
    column = cell.column + cell.width;
  }
  if (cutAtEnd)
    text += dots;
  return text;
}

} // namespace

Snippet snippet(StringRef line, unsigned column, unsigned width) {
  const std::vector<Cell> cells = cellsOf(line);
  std::optional<unsigned> caret =
      column == 0 ? std::nullopt : columnOf(column - 1, cells, line.size());
  const unsigned total = widthOf(cells);
  unsigned begin = 0;
  if (total > width) {
    // Shows more text before the caret than after it: the names are there.
    unsigned wanted = caret.value_or(0);
    unsigned lead = width * 2 / 3;
    begin = std::min(wanted > lead ? wanted - lead : 0, total - width);
  }
  if (caret)
    *caret -= begin;
  return {window(cells, begin, std::min(begin + width, total)), caret};
}

} // namespace warplint
