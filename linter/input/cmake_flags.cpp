#include "input/cmake_flags.h"
#include "input/database.h"
#include "input/search_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

static bool isOneNameOrNumber(StringRef text) {
  return all_of(text,
                [](char c) { return isAlnum(c) || c == '_' || c == '.'; });
}

/// More folders than those are read for no library that a target links.
constexpr size_t mostFolders = 100;

/// Returns true for commands that set or extend what nvcc gets for all sources,
/// in CMake's language CUDA or in FindCUDA. A `set` that replaces earlier flags
/// is read as one that adds to them.
static bool setsFlagsOfNvcc(const CmakeCommand &command) {
  const bool extends = command.name == "list" || command.name == "string";
  if (!extends && command.name != "set")
    return false;
  ArrayRef<std::string> words = command.words;
  if (extends && words.front() != "APPEND")
    return false;
  words = words.drop_front(extends);
  return !words.empty() && (words.front() == "CMAKE_CUDA_FLAGS" ||
                            words.front() == "CUDA_NVCC_FLAGS");
}

CmakeFlags::CmakeFlags(ArrayRef<CmakeFile> files, StringRef top)
    : top_(top.str()) {
  for (const CmakeFile &file : files) {
    file_ = file.path;
    folder_ = sys::path::parent_path(file.path).str();
    seen_.insert(folder_);
    isLastFile_ = &file == &files.back();
    if (&file == &files.front())
      variables_.settle("CMAKE_SOURCE_DIR", folder_);
    for (const char *name :
         {"CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR"})
      variables_.settle(name, folder_);
    for (const CmakeCommand &each : file.commands) {
      variables_.follow(each);
      read(each);
    }
  }
  if (!linksToUnknown())
    return;
  isLastFile_ = false;
  isElsewhere_ = true;
  for (const CmakeFile &file : files)
    readLibrariesBelow(file);
}

/// Returns true if the last file links what none so far has made.
bool CmakeFlags::linksToUnknown() const {
  return any_of(targets_, [&](const auto &made) {
    return made.second.isOfLastFile &&
           any_of(made.second.links, [&](const std::string &name) {
             return !targets_.count(name);
           });
  });
}

/// Reads what the files of the folders that a file adds say of targets.
void CmakeFlags::readLibrariesBelow(const CmakeFile &file) {
  for (const CmakeCommand &command : file.commands) {
    if (command.name != "add_subdirectory" || command.words.empty())
      continue;
    const auto name = variables_.expanded(command.words[0]);
    const std::string folder =
        name ? plainPathIn(sys::path::parent_path(file.path), *name) : "";
    if (!isBelow(folder, top_) || !seen_.insert(folder).second ||
        seen_.size() > mostFolders)
      continue;
    for (const CmakeFile &below : cmakeFilesAbove(folder, folder)) {
      const CmakeVariables outside = variables_;
      file_ = below.path;
      folder_ = folder;
      for (const char *here :
           {"CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR"})
        variables_.settle(here, folder_);
      for (const CmakeCommand &each : below.commands) {
        variables_.follow(each);
        if (!each.words.empty())
          readTarget(each);
      }
      readLibrariesBelow(below);
      variables_ = outside;
    }
  }
}

void CmakeFlags::read(const CmakeCommand &command) {
  ArrayRef<std::string> words = command.words;
  if (words.empty())
    return;
  if (command.name == "project") {
    const auto name = variables_.expanded(words[0]);
    for (const std::string &prefix :
         {std::string("PROJECT"), name.value_or("PROJECT")})
      variables_.settle(prefix + "_SOURCE_DIR", folder_);
  } else if (command.name == "include_directories") {
    for (StringRef word : words)
      addFolder(ofAll_, word, command.isConditional);
  } else if (command.name == "add_compile_definitions") {
    for (StringRef word : words)
      addMacro(ofAll_, word, command.isConditional);
  } else if (command.name == "add_definitions" ||
             command.name == "add_compile_options" ||
             setsFlagsOfNvcc(command)) {
    addMacrosOfAll(words, command.isConditional);
  } else {
    readTarget(command);
  }
}

void CmakeFlags::readTarget(const CmakeCommand &command) {
  static const std::set<std::string> makes = {"add_executable", "add_library",
                                              "cuda_add_executable",
                                              "cuda_add_library"};
  static const std::set<std::string> adds = {
      "target_sources", "target_include_directories",
      "target_compile_definitions", "target_compile_options",
      "target_link_libraries"};
  const bool isMade = makes.count(command.name);
  if (!isMade && !adds.count(command.name))
    return;
  const auto name = variables_.expanded(command.words[0]);
  if (!name)
    return;
  ArrayRef<std::string> words = ArrayRef(command.words).drop_front();
  Target &target = targets_[*name];
  if (isMade) {
    target.isOfLastFile = isLastFile_;
    target.isElsewhere = isElsewhere_;
  }
  if (isMade && words.size() == 2 && words[0] == "ALIAS") {
    target.links.push_back(words[1]);
    return;
  }
  if (isMade || command.name == "target_sources")
    return readSources(target, words);
  bool isOwn = true, isForOthers = true; // without a word: as PUBLIC
  bool isOfHost = false;                 // '-Xcompiler -DX'
  for (StringRef word : words) {
    if (is_contained({"PRIVATE", "PUBLIC", "INTERFACE"}, word)) {
      isOwn = word != "INTERFACE";
      isForOthers = word != "PRIVATE";
      continue;
    }
    if (command.name == "target_link_libraries") {
      if (const auto linked = variables_.expanded(word))
        target.links.push_back(*linked);
      continue;
    }
    const bool isFlag = !isOfHost && word.starts_with("-D");
    isOfHost = word == "-Xcompiler" || word == "--compiler-options";
    if (command.name == "target_compile_options" && !isFlag)
      continue;
    auto add = command.name == "target_include_directories"
                   ? &CmakeFlags::addFolder
                   : &CmakeFlags::addMacro;
    if (isOwn)
      (this->*add)(target.own, word, command.isConditional);
    if (isForOthers)
      (this->*add)(target.forOthers, word, command.isConditional);
  }
}

