// The rooms of linter/ and their include order, as docs/design.md states it: a
// backward include makes a cycle in which no room can be understood or tested
// without the others. And each module has a test of its own name.
#include "test_paths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <regex>

using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

namespace {

const std::string root = WARPLINT_SOURCE_DIR;

/// The lines of `file`, which is relative to the root.
std::vector<std::string> linesOf(const std::string &file) {
  std::vector<std::string> lines;
  std::ifstream in(root + "/" + file);
  EXPECT_TRUE(in) << file;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::vector<std::string> trimmedParts(llvm::StringRef text,
                                      llvm::StringRef separators) {
  std::vector<std::string> parts;
  llvm::SmallVector<llvm::StringRef> all;
  llvm::SplitString(text, all, separators);
  for (llvm::StringRef part : all)
    parts.push_back(part.trim().str());
  return parts;
}

/// The rooms of docs/design.md in their order; `line` gets the line itself.
std::vector<std::string> orderOfRooms(std::string &line) {
  bool inBlock = false;
  for (const std::string &each : linesOf("docs/design.md")) {
    if (llvm::StringRef(each).starts_with("```"))
      inBlock = !inBlock;
    else if (inBlock && each.find(" < ") != each.npos)
      line = each;
  }
  return trimmedParts(line, ",<");
}

/// The rooms in the first column of the table of docs/design.md.
std::vector<std::string> roomsOfTheTable() {
  std::vector<std::string> rooms;
  static const std::regex row(R"(^\| `(\w+)/` \|.*)");
  std::smatch match;
  for (const std::string &line : linesOf("docs/design.md"))
    if (std::regex_match(line, match, row))
      rooms.push_back(match[1]);
  return rooms;
}

/// The files below `folder`, both relative to the root, but for headers that
/// stand in for others'.
std::vector<std::string> filesBelow(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator
           entry(root + "/" + folder, error),
       end;
       !error && entry != end; entry.increment(error)) {
    const std::string file = entry->path().substr(root.size() + 1);
    if (file == "linter/source/shim")
      entry.no_push();
    else if (entry->type() == llvm::sys::fs::file_type::regular_file)
      files.push_back(file);
  }
  EXPECT_FALSE(error) << error.message();
  llvm::sort(files);
  return files;
}

/// "cost" of linter/cost/warp.h, "main" of linter/main.cpp, else "checks".
std::string roomOf(llvm::StringRef file) {
  if (!file.consume_front("linter/"))
    return file.split('/').first.str();
  return file.contains('/') ? file.split('/').first.str()
                            : file.split('.').first.str();
}

struct Include {
  std::string from, file; ///< `file` is as the directive spells it
};

std::vector<Include> includesBelow(const std::string &folder) {
  static const std::regex directive(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
  std::vector<Include> includes;
  std::smatch match;
  for (const std::string &file : filesBelow(folder))
    for (const std::string &line : linesOf(file))
      if (std::regex_match(line, match, directive))
        includes.push_back({file, match[1]});
  return includes;
}

bool isOurs(const Include &include) {
  return llvm::sys::fs::exists(root + "/linter/" + include.file);
}

TEST(Rooms, FilesIncludeTheirOwnRoomAndThoseBeforeIt) {
  std::string rule;
  const std::vector<std::string> order = orderOfRooms(rule);
  ASSERT_FALSE(order.empty());
  auto position = [&](const std::string &room) {
    return llvm::find(order, room) - order.begin();
  };
  for (const Include &include : includesBelow("linter")) {
    if (isOurs(include)) {
      EXPECT_LE(position(roomOf("linter/" + include.file)),
                position(roomOf(include.from)))
          << include.from << " includes linter/" << include.file
          << ", whose room stands later in: " << rule;
    }
  }
}

TEST(Rooms, ChecksIncludeModelCostAndFindingsAlone) {
  unsigned ours = 0;
  for (const Include &include : includesBelow("checks"))
    if (isOurs(include)) {
      ++ours;
      EXPECT_THAT(roomOf("linter/" + include.file),
                  testing::AnyOf("model", "cost", "findings"))
          << include.from << " includes linter/" << include.file
          << "; checks/ includes model/, cost/ and findings/ alone";
    }
  EXPECT_GT(ours, 0u);
}

/// Lines behind the page of a check that are neither empty nor comments.
unsigned linesOfLogic(const std::string &file) {
  bool isText = false, isPage = false, isLogic = false;
  unsigned lines = 0;
  for (const std::string &line : linesOf(file)) {
    const bool begins = llvm::StringRef(line).contains("R\"(");
    const bool wasText = isText;
    isText = (isText || begins) && !llvm::StringRef(line).contains(")\"");
    if (wasText || begins)
      continue; // may hold code that says "};"
    const llvm::StringRef text = llvm::StringRef(line).trim();
    lines += isLogic && !text.empty() && !text.starts_with("//");
    isPage |= llvm::StringRef(line).contains("CheckInfo info");
    isLogic |= isPage && line == "};";
  }
  EXPECT_TRUE(isLogic) << file << " has no page";
  return lines;
}

// Computations on the model belong to cost/, with tests of its own.
TEST(Rooms, NoCheckHasMoreThanTwoHundredLinesOfLogic) {
  for (const std::string &file : filesBelow("checks"))
    EXPECT_LE(linesOfLogic(file), 200u) << file;
}

TEST(Rooms, IncludesNameTheRoom) {
  for (const char *folder : {"linter", "checks"})
    for (const Include &include : includesBelow(folder))
      EXPECT_FALSE(!isOurs(include) &&
                   llvm::sys::fs::exists(
                       root + "/" +
                       llvm::sys::path::parent_path(include.from).str() + "/" +
                       include.file))
          << include.from << " includes \"" << include.file
          << "\" without its room";
}

TEST(Rooms, ClangEndsAtSource) {
  for (const char *folder :
       {"linter/base", "linter/cache", "linter/cost", "linter/findings",
        "linter/ir", "linter/machine", "linter/model", "linter/os",
        "linter/ptx", "linter/report", "checks"})
    for (const Include &include : includesBelow(folder))
      EXPECT_FALSE(llvm::StringRef(include.file).starts_with("clang/"))
          << include.from << " includes " << include.file
          << "; this room has no Clang header";
}

/// Modules without a test of their own stem, and why they need none.
const std::map<std::string, std::string> untested = {
    {"linter/commands/merge.cpp", "passes a report on to 'finish'"},
    {"linter/commands/run.cpp", "is the list of commands"},
    {"linter/source/coverage/observer.cpp",
     "passes each step on to read_coverage"},
};

// A module whose test has another name is one whose test nobody finds.
TEST(Rooms, EachModuleHasATestOfItsStem) {
  for (const std::string &file : filesBelow("linter")) {
    if (!llvm::StringRef(file).ends_with(".cpp") || file == "linter/main.cpp")
      continue;
    const std::string test =
        "tests/" + llvm::sys::path::stem(file).str() + "_test.cpp";
    const bool hasTest = llvm::sys::fs::exists(root + "/" + test);
    if (untested.count(file))
      EXPECT_FALSE(hasTest) << file << " has " << test
                            << ": take it out of the list of those without";
    else
      EXPECT_TRUE(hasTest) << file << " has no " << test
                           << "; write it, or give a reason in this file";
  }
  for (const auto &[file, why] : untested) {
    EXPECT_TRUE(llvm::sys::fs::exists(root + "/" + file)) << file;
    EXPECT_FALSE(why.empty()) << file;
  }
}

// For two types of one name the linker takes the functions of either for both.
TEST(Rooms, EachTypeOfAHeaderHasANameOfItsOwn) {
  const std::regex type(R"(^(?:struct|class) (\w+)(?: final)?(?: :[^;]*)? \{)");
  const std::regex space(R"(^namespace ([\w:]+) \{)");
  std::map<std::string, std::string> headerOf;
  for (const char *folder : {"linter", "tests"})
    for (const std::string &file : filesBelow(folder)) {
      // The shim is read by Clang, not compiled with the rest.
      if (!llvm::StringRef(file).ends_with(".h") ||
          llvm::StringRef(file).contains("/shim/"))
        continue;
      std::string inside;
      std::smatch match;
      for (const std::string &line : linesOf(file))
        if (std::regex_search(line, match, space)) {
          inside = match[1];
        } else if (std::regex_search(line, match, type)) {
          const std::string name = inside + "::" + match[1].str();
          const auto [first, isNew] = headerOf.emplace(name, file);
          EXPECT_TRUE(isNew) << "'" << name << "' is a type of " << file
                             << " and of " << first->second;
        }
    }
  EXPECT_GT(headerOf.size(), 100u);
}

TEST(Rooms, EveryFileStandsInARoomThatTheDesignNames) {
  std::string line;
  std::vector<std::string> order = orderOfRooms(line);
  std::vector<std::string> loose, folders;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(root + "/linter", error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = llvm::sys::path::filename(entry->path()).str();
    (entry->type() == llvm::sys::fs::file_type::directory_file ? folders
                                                               : loose)
        .push_back(name);
  }
  EXPECT_THAT(loose, ElementsAre("main.cpp"));
  ASSERT_FALSE(order.empty());
  EXPECT_EQ(order.back(), "main");
  order.pop_back();
  EXPECT_THAT(folders, UnorderedElementsAreArray(order));
  EXPECT_THAT(roomsOfTheTable(), testing::ElementsAreArray(order));
}

} // namespace
