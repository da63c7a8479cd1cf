#include "input/cmake_commands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>
#include <set>

using namespace llvm;

namespace warplint {

namespace {

class CmakeReader {
public:
  explicit CmakeReader(StringRef text) : rest_(text) {}

  std::vector<CmakeCommand> commands() {
    while (skipBlanks(), !rest_.empty())
      readCommand();
    return std::move(commands_);
  }

private:
  void skipBlanks() {
    while (true) {
      rest_ = rest_.ltrim();
      if (!rest_.starts_with("#"))
        return;
      StringRef comment = rest_.drop_front();
      if (const auto body = consumeBracket(comment))
        rest_ = comment;
      else
        rest_ = rest_.drop_until([](char c) { return c == '\n'; });
    }
  }

  /// Takes "[==[text]==]" from the front.
  static std::optional<StringRef> consumeBracket(StringRef &text) {
    StringRef rest = text;
    if (!rest.consume_front("["))
      return std::nullopt;
    const StringRef level = rest.take_while([](char c) { return c == '='; });
    rest = rest.drop_front(level.size());
    if (!rest.consume_front("["))
      return std::nullopt;
    const std::string close = ("]" + level + "]").str();
    const size_t end = rest.find(close);
    const StringRef body = rest.take_front(end);
    text = end == StringRef::npos ? "" : rest.drop_front(end + close.size());
    return body;
  }

  void readCommand() {
    const StringRef name =
        rest_.take_while([](char c) { return isAlnum(c) || c == '_'; });
    rest_ = rest_.drop_front(std::max<size_t>(name.size(), 1));
    rest_ = rest_.ltrim(" \t");
    if (name.empty() || !rest_.consume_front("("))
      return;
    CmakeCommand command{name.lower(), words(), false};
    static const std::set<std::string> opens = {"if",       "foreach", "while",
                                                "function", "macro",   "block"};
    if (StringRef(command.name).starts_with("end"))
      depth_ -= depth_ > 0;
    command.isConditional = depth_ > 0;
    depth_ += opens.count(command.name);
    commands_.push_back(std::move(command));
  }

  /// Up to the closing parenthesis.
  std::vector<std::string> words() {
    std::vector<std::string> words;
    unsigned nested = 0;
    while (skipBlanks(), !rest_.empty()) {
      if (const auto body = consumeBracket(rest_)) {
        words.push_back(body->str());
        continue;
      }
      if (rest_.consume_front(")")) {
        if (nested-- == 0)
          return words;
        words.push_back(")");
        continue;
      }
      if (rest_.consume_front("(")) {
        ++nested;
        words.push_back("(");
        continue;
      }
      words.push_back(rest_.consume_front("\"") ? quoted() : unquoted());
    }
    return words;
  }

  std::string quoted() {
    std::string word;
    while (!rest_.empty() && !rest_.consume_front("\""))
      addCharacter(word);
    return word;
  }

  std::string unquoted() {
    std::string word;
    while (!rest_.empty() && !isSpace(rest_.front()) &&
           !StringRef("()#").contains(rest_.front())) {
      if (rest_.consume_front("\"")) // as in -DNAME="a b"
        word += "\"" + quoted() + "\"";
      else
        addCharacter(word);
    }
    return word;
  }

  void addCharacter(std::string &word) {
    if (rest_.consume_front("\\\n"))
      return;
    const bool isEscaped = rest_.consume_front("\\");
    if (rest_.empty())
      return;
    const char c = rest_.front();
    rest_ = rest_.drop_front();
    if (isEscaped && c == '$')
      word += "${";
    else
      word += isEscaped && c == 'n' ? '\n' : c;
  }

  StringRef rest_;
  unsigned depth_ = 0; ///< of what may not be run, or more than once
  std::vector<CmakeCommand> commands_;
};

} // namespace

std::vector<CmakeCommand> commandsInCmake(StringRef text) {
  return CmakeReader(text).commands();
}

} // namespace warplint
