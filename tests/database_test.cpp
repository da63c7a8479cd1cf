// compile_commands.json, as CMake, Bear and hands write it: what it does not
// give, the linter reads with a guess.
#include "input/database.h"
#include "input_folder.h"
#include <gmock/gmock.h>
#include <utime.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class DatabaseOf : public testing::Test {
protected:
  Database read(llvm::StringRef text) {
    auto database = readDatabase(file, text);
    if (database)
      return std::move(*database);
    ADD_FAILURE() << llvm::toString(database.takeError());
    return {};
  }
  /// The only command of a.cu.
  Command only(llvm::StringRef text) {
    const Database database = read(text);
    auto found = database.commands.find(source);
    if (found != database.commands.end() && found->second.size() == 1)
      return found->second.front();
    ADD_FAILURE() << "not one command of a.cu";
    return {};
  }

  InputFolder folder;
  std::string source = folder.write("src/a.cu"),
              file = folder / "build/compile_commands.json";
};

} // namespace

TEST_F(DatabaseOf, ACommandIsSplitAndAListOfArgumentsTaken) {
  folder.write("build/x");
  EXPECT_THAT(only(R"([{"directory": ".", "file": "../src/a.cu",
                        "command": "nvcc \"-I/my code\" -c ../src/a.cu"}])")
                  .arguments,
              ElementsAre("nvcc", "-I/my code", "-c", "../src/a.cu"));
  EXPECT_THAT(only(R"([{"directory": ".", "file": "../src/a.cu",
                        "arguments": ["nvcc", "-I/my code"]}])")
                  .arguments,
              ElementsAre("nvcc", "-I/my code"));
}

// Relative names belong to the database's folder, wherever warplint runs.
TEST_F(DatabaseOf, WithoutADirectoryItsOwnFolderCounts) {
  folder.write("build/x");
  const Command command =
      only(R"([{"file": "../src/a.cu", "command": "nvcc a.cu"}])");
  EXPECT_EQ(command.directory, folder / "build");
  EXPECT_EQ(command.source, source);
}

TEST_F(DatabaseOf, EachCommandOfASourceIsKept) {
  const std::string entry =
      R"({"file": "../src/a.cu", "command": "nvcc -c a.cu"})";
  EXPECT_EQ(read("[" + entry + "," + entry + "]").commands.at(source).size(),
            2u);
}

TEST_F(DatabaseOf, EntriesThatCannotBeUsedAreNamed) {
  const Database database = read(R"([{"directory": ")" + folder / "gone" +
                                 R"(", "file": ")" + source +
                                 R"(", "command": "nvcc -c a.cu"},
          {"file": "x.cu", "command": "nvcc"}, {"file": "y.cu", "command": "g"},
          7, {}, {"file": "", "command": "nvcc"}, {"file": "a.cu"},
          {"file": "a.cu", "arguments": ["nvcc", 1]}])");
  // The build folder may be deleted while its sources still exist.
  EXPECT_EQ(database.commands.at(source).front().directory, folder / "build");
  EXPECT_THAT(database.notes,
              ElementsAre(HasSubstr("names 2 files that are gone, first '" +
                                    folder / "build/x.cu"),
                          HasSubstr("1 command whose folder is gone: '" +
                                    folder / "gone"),
                          HasSubstr("5 entries without 'file' or command")));
}

TEST_F(DatabaseOf, AnUnreadableDatabaseIsNamedWithTheReason) {
  auto reason = [&](llvm::StringRef text) {
    return llvm::toString(readDatabase(file, text).takeError());
  };
  const std::string start = "cannot read compile database '" + file + "': ";
  EXPECT_EQ(reason("{}"), start + "it is not a list of commands");
  EXPECT_THAT(reason("[{]"), testing::StartsWith(start));
  EXPECT_THAT(llvm::toString(readDatabase(file).takeError()),
              HasSubstr("No such file"));
}

// A folder with a name in a legacy encoding must not cost the other sources.
TEST_F(DatabaseOf, NamesInALegacyEncodingLeaveTheOthersReadable) {
  EXPECT_EQ(read("[{\"file\": \"/caf\xe9.cu\", \"command\": \"nvcc\"},"
                 R"({"file": "../src/a.cu", "command": "nvcc"}])")
                .commands.count(source),
            1u);
}

// A second build folder left from last month must not decide.
TEST_F(DatabaseOf, AFoldersOwnComesFirstAndThenTheNewestBuild) {
  const std::string own = folder.write("compile_commands.json"),
                    old = folder.write("build-old/compile_commands.json"),
                    preset = folder.write("build/cuda/compile_commands.json"),
                    clion =
                        folder.write("cmake-build-debug/compile_commands.json");
  folder.write("out/compile_commands.json");
  folder.write("build/.cache/compile_commands.json");
  time_t time = 1000;
  for (const std::string &built : {old, clion, preset, own}) {
    const utimbuf then = {time, time};
    utime(built.c_str(), &then);
    time += 1000;
  }
  EXPECT_THAT(databasesOfFolder(folder.path),
              ElementsAre(own, preset, clion, old));
  EXPECT_THAT(databasesOfFolder(folder / "src"), IsEmpty());
}

// One file under two names would be linted, and reported, twice.
TEST_F(DatabaseOf, ACanonicalPathHasNoLinks) {
  llvm::sys::fs::create_link(folder / "src", folder / "linked");
  llvm::sys::fs::create_link(source, folder / "link.cu");
  CanonicalPaths paths;
  for (const std::string &name :
       {folder / "linked/a.cu", folder / "link.cu", folder / "src/../src/a.cu",
        folder / "linked/./a.cu", source}) {
    EXPECT_EQ(canonicalPath(name), source) << name;
    EXPECT_EQ(paths.of(name), source) << name;
  }
  EXPECT_EQ(canonicalPath(folder / "none/../a.cu"), folder / "a.cu");
  EXPECT_EQ(paths.of(folder / "none.cu"), folder / "none.cu");
}
