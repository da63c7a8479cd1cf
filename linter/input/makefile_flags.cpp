#include "input/makefile_flags.h"
#include "input/buffers.h"
#include "input/database.h"
#include "input/search_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <map>
#include <optional>
#include <set>

namespace warplint {

namespace path = llvm::sys::path;

namespace {

/// What gives words to compilers: an assignment, or a line of a recipe.
struct Line {
  std::string variable; ///< empty: of a recipe
  std::string text;
  bool isAdded = false; ///< `+=`
  bool isConditional = false;
};

/// Lines with their continuations, without comments.
std::vector<std::string> logicalLines(llvm::StringRef text) {
  std::vector<std::string> lines;
  bool continues = false;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    line = line.rtrim();
    const bool goesOn = line.consume_back("\\");
    line = line.split('#').first;
    if (continues)
      lines.back() += (" " + line).str();
    else
      lines.push_back(line.str());
    continues = goesOn;
  }
  return lines;
}

class Variables {
public:
  explicit Variables(llvm::StringRef folder) {
    values_["CURDIR"] = values_["PWD"] = folder.str();
  }

  /// `isDefault`: `?=`, which counts where nothing came before.
  void assign(const Line &line, bool isDefault) {
    auto [at, isNew] = values_.try_emplace(line.variable);
    if (isDefault && !isNew && at->second)
      return;
    if (line.isConditional)
      at->second = std::nullopt;
    else if (line.isAdded && at->second)
      *at->second += " " + line.text;
    else if (isNew)
      at->second = llvm::StringRef(line.text).trim().str();
    else
      at->second = std::nullopt; // which one counts depends on the place
  }

  /// Returns a text with its variables replaced; none where one is not settled,
  /// or refers to too many others.
  std::optional<std::string> expanded(llvm::StringRef text) const {
    unsigned left = 1000;
    return expanded(text, left);
  }

private:
  static bool isSystemName(llvm::StringRef call) {
    if (!call.consume_front("shell "))
      return false;
    call.consume_back("2>/dev/null");
    call = call.trim();
    return call == "uname" || call == "uname -s";
  }

  /// `left`: the references that may still be followed.
  std::optional<std::string> expanded(llvm::StringRef text,
                                      unsigned &left) const {
    std::string result;
    for (size_t at; (at = text.find('$')) != llvm::StringRef::npos;) {
      result += text.take_front(at);
      text = text.drop_front(at + 1);
      const char close = text.starts_with("(")   ? ')'
                         : text.starts_with("{") ? '}'
                                                 : 0;
      const size_t end = close ? text.find(close) : llvm::StringRef::npos;
      if (end == llvm::StringRef::npos || left-- == 0)
        return std::nullopt;
      if (isSystemName(text.slice(1, end))) {
        result += "Linux";
        text = text.drop_front(end + 1);
        continue;
      }
      const auto value = values_.find(text.slice(1, end));
      if (value == values_.end() || !value->second)
        return std::nullopt;
      const auto inner = expanded(*value->second, left);
      if (!inner)
        return std::nullopt;
      result += *inner;
      text = text.drop_front(end + 1);
    }
    return result + text.str();
  }

  std::map<std::string, std::optional<std::string>, std::less<>> values_;
};

/// Reads the lines of a Makefile and of those that it includes, and decides the
/// conditions that choose by a variable whose value is written out.
class MakefileReader {
public:
  std::vector<Line> lines;
  Variables variables;

  MakefileReader(llvm::StringRef text, llvm::StringRef folder,
                 llvm::StringRef top)
      : variables(folder), folder_(folder.str()), top_(top.str()) {
    read(text);
  }

private:
  enum class State { Holds, Fails, Open };
  struct Branch {
    State now;
    State before = State::Fails; ///< of the branches before it
  };

  void read(llvm::StringRef text) {
    static const llvm::Regex assignment(
        "^ *(override +|export +)*([A-Za-z_][A-Za-z0-9_.-]*) *"
        "(=|:=|::=|\\?=|\\+=)(.*)$");
    for (llvm::StringRef line : logicalLines(text)) {
      const auto [first, rest] = directive(line);
      llvm::SmallVector<llvm::StringRef> parts;
      if (isCondition(first))
        branches_.push_back({decide(first, rest)});
      else if (first == "else")
        goOn(rest);
      else if (first == "endif" && !branches_.empty())
        branches_.pop_back();
      else if (is(State::Fails))
        continue;
      else if (line.starts_with("\t"))
        lines.push_back({"", line.str(), false, is(State::Open)});
      else if (assignment.match(line, &parts))
        assign({parts[2].str(), parts[4].str(), parts[3] == "+=",
                is(State::Open)},
               parts[3] == "?=");
      else if ((first == "include" || first == "-include") && !is(State::Open))
        include(rest);
    }
  }