void CmakeFlags::readSources(Target &target, ArrayRef<std::string> words) {
  for (StringRef word : words) {
    const auto known = variables_.expanded(word);
    target.isWritten &= known.has_value();
    if (known)
      for (StringRef file : split(*known, ';'))
        target.sources.insert(plainPathIn(folder_, file));
  }
}

void CmakeFlags::addFolder(Asked &asked, StringRef word, bool isConditional) {
  if (word.consume_front("$<BUILD_INTERFACE:"))
    word.consume_back(">");
  const auto known = variables_.expanded(word);
  if (isConditional || !known || known->empty() ||
      StringRef(*known).contains('$'))
    return;
  for (StringRef name : split(*known, ';')) {
    const std::string folder = plainPathIn(folder_, name);
    if (!name.empty() && (folder == top_ || isBelow(folder, top_)) &&
        sys::fs::is_directory(folder) && !is_contained(asked.folders, folder)) {
      asked.folders.push_back(folder);
      asked.file = file_;
    }
  }
}

void CmakeFlags::addMacrosOfAll(ArrayRef<std::string> words,
                                bool isConditional) {
  // '-Xcompiler -DX' and '-Xcompiler "-O3 -DX"': nvcc itself does not know X.
  bool isOfHost = false, isQuoted = false;
  for (StringRef word : words) {
    if (word.contains("$<")) // depends on the configuration or the language
      continue;
    for (StringRef flag : split(word, ' ')) {
      if (flag.starts_with("-D") && !isOfHost && !isQuoted)
        addMacro(ofAll_, flag, isConditional);
      isQuoted ^= (flag.count('"') + flag.count('\'')) % 2;
      isOfHost = flag == "-Xcompiler" || flag == "--compiler-options";
    }
  }
}

void CmakeFlags::addMacro(Asked &asked, StringRef word, bool isConditional) {
  word.consume_front("-D");
  const auto known = variables_.expanded(word);
  const StringRef text = known ? StringRef(*known) : word;
  const auto [name, value] = text.split('=');
  if (name.empty() || !isOneNameOrNumber(name) || isDigit(name.front()))
    return;
  const bool isSettled = known && !isConditional && isOneNameOrNumber(value);
  asked.macros[name.str()].insert(isSettled ? text.str() : "");
  asked.file = file_;
}

std::vector<const CmakeFlags::Target *>
CmakeFlags::targetsOf(StringRef source) const {
  std::vector<const Target *> written, open;
  for (const auto &[name, target] : targets_) {
    if (!target.isElsewhere && target.sources.count(source.str()))
      written.push_back(&target);
    if (target.isOfLastFile && !target.isWritten)
      open.push_back(&target);
  }
  return written.empty() ? open : written;
}

WrittenFlags CmakeFlags::of(StringRef source) const {
  std::vector<const Asked *> asked = {&ofAll_};
  const std::vector<const Target *> targets =
      targetsOf(plainPathIn("/", source));
  std::set<std::string> seen;
  std::vector<std::string> links;
  for (const Target *target : targets) {
    // Of several that may compile it, what all users of a library get counts.
    asked.push_back(targets.size() == 1 ? &target->own : &target->forOthers);
    append_range(links, target->links);
  }
  while (!links.empty()) {
    const std::string name = links.back();
    links.pop_back();
    const auto linked = targets_.find(name);
    if (linked == targets_.end() || !seen.insert(name).second)
      continue;
    asked.push_back(&linked->second.forOthers);
    append_range(links, linked->second.links);
  }
  WrittenFlags flags;
  std::map<std::string, std::set<std::string>> macros;
  for (const Asked *each : asked) {
    if (!each->file.empty())
      flags.file = each->file;
    for (const std::string &folder : each->folders)
      if (!is_contained(flags.words, "-I" + folder))
        flags.words.push_back("-I" + folder);
    for (const auto &[name, values] : each->macros)
      macros[name].insert(values.begin(), values.end());
  }
  for (const auto &[name, values] : macros)
    if (values.size() == 1 && !values.begin()->empty())
      flags.words.push_back("-D" + *values.begin());
  return flags;
}

} // namespace warplint
