#include "input/setup_flags.h"
#include "input/buffers.h"
#include "input/database.h"
#include "input/search_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

namespace warplint {

namespace path = llvm::sys::path;

namespace {

/// A string of the text.
struct Literal {
  std::string text;
  bool isConditional = false;
};

/// Reads Python as far as its strings, brackets and blocks go.
class LiteralReader {
public:
  explicit LiteralReader(llvm::StringRef text) : left_(text) {
    while (!left_.empty())
      readLine();
  }

  std::vector<Literal> literals;

private:
  struct Block {
    size_t indentation;
    bool isConditional;
  };

  /// Up to the end of a line of the file, or of a string that goes on.
  void readLine() {
    line_ = left_.take_until([](char c) { return c == '\n'; });
    if (brackets_.empty() && !line_.ltrim().empty() &&
        !line_.ltrim().starts_with("#"))
      beginStatement();
    while (!left_.empty()) {
      const char c = left_.front();
      if (c == '#') {
        left_ = left_.drop_until([](char c) { return c == '\n'; });
      } else if (c == '"' || c == '\'') {
        readString(c);
      } else {
        if (llvm::StringRef("([{").contains(c))
          brackets_.push_back(c == '(' && isOtherCall());
        else if (llvm::StringRef(")]}").contains(c) && !brackets_.empty())
          brackets_.pop_back();
        left_ = left_.drop_front();
        const bool isWordPart = llvm::isAlnum(c) || c == '_' || c == '.';
        word_ = isWordPart ? word_ + c : "";
        if (c == '\n')
          return;
      }
    }
  }

  void beginStatement() {
    const size_t indentation = line_.size() - line_.ltrim().size();
    while (!blocks_.empty() && blocks_.back().indentation >= indentation)
      blocks_.pop_back();
    const llvm::StringRef statement = line_.ltrim();
    const llvm::StringRef first = statement.take_while(llvm::isAlpha);
    const bool mayBranch =
        llvm::is_contained({"if", "elif", "else", "except", "while"}, first);
    if (mayBranch)
      blocks_.push_back({indentation, !asksForCuda(first, statement)});
  }

  static bool asksForCuda(llvm::StringRef first, llvm::StringRef statement) {
    if (first != "if" || statement.starts_with("if not "))
      return false;
    const auto asks = [&](llvm::StringRef name) {
      return statement.contains_insensitive(name);
    };
    return asks("__name__") ||
           (asks("cuda") && !asks("hip") && !asks("rocm") && !asks("musa") &&
            !asks("=="));
  }

  /// Of a call that may leave out what it is given, such as `debug_only("-G")`.
  bool isOtherCall() const {
    const llvm::StringRef name =
        llvm::StringRef(word_).substr(llvm::StringRef(word_).rfind('.') + 1);
    return !name.empty() &&
           !llvm::is_contained({"append", "extend", "insert", "CUDAExtension",
                                "CppExtension", "setup", "dict", "list",
                                "join", "dirname", "abspath"},
                               name);
  }

  void readString(char quote) {
    const bool isFormatted = !word_.empty() && llvm::toLower(word_[0]) == 'f';
    word_.clear();
    const std::string three(3, quote);
    const bool isLong = left_.starts_with(three);
    const llvm::StringRef end = isLong ? llvm::StringRef(three)
                                       : llvm::StringRef(three).take_front(1);
    left_ = left_.drop_front(end.size());
    std::string text;
    while (!left_.empty() && !left_.starts_with(end) &&
           (isLong || left_.front() != '\n')) {
      if (left_.front() == '\\')
        left_ = left_.drop_front();
      if (!left_.empty())
        text += left_.front();
      left_ = left_.drop_front(std::min<size_t>(1, left_.size()));
    }
    left_.consume_front(end);
    const bool isChosen = line_.contains(" if ") && line_.contains(" else ");
    if (!isFormatted && !isLong)
      literals.push_back({std::move(text), isChosen || isConditional()});
  }

  bool isConditional() const {
    return llvm::is_contained(brackets_, true) ||
           llvm::any_of(blocks_, [](const Block &block) {
             return block.isConditional;
           });
  }

  llvm::StringRef left_, line_;
  std::string word_;           ///< that ends here
  std::vector<char> brackets_; ///< open ones: of a call of another function
  std::vector<Block> blocks_;
};

bool isNameOrNumber(llvm::StringRef text) {
  return llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  });
}

} // namespace

WrittenFlags flagsInSetup(llvm::StringRef text, llvm::StringRef folder) {
  WrittenFlags flags;
  std::map<std::string, std::set<std::string>> macros; // values, by name
  std::set<std::string> standards, open;
  for (const Literal &literal : LiteralReader(text).literals) {
    llvm::StringRef word = literal.text;
    if (word.consume_front("-std=")) {
      standards.insert(word.str());
    } else if (word.consume_front("-D")) {
      const auto [name, value] = word.split('=');
      macros[name.str()].insert(word.str());
      if (literal.isConditional || name.empty() || !isNameOrNumber(name) ||
          !isNameOrNumber(value))
        open.insert(name.str());
    } else if (!word.empty() && !path::is_absolute(word)) {
      const std::string named = plainPathIn(folder, word);
      if (isBelow(named, folder) && llvm::sys::fs::is_directory(named))
        flags.words.push_back("-I" + named);
    }
  }
  if (standards == std::set<std::string>{"c++20"})
    flags.words.push_back("-std=c++20");
  // Of several, one may ask for a macro and another not.
  if (text.count("CUDAExtension(") <= 1)
    for (const auto &[name, values] : macros)
      if (values.size() == 1 && !open.count(name))
        flags.words.push_back("-D" + *values.begin());
  return flags;
}

WrittenFlags flagsOfSetup(llvm::StringRef folder, llvm::StringRef top) {
  for (llvm::StringRef in = folder; !in.empty(); in = path::parent_path(in)) {
    const std::string file = pathIn(in, "setup.py");
    const auto text = readText(file, {});
    if (text && text->getBuffer().contains("CUDAExtension")) {
      WrittenFlags flags = flagsInSetup(text->getBuffer(), in);
      flags.file = file;
      return flags;
    }
    if (in == top || !isBelow(in, top))
      break;
  }
  return {};
}

} // namespace warplint
