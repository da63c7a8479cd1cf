#include "input/cmake_variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include <set>

using namespace llvm;

namespace warplint {

/// In bytes: each command may double a value.
static constexpr size_t longestValue = 1 << 16;
/// In bytes, of all values that were ever settled.
static constexpr size_t mostBytes = 1 << 24;

bool isTrueInCmake(StringRef value) {
  const std::string upper = value.upper();
  return !upper.empty() && !StringRef(upper).ends_with("NOTFOUND") &&
         !is_contained({"0", "OFF", "NO", "FALSE", "N", "IGNORE"}, upper);
}

CmakeVariables CmakeVariables::of(ArrayRef<CmakeFile> files) {
  CmakeVariables variables;
  for (const CmakeFile &file : files)
    for (const CmakeCommand &each : file.commands)
      variables.follow(each);
  return variables;
}

std::optional<std::string> CmakeVariables::expanded(StringRef text) const {
  std::string result;
  for (size_t at; (at = text.find("${")) != StringRef::npos;) {
    if (text.take_front(at).ends_with("$ENV")) // never: "$ENV{NAME}"
      return std::nullopt;
    const size_t end = text.find('}', at);
    if (end == StringRef::npos)
      return std::nullopt;
    const auto value = valueOf(text.slice(at + 2, end));
    if (!value)
      return std::nullopt;
    result += (text.take_front(at) + *value).str();
    if (result.size() > longestValue)
      return std::nullopt;
    text = text.drop_front(end + 1);
  }
  result += text;
  if (result.size() > longestValue || StringRef(result).contains("$ENV{"))
    return std::nullopt;
  return result;
}

std::optional<std::string> CmakeVariables::valueOf(StringRef name) const {
  const auto value = values_.find(name);
  return value == values_.end() ? std::nullopt : value->second;
}

void CmakeVariables::settle(StringRef name, std::optional<std::string> value) {
  if (value)
    bytes_ += value->size();
  values_[name] = bytes_ > mostBytes ? std::nullopt : std::move(value);
}

void CmakeVariables::follow(const CmakeCommand &command) {
  ArrayRef<std::string> words = command.words;
  static const std::set<std::string> onlyRead = {
      "if",      "elseif",           "else",        "endif", "while",
      "message", "mark_as_advanced", "set_property"};
  if (words.empty() || onlyRead.count(command.name))
    return;
  if (!command.isConditional) {
    if (command.name == "set")
      return followSet(words);
    if (command.name == "project")
      return followProject(words);
    if (command.name == "string" && followString(words))
      return;
  }
  // Whatever sets a variable has its name among the words.
  if (command.name == "set")
    return settle(words[0], std::nullopt);
  for (StringRef word : words)
    if (values_.count(word))
      settle(word, std::nullopt);
}

void CmakeVariables::followSet(ArrayRef<std::string> words) {
  const StringRef name = words[0];
  words = words.drop_front();
  const auto cache = find(words, "CACHE");
  // A default is what a build without options has; it changes no other value.
  // A switch needs what it switches on to be there: MPI.
  const bool isDefault = cache != words.end();
  if (isDefault && values_.count(name))
    return;
  if (isDefault && is_contained(words, "BOOL"))
    return settle(name, std::nullopt);
  words = words.take_front(cache - words.begin());
  const auto value = expanded(join(words, ";"));
  const bool isForAnother = !words.empty() && words.back() == "PARENT_SCOPE";
  settle(name, words.empty() || isForAnother ? std::nullopt : value);
}

void CmakeVariables::followProject(ArrayRef<std::string> words) {
  const auto name = expanded(words[0]);
  if (!name)
    return;
  settle("PROJECT_NAME", name);
  const auto at = find(words, "VERSION");
  const bool hasVersion = at != words.end() && std::next(at) != words.end();
  const auto version = hasVersion ? expanded(*std::next(at)) : std::nullopt;
  SmallVector<StringRef> parts;
  if (version)
    StringRef(*version).split(parts, '.');
  for (const std::string &prefix : {std::string("PROJECT"), *name}) {
    settle(prefix + "_VERSION", version);
    const char *names[] = {"_MAJOR", "_MINOR", "_PATCH", "_TWEAK"};
    for (size_t i = 0; i < std::size(names); ++i)
      settle(prefix + "_VERSION" + names[i],
             i < parts.size() ? std::optional(parts[i].str()) : std::nullopt);
  }
}

/// Returns true for a pattern that matches once, since it is tied to an end of
/// the text, and means the same to LLVM as to CMake: that has no "{2,9}", of
/// which a few in each other would take all memory, and no back references.
static bool isFollowed(StringRef pattern) {
  for (size_t i = 1; i < pattern.size(); ++i)
    if (pattern[i - 1] == '\\' && isDigit(pattern[i]))
      return false;
  return (pattern.starts_with("^") || pattern.ends_with("$")) &&
         !pattern.contains('{') && Regex(pattern).isValid();
}

/// Returns false for a form that is not followed.
bool CmakeVariables::followString(ArrayRef<std::string> words) {
  std::vector<std::string> known;
  for (const std::string &word : words)
    known.push_back(expanded(word).value_or("${"));
  auto isKnown = [](StringRef word) { return word != "${"; };
  auto settleIf = [&](bool isSettled, StringRef name, std::string value) {
    settle(name, isSettled ? std::optional(std::move(value)) : std::nullopt);
    return true;
  };
  const StringRef form = words[0];
  if ((form == "TOLOWER" || form == "TOUPPER") && words.size() == 3)
    return settleIf(isKnown(known[1]), words[2],
                    form == "TOLOWER" ? StringRef(known[1]).lower()
                                      : StringRef(known[1]).upper());
  if (form == "REPLACE" && words.size() == 5) {
    std::string text = known[4];
    for (size_t at = 0; !known[1].empty() && text.size() <= longestValue &&
                        (at = text.find(known[1], at)) != std::string::npos;
         at += known[2].size())
      text.replace(at, known[1].size(), known[2]);
    return settleIf(isKnown(known[1]) && isKnown(known[2]) &&
                        isKnown(known[4]) && text.size() <= longestValue,
                    words[3], std::move(text));
  }
  if (form == "REGEX" && words.size() == 6 && words[1] == "REPLACE" &&
      isFollowed(words[2]) && isKnown(known[2]) && isKnown(known[3]) &&
      isKnown(known[5]))
    return settleIf(true, words[4], Regex(words[2]).sub(known[3], known[5]));
  return false;
}

} // namespace warplint