  static std::pair<llvm::StringRef, llvm::StringRef>
  directive(llvm::StringRef line) {
    line = line.ltrim();
    const llvm::StringRef first =
        line.take_until([](char c) { return c == ' ' || c == '('; });
    return {first, line.drop_front(first.size()).trim()};
  }

  static bool isCondition(llvm::StringRef word) {
    return word == "ifeq" || word == "ifneq" || word == "ifdef" ||
           word == "ifndef";
  }

  bool is(State state) const {
    return llvm::any_of(branches_, [&](const Branch &branch) {
      return branch.now == state;
    });
  }

  /// Of `else`, and of a condition behind it.
  void goOn(llvm::StringRef rest) {
    if (branches_.empty())
      return;
    Branch &branch = branches_.back();
    if (branch.now == State::Holds || branch.before == State::Fails)
      branch.before = branch.now;
    const auto [word, condition] = directive(rest);
    branch.now = branch.before == State::Holds ? State::Fails
                 : isCondition(word)           ? decide(word, condition)
                                               : State::Holds;
    if (branch.before == State::Open && branch.now == State::Holds)
      branch.now = State::Open;
  }

  /// Returns true for what switches an option on or off: what it asks for, such
  /// as MPI, may not be there.
  static bool isSwitch(llvm::StringRef value) {
    return llvm::any_of(
        llvm::ArrayRef<llvm::StringRef>{"", "0", "1", "no", "yes", "off", "on",
                                        "false", "true", "n", "y"},
        [&](llvm::StringRef word) { return value.equals_insensitive(word); });
  }

  /// The systems that a text names, in words that '_' and the like part.
  struct Systems {
    bool anyLinux = false, anyOther = false;
  };
  static Systems systemsIn(llvm::StringRef text) {
    Systems systems;
    while (!text.empty()) {
      const llvm::StringRef word = text.take_while(llvm::isAlnum);
      systems.anyLinux |= word.equals_insensitive("linux");
      systems.anyOther |= llvm::any_of(
          llvm::ArrayRef<llvm::StringRef>{"windows", "win32", "darwin", "macos",
                                          "osx", "freebsd", "cygwin", "mingw"},
          [&](llvm::StringRef name) { return word.equals_insensitive(name); });
      text = text.drop_front(std::max<size_t>(1, word.size()));
    }
    return systems;
  }

  State decide(llvm::StringRef word, llvm::StringRef condition) const {
    if (word == "ifdef" || word == "ifndef")
      return State::Open;
    if (!condition.consume_front("(") || !condition.consume_back(")"))
      return State::Open;
    unsigned depth = 0;
    size_t comma = 0;
    for (; comma < condition.size(); ++comma) {
      const char c = condition[comma];
      if (c == ',' && depth == 0)
        break;
      depth += c == '(';
      depth -= c == ')' && depth > 0;
    }
    const auto one = variables.expanded(condition.take_front(comma).trim()),
               two = variables.expanded(condition.substr(comma + 1).trim());
    // The system is Linux: `ifeq ($(OS),Windows_NT)`, `ifeq ($(IS_LINUX),1)`.
    const auto [anyLinux, anyOther] = systemsIn(condition);
    const bool isEqual = one && two && *one == *two;
    if (!one || !two) {
      const auto &known = one ? one : two;
      if (!known || known->empty() || !anyOther || anyLinux)
        return State::Open;
    } else if (!anyLinux && !anyOther && (isSwitch(*one) || isSwitch(*two))) {
      return State::Open;
    }
    return isEqual == (word == "ifeq") ? State::Holds : State::Fails;
  }

  void assign(Line line, bool isDefault) {
    variables.assign(line, isDefault);
    lines.push_back(std::move(line));
  }

  void include(llvm::StringRef names) {
    const auto expanded = variables.expanded(names);
    if (!expanded)
      return;
    llvm::SmallVector<llvm::StringRef> files;
    llvm::SplitString(*expanded, files);
    for (llvm::StringRef file : files) {
      const std::string name = plainPathIn(folder_, file);
      if (!isBelow(name, top_) || included_++ > mostIncluded)
        continue;
      if (const auto text = readText(name, {}))
        read(text->getBuffer());
    }
  }

