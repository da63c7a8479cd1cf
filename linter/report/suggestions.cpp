#include "report/suggestions.h"
#include "base/printable.h"
#include "report/source_lines.h"
#include "report/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace llvm;

namespace warplint {

namespace {

/// The lines that a fix touches as they are after it; none if they cannot be
/// read.
std::optional<std::string> linesAfter(const Fix &fix, SourceLines &sources) {
  std::string text;
  Place done{fix.edits.front().begin.file, fix.edits.front().begin.line, 1};
  auto copyTo = [&](const Place &end) {
    for (; done.line <= end.line; ++done.line, done.column = 1) {
      auto line = sources.line(done.file, done.line);
      if (!line)
        return false;
      const StringRef rest = line->substr(done.column - 1);
      if (done.line == end.line) {
        text += rest.take_front(end.column - done.column);
        done.column = end.column;
        return true;
      }
      text += rest.str() + "\n";
    }
    return true;
  };
  for (const Edit &edit : fix.edits) {
    if (!copyTo(edit.begin))
      return std::nullopt;
    text += edit.text;
    done = edit.end;
  }
  auto last = sources.line(done.file, done.line);
  if (!last)
    return std::nullopt;
  return text + last->substr(done.column - 1).str();
}

/// Returns false for text that a terminal or GitHub's runner would obey. What
/// takes its place would be applied to the source.
bool isHarmless(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return none_of(lines, [](StringRef line) {
    std::string untabbed = line.rtrim('\r').str();
    std::replace(untabbed.begin(), untabbed.end(), '\t', ' ');
    return isWorkflowCommand(line) || printable(untabbed) != untabbed;
  });
}

} // namespace

void printSuggestions(const std::vector<const Finding *> &findings,
                      const Buffers &buffers, StringRef root,
                      raw_ostream &out) {
  SourceLines sources(buffers);
  for (const Finding *finding : findings) {
    if (!finding->edit || finding->edit->edits.empty() ||
        finding->edit->proof == Proof::RolledBack)
      continue;
    const Fix &fix = *finding->edit;
    const std::optional<std::string> lines = linesAfter(fix, sources);
    if (!lines || !isHarmless(*lines))
      continue;
    const Edit &first = fix.edits.front(), &last = fix.edits.back();
    out << "\n`" << printablePath(first.begin.file, root) << "` line "
        << first.begin.line;
    if (last.end.line != first.begin.line)
      out << " to " << last.end.line;
    out << ", " << finding->check << " (" << spelling(fix.kind) << ", "
        << spelling(fix.proof) << "):\n\n```suggestion\n"
        << *lines << "\n```\n";
  }
}

} // namespace warplint
