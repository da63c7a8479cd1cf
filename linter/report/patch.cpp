#include "report/patch.h"
#include "base/printable.h"
#include "report/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace warplint {

namespace {

using Lines = SmallVector<StringRef, 0>;

/// Each with its newline.
Lines linesOf(StringRef text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const size_t size = end == StringRef::npos ? text.size() : end + 1;
    lines.push_back(text.take_front(size));
    text = text.drop_front(size);
  }
  return lines;
}

/// Lines [firstOld, lastOld) become [firstNew, lastNew).
struct Hunk {
  size_t firstOld, lastOld, firstNew, lastNew;
};

/// The next line of `b` from which on it agrees with `a` again, for the fewest
/// lines left out of both.
Hunk hunkAt(const Lines &a, const Lines &b, size_t i, size_t j) {
  for (size_t sum = 1; sum <= a.size() - i + b.size() - j; ++sum)
    for (size_t skipped = 0; skipped <= sum; ++skipped) {
      const size_t x = i + skipped, y = j + sum - skipped;
      if (x <= a.size() && y <= b.size() &&
          ((x == a.size() && y == b.size()) ||
           (x < a.size() && y < b.size() && a[x] == b[y])))
        return {i, x, j, y};
    }
  return {i, a.size(), j, b.size()};
}

std::vector<Hunk> hunksOf(const Lines &a, const Lines &b) {
  std::vector<Hunk> hunks;
  for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i;
      ++j;
      continue;
    }
    hunks.push_back(hunkAt(a, b, i, j));
    i = hunks.back().lastOld;
    j = hunks.back().lastNew;
  }
  return hunks;
}

void printLine(char mark, StringRef line, raw_ostream &out) {
  out << mark << line;
  if (!line.ends_with("\n"))
    out << "\n\\ No newline at end of file\n";
}

void printRange(char mark, size_t first, size_t last, raw_ostream &out) {
  out << mark << (first == last ? first : first + 1);
  if (last - first != 1)
    out << ',' << last - first;
}

void printHunks(ArrayRef<Hunk> hunks, const Lines &a, const Lines &b,
                raw_ostream &out) {
  constexpr size_t context = 3;
  while (!hunks.empty()) {
    size_t together = 1; // those whose context touches
    while (together < hunks.size() &&
           hunks[together].firstOld <=
               hunks[together - 1].lastOld + 2 * context)
      ++together;
    const ArrayRef<Hunk> group = hunks.take_front(together);
    const size_t before = std::min(context, group.front().firstOld);
    const size_t after = std::min(context, a.size() - group.back().lastOld);
    out << "@@ ";
    printRange('-', group.front().firstOld - before,
               group.back().lastOld + after, out);
    out << ' ';
    printRange('+', group.front().firstNew - before,
               group.back().lastNew + after, out);
    out << " @@\n";
    size_t done = group.front().firstOld - before;
    for (const Hunk &hunk : group) {
      for (; done < hunk.firstOld; ++done)
        printLine(' ', a[done], out);
      for (; done < hunk.lastOld; ++done)
        printLine('-', a[done], out);
      for (size_t i = hunk.firstNew; i < hunk.lastNew; ++i)
        printLine('+', b[i], out);
    }
    for (const size_t end = done + after; done < end; ++done)
      printLine(' ', a[done], out);
    hunks = hunks.drop_front(together);
  }
}

} // namespace

void printPatch(const std::map<std::string, std::string> &before,
                const std::map<std::string, std::string> &after, StringRef root,
                raw_ostream &out) {
  for (const auto &[file, text] : after) {
    const std::string &old = before.at(file);
    if (old == text)
      continue;
    const Lines a = linesOf(old), b = linesOf(text);
    const std::string shown = printable(shownPath(file, root).ltrim('/'));
    out << "--- a/" << shown << "\n+++ b/" << shown << "\n";
    printHunks(hunksOf(a, b), a, b, out);
  }
}

void printReplacements(const std::vector<Finding> &findings, raw_ostream &out) {
  // A string of JSON is one of YAML.
  auto quoted = [](StringRef text) {
    std::string result;
    raw_string_ostream stream(result);
    json::OStream(stream).value(json::fixUTF8(text));
    return result;
  };
  out << "---\nMainSourceFile: ''\nReplacements:\n";
  std::vector<const Edit *> taken;
  for (const Finding &finding : findings) {
    if (!finding.edit || finding.edit->proof == Proof::RolledBack ||
        finding.verdict() == Verdict::Refuted)
      continue;
    const std::vector<Edit> &edits = finding.edit->edits;
    auto overlaps = [&](const Edit &edit) {
      return any_of(taken, [&](const Edit *other) {
        return other->begin.file == edit.begin.file &&
               other->offset <= edit.offset + edit.length &&
               edit.offset <= other->offset + other->length;
      });
    };
    if (any_of(edits, overlaps))
      continue;
    for (const Edit &edit : edits) {
      taken.push_back(&edit);
      out << "  - FilePath: " << quoted(edit.begin.file)
          << "\n    Offset: " << edit.offset << "\n    Length: " << edit.length
          << "\n    ReplacementText: " << quoted(edit.text) << "\n";
    }
  }
  out << "...\n";
}

} // namespace warplint