  static constexpr unsigned mostIncluded = 20; // a Makefile may include itself
  const std::string folder_, top_;
  std::vector<Branch> branches_; ///< outermost first
  unsigned included_ = 0;
};

bool isOneNameOrNumber(llvm::StringRef text) {
  return llvm::all_of(
      text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

class FlagReader {
public:
  FlagReader(llvm::StringRef text, llvm::StringRef folder, llvm::StringRef top)
      : folder_(folder.str()), makefile_(text, folder, top) {
    for (const Line &line : makefile_.lines)
      if (!isOfOthers(line))
        read(line);
  }

  std::vector<std::string> words() {
    for (const auto &[name, macro] : macros_)
      if (macro.values.size() == 1 && macro.isSettled &&
          (macro.isAssigned || macro.recipes == recipes_))
        words_.push_back("-D" + *macro.values.begin());
    return std::move(words_);
  }

private:
  struct Macro {
    std::set<std::string> values; ///< "N=64"
    bool isSettled = true;
    bool isAssigned = false; ///< to a variable, which all compiles share
    unsigned recipes = 0;    ///< the lines that have it
  };

  /// Flags of other compilers than nvcc: HIPFLAGS, OMP_CFLAGS.
  static bool isOfOthers(const Line &line) {
    if (line.variable.empty())
      return !llvm::StringRef(line.text).contains_insensitive("nvcc");
    return llvm::any_of(
        llvm::split(line.variable, '_'), [](llvm::StringRef part) {
          return llvm::any_of(
              llvm::ArrayRef<llvm::StringRef>{"HIP", "SYCL", "OMP", "OPENMP",
                                              "OPENCL", "CPU"},
              [&](llvm::StringRef name) {
                return part.starts_with_insensitive(name);
              });
        });
  }

  void read(const Line &line) {
    recipes_ += line.variable.empty();
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(line.text, words);
    for (size_t i = 0; i < words.size(); ++i) {
      const bool isForHost = i > 0 && words[i - 1] == "-Xcompiler";
      std::string joined = words[i].str();
      if ((joined == "-I" || joined == "-D") && i + 1 < words.size())
        joined += words[++i];
      llvm::StringRef word = joined;
      if (isForHost)
        continue;
      if (word.consume_front("-I"))
        addFolder(word);
      else if (word.consume_front("-D"))
        addMacro(word, line);
      else if (!line.isConditional && !line.variable.empty() &&
               (word.ltrim('-') == "use_fast_math" || word == "-std=c++20"))
        add(joined);
    }
  }

  /// A folder of headers does no harm where a condition leaves it out.
  void addFolder(llvm::StringRef word) {
    const auto name = makefile_.variables.expanded(word);
    if (!name || name->empty() ||
        (path::is_absolute(*name) && !isBelow(*name, folder_)))
      return;
    const std::string folder = plainPathIn(folder_, *name);
    if (llvm::sys::fs::is_directory(folder))
      add("-I" + folder);
  }

  void addMacro(llvm::StringRef word, const Line &line) {
    const auto text = makefile_.variables.expanded(word);
    const auto [name, value] = llvm::StringRef(text ? *text : word).split('=');
    Macro &macro = macros_[name.str()];
    macro.isSettled &= text && !line.isConditional && !name.empty() &&
                       isOneNameOrNumber(name) && isOneNameOrNumber(value);
    macro.isAssigned |= !line.variable.empty();
    macro.recipes += line.variable.empty();
    if (text)
      macro.values.insert(*text);
  }

  void add(const std::string &word) {
    if (!llvm::is_contained(words_, word))
      words_.push_back(word);
  }

  const std::string folder_;
  const MakefileReader makefile_;
  std::vector<std::string> words_;
  std::map<std::string, Macro> macros_;
  unsigned recipes_ = 0; ///< lines that compile
};

} // namespace

WrittenFlags flagsInMakefile(llvm::StringRef text, llvm::StringRef folder,
                             llvm::StringRef top) {
  return {"", FlagReader(text, folder, top.empty() ? folder : top).words()};
}

WrittenFlags flagsOfMakefile(llvm::StringRef folder, llvm::StringRef top) {
  for (llvm::StringRef in = folder; !in.empty(); in = path::parent_path(in)) {
    for (const char *name : {"GNUmakefile", "makefile", "Makefile"}) {
      const std::string file = pathIn(in, name);
      const auto text = readText(file, {});
      if (!text || !(text->getBuffer().contains_insensitive("nvcc") ||
                     text->getBuffer().contains(".cu")))
        continue;
      WrittenFlags flags = flagsInMakefile(text->getBuffer(), in, top);
      flags.file = file;
      return flags;
    }
    if (in == top || !isBelow(in, top))
      break;
  }
  return {};
}

} // namespace warplint
