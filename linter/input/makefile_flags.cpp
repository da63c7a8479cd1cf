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

std::vector<Line> linesIn(llvm::StringRef text) {
  static const llvm::Regex assignment(
      "^ *(override +|export +)*([A-Za-z_][A-Za-z0-9_.-]*) *"
      "(=|:=|::=|\\?=|\\+=)(.*)$");
  std::vector<Line> found;
  unsigned depth = 0; // of conditions
  for (llvm::StringRef line : logicalLines(text)) {
    const llvm::StringRef first =
        line.ltrim().take_until([](char c) { return c == ' ' || c == '('; });
    llvm::SmallVector<llvm::StringRef> parts;
    if (first == "ifeq" || first == "ifneq" || first == "ifdef" ||
        first == "ifndef")
      ++depth;
    else if (first == "endif")
      depth -= depth > 0;
    else if (line.starts_with("\t"))
      found.push_back({"", line.str(), false, depth > 0});
    else if (assignment.match(line, &parts))
      found.push_back(
          {parts[2].str(), parts[4].str(), parts[3] == "+=", depth > 0});
  }
  return found;
}

class Variables {
public:
  Variables(llvm::ArrayRef<Line> lines, llvm::StringRef folder) {
    values_["CURDIR"] = values_["PWD"] = folder.str();
    for (const Line &each : lines) {
      if (each.variable.empty())
        continue;
      auto [at, isNew] = values_.try_emplace(each.variable);
      if (each.isConditional)
        at->second = std::nullopt;
      else if (each.isAdded && at->second)
        *at->second += " " + each.text;
      else if (isNew)
        at->second = llvm::StringRef(each.text).trim().str();
      else
        at->second = std::nullopt; // which one counts depends on the place
    }
  }

  /// Returns a text with its variables replaced; none where one is not settled,
  /// or refers to too many others.
  std::optional<std::string> expanded(llvm::StringRef text) const {
    unsigned left = 1000;
    return expanded(text, left);
  }

private:
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

bool isOneNameOrNumber(llvm::StringRef text) {
  return llvm::all_of(
      text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

class FlagReader {
public:
  FlagReader(llvm::StringRef text, llvm::StringRef folder)
      : folder_(folder.str()), lines_(linesIn(text)),
        variables_(lines_, folder) {
    for (const Line &line : lines_)
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
    const auto name = variables_.expanded(word);
    if (!name || name->empty() ||
        (path::is_absolute(*name) && !isBelow(*name, folder_)))
      return;
    const std::string folder = plainPathIn(folder_, *name);
    if (llvm::sys::fs::is_directory(folder))
      add("-I" + folder);
  }

  void addMacro(llvm::StringRef word, const Line &line) {
    const auto text = variables_.expanded(word);
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
  const std::vector<Line> lines_;
  const Variables variables_;
  std::vector<std::string> words_;
  std::map<std::string, Macro> macros_;
  unsigned recipes_ = 0; ///< lines that compile
};

} // namespace

WrittenFlags flagsInMakefile(llvm::StringRef text, llvm::StringRef folder) {
  return {"", FlagReader(text, folder).words()};
}

WrittenFlags flagsOfMakefile(llvm::StringRef folder, llvm::StringRef top) {
  for (llvm::StringRef in = folder; !in.empty(); in = path::parent_path(in)) {
    for (const char *name : {"GNUmakefile", "makefile", "Makefile"}) {
      const std::string file = pathIn(in, name);
      const auto text = readText(file, {});
      if (!text || !(text->getBuffer().contains_insensitive("nvcc") ||
                     text->getBuffer().contains(".cu")))
        continue;
      WrittenFlags flags = flagsInMakefile(text->getBuffer(), in);
      flags.file = file;
      return flags;
    }
    if (in == top || !isBelow(in, top))
      break;
  }
  return {};
}

} // namespace warplint
