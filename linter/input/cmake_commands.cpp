#include "input/cmake_commands.h"
#include "input/cuda_switch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>
#include <set>

using namespace llvm;

namespace warplint {

static StringRef nameOf(StringRef word) {
  if (word.consume_front("${"))
    word.consume_back("}");
  return word;
}

/// Returns what a condition says on Linux in a build with CUDA, if that decides
/// it. Conditions in brackets are not read.
static std::optional<bool> holdsHere(ArrayRef<std::string> words) {
  if (words.empty() || is_contained(words, "("))
    return std::nullopt;
  // OR binds last. One side may decide: AND by what does not hold.
  for (StringRef word : {"OR", "AND"})
    if (const auto at = find(words, word); at != words.end()) {
      const auto left = holdsHere(words.take_front(at - words.begin())),
                 right = holdsHere(words.drop_front(at - words.begin() + 1));
      const bool decides = word == "OR";
      if (left == decides || right == decides)
        return decides;
      return left && right ? std::optional(!decides) : std::nullopt;
    }
  if (words[0] == "NOT") {
    const auto holds = holdsHere(words.drop_front());
    return holds ? std::optional(!*holds) : std::nullopt;
  }
  if (words.size() == 1) {
    if (is_contained({"UNIX", "LINUX"}, words[0]))
      return true;
    if (is_contained({"WIN32", "MSVC", "MINGW", "CYGWIN", "APPLE"}, words[0]))
      return false;
    return isCudaSwitch(nameOf(words[0])) ? std::optional(true) : std::nullopt;
  }
  const StringRef name = nameOf(words[0]);
  // A choice among back ends: `GPU_API STREQUAL "CUDA"`.
  if (words.size() == 3 && words[1] == "STREQUAL") {
    if (words[2] == "CUDA")
      return true;
    if (is_contained({"HIP", "ROCM", "SYCL", "OPENCL"}, words[2]))
      return false;
  }
  if (words.size() != 3 || words[2].empty() || !all_of(words[2], isAlpha) ||
      !is_contained({"CMAKE_SYSTEM_NAME", "CMAKE_HOST_SYSTEM_NAME"}, name))
    return std::nullopt;
  if (words[1] == "STREQUAL")
    return words[2] == "Linux";
  if (words[1] == "MATCHES")
    return StringRef("Linux").contains(words[2]);
  return std::nullopt;
}

namespace {

/// From if() to endif(), or of a loop or function: what may not be run, or more
/// than once.
struct Block {
  /// Of the branch that is read, and of those before it; none: unknown.
  std::optional<bool> isRun, wasRun = false;

  void begin(std::optional<bool> holds) {
    if (wasRun == true || holds == false)
      isRun = false;
    else
      isRun = wasRun ? holds : std::nullopt;
    // A branch that holds ends the search, whatever those before it did.
    if (holds == true)
      wasRun = true;
    else if (wasRun != true && !isRun)
      wasRun = std::nullopt;
  }
};

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
    static const std::set<std::string> opens = {"foreach", "while", "function",
                                                "macro", "block"};
    if (StringRef(command.name).starts_with("end") && !open_.empty())
      open_.pop_back();
    command.isConditional =
        any_of(open_, [](const Block &each) { return !each.isRun; });
    const bool isSkipped =
        any_of(open_, [](const Block &each) { return each.isRun == false; });
    if (opens.count(command.name) || command.name == "if")
      open_.emplace_back();
    if (command.name == "if")
      open_.back().begin(holdsHere(command.words));
    else if (!open_.empty() && command.name == "elseif")
      open_.back().begin(holdsHere(command.words));
    else if (!open_.empty() && command.name == "else")
      open_.back().begin(true);
    if (!isSkipped)
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
  std::vector<Block> open_;
  std::vector<CmakeCommand> commands_;
};

} // namespace

std::vector<CmakeCommand> commandsInCmake(StringRef text) {
  return CmakeReader(text).commands();
}

} // namespace warplint
