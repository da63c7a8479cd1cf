#include "input/unified_diff.h"
#include "base/failure.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {
namespace {

/// The name behind "+++ ". git quotes names with unusual characters and escapes
/// them as in C; diff adds a tab and the time.
std::string fileName(StringRef text) {
  if (!text.consume_front("\""))
    return text.split('\t').first.str();
  std::string name;
  while (!text.empty() && text.front() != '"') {
    char c = text.front();
    text = text.drop_front();
    if (c != '\\' || text.empty()) {
      name += c;
      continue;
    }
    c = text.front();
    unsigned code = 0;
    if (text.size() >= 3 && !text.take_front(3).getAsInteger(8, code)) {
      name += char(code);
      text = text.drop_front(3);
      continue;
    }
    text = text.drop_front();
    name += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return name;
}

/// "-3,2 +3,4 @@ ..." to the numbers of lines of each side, and the first new
/// line.
struct Hunk {
  unsigned oldLines = 1, newLines = 1, firstNew = 0;

  bool read(StringRef text) {
    auto side = [&](StringRef sign, unsigned &first, unsigned &lines) {
      return text.consume_front(sign) && !text.consumeInteger(10, first) &&
             (!text.consume_front(",") || !text.consumeInteger(10, lines));
    };
    unsigned firstOld = 0;
    return side("-", firstOld, oldLines) && text.consume_front(" ") &&
           side("+", firstNew, newLines) && text.starts_with(" @@");
  }
};

class DiffReader {
public:
  explicit DiffReader(StringRef text) : left_(text) {}

  Expected<ChangedLines> read() {
    const bool isEmpty = left_.trim().empty();
    while (!left_.empty()) {
      StringRef line = nextLine();
      Hunk hunk;
      if (line.consume_front("+++ "))
        open(fileName(line));
      else if (line.consume_front("rename to "))
        open(fileName(line));
      else if (line.consume_front("@@ ") && ranges_ && hunk.read(line)) {
        if (Error error = readHunk(hunk))
          return error;
      } else if (line.starts_with("diff ")) {
        ranges_ = nullptr;
        isDiff_ = true;
      }
    }
    if (!isDiff_ && !isEmpty)
      return failure("this is no unified diff, such as 'git diff' writes");
    return std::move(changed_);
  }

private:
  StringRef nextLine() {
    auto [line, rest] = left_.split('\n');
    left_ = rest;
    return line.rtrim('\r');
  }

  void open(std::string name) {
    isDiff_ = true;
    ranges_ = name == "/dev/null" ? &gone_ : &changed_[name];
    name_ = std::move(name);
  }

  Error readHunk(Hunk hunk) {
    unsigned line = hunk.firstNew;
    while (hunk.oldLines || hunk.newLines) {
      if (left_.empty())
        return failure("the diff ends within its part on '" + name_ + "'");
      StringRef text = nextLine();
      if (text.starts_with("\\"))
        continue; // "\ No newline at end of file"
      const bool isOld = !text.starts_with("+"), isNew = !text.starts_with("-");
      // Some editors strip the blank from an empty context line.
      if (isOld && isNew && !text.empty() && !text.starts_with(" "))
        return failure("the diff's part on '" + name_ +
                       "' has a line that is "
                       "none of a diff");
      if ((isOld && !hunk.oldLines) || (isNew && !hunk.newLines))
        return failure("the diff's part on '" + name_ +
                       "' has more lines than "
                       "its head says");
      if (isNew && !isOld)
        add(line);
      hunk.oldLines -= isOld;
      hunk.newLines -= isNew;
      line += isNew;
    }
    return Error::success();
  }

  void add(unsigned line) {
    if (!ranges_->empty() && ranges_->back().last + 1 == line)
      ranges_->back().last = line;
    else
      ranges_->push_back({line, line});
  }

  StringRef left_;
  bool isDiff_ = false;
  std::string name_;
  ChangedLines changed_;
  std::vector<LineRange> gone_;
  std::vector<LineRange> *ranges_ = nullptr; ///< of the current file
};

} // namespace

Expected<ChangedLines> readUnifiedDiff(StringRef text) {
  return DiffReader(text).read();
}

StringRef withoutPrefix(StringRef name) {
  return name.contains('/') ? name.split('/').second : name;
}

} // namespace warplint
