// A source gets the flags of its own build, and a broken or foreign build is
// said, not used.
#include "input/source_databases.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class SourceDatabasesOf : public testing::Test {
protected:
  void database(llvm::StringRef in, llvm::StringRef flag) {
    folder.write((in + "compile_commands.json").str(),
                 "[{\"directory\": \"" + folder.path +
                     "\", \"file\": \"one/a.cu\", \"command\": \"nvcc " +
                     flag.str() + " one/a.cu\"}]");
  }
  /// The second word of each command of one/a.cu.
  std::vector<std::string> flags(SourceDatabases &databases) {
    std::vector<std::string> words;
    for (const Command &command :
         databases.commandsOf(source, canonicalPath(source)))
      words.push_back(command.arguments.at(1));
    return words;
  }
  InputFolder folder;
  const std::string source = folder.write("one/a.cu");
  std::vector<std::string> notes;
};

TEST_F(SourceDatabasesOf, TheNearestCounts) {
  database("build/", "-DFAR");
  database("one/", "-DNEAR");
  SourceDatabases databases(notes);
  EXPECT_FALSE(databases.any());
  EXPECT_THAT(flags(databases), ElementsAre("-DNEAR"));
  EXPECT_TRUE(databases.any());
  EXPECT_EQ(databases.near(source).size(), 2u);
}

TEST_F(SourceDatabasesOf, TheOneAskedForIsTheOnlyOne) {
  database("build/", "-DFAR");
  database("one/", "-DNEAR");
  SourceDatabases databases(notes);
  ASSERT_THAT(llvm::toString(databases.ask(folder / "build")), IsEmpty());
  EXPECT_THAT(flags(databases), ElementsAre("-DFAR"));
  EXPECT_THAT(databases.near(source), ElementsAre(databases.asked()));
}

TEST_F(SourceDatabasesOf, ABuildFolderWithoutADatabaseNamesTheCommand) {
  folder.write("build/CMakeCache.txt");
  folder.write("other/build.ninja");
  SourceDatabases databases(notes);
  EXPECT_THAT(llvm::toString(databases.ask(folder / "build")),
              HasSubstr("'cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"));
  EXPECT_THAT(llvm::toString(databases.ask(folder / "other")),
              HasSubstr("'ninja -C " + (folder / "other") + " -t compdb > "));
  databases.addNoteOfBuildWithout({source});
  EXPECT_THAT(notes, ElementsAre(HasSubstr("so its flags are not used")));
}

TEST_F(SourceDatabasesOf, ABrokenOneIsANote) {
  folder.write("one/compile_commands.json", "[");
  database("", "-DFAR");
  SourceDatabases databases(notes);
  EXPECT_THAT(flags(databases), ElementsAre("-DFAR"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("; going on without it")));
}

} // namespace
