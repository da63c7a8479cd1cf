// The command that compiles a header by itself, from those of its sources.
#include "input/header_command.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

struct HeaderCommand : testing::Test {
  InputFolder folder;
  std::string header = folder.write("include/h.cuh", "__device__ int f();\n");
  Database database;

  /// Adds a source of the folder with this text and this command.
  Command &source(const std::string &name, llvm::StringRef text,
                  std::vector<std::string> words) {
    const std::string file = folder.write(name, text);
    Command command{file, folder.path, std::move(words)};
    return database.commands[file].emplace_back(command);
  }
  std::optional<Command> command(std::vector<const Database *> all = {}) {
    IncludeGraph includes;
    if (all.empty())
      all = {&database};
    return commandForHeader(header, all, includes);
  }
};

const char *includes = "#include \"h.cuh\"\n";

} // namespace

// An editor that opens a header lints it with the flags of its project.
TEST_F(HeaderCommand, TheHeaderTakesTheSourcesPlace) {
  source("src/a.cu", includes,
         {"nvcc", "-Iinclude", "-DN=4", "-c", "src/a.cu"});
  const auto found = command();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->source, header);
  EXPECT_EQ(found->directory, folder.path);
  EXPECT_THAT(found->arguments, ElementsAre("nvcc", "-x", "cu", "-Iinclude",
                                            "-DN=4", "-c", header));
}

TEST_F(HeaderCommand, ClangHasItsOwnNameForTheLanguage) {
  source("src/a.cu", includes,
         {"clang++", "-x", "cuda", "-Iinclude", "-c", folder / "src/a.cu"});
  const auto found = command();
  ASSERT_TRUE(found);
  EXPECT_THAT(llvm::ArrayRef(found->arguments).take_front(3),
              ElementsAre("clang++", "-x", "cuda"));
  EXPECT_EQ(found->arguments.back(), header);
}

TEST_F(HeaderCommand, ALauncherStaysBeforeTheCompiler) {
  source("src/a.cu", includes, {"ccache", "nvcc", "-Iinclude", "src/a.cu"});
  const auto found = command();
  ASSERT_TRUE(found);
  EXPECT_THAT(llvm::ArrayRef(found->arguments).take_front(3),
              ElementsAre("ccache", "nvcc", "-x"));
}

// The flags of a source that does not include it say nothing about it.
TEST_F(HeaderCommand, OnlyASourceThatIncludesItCounts) {
  source("src/a.cu", "int other;\n", {"nvcc", "-Iinclude", "src/a.cu"});
  EXPECT_FALSE(command());
  source("src/host.cpp", includes, {"g++", "-Iinclude", "src/host.cpp"});
  EXPECT_FALSE(command()) << "not compiled as CUDA";
  source("src/far.cu", includes, {"nvcc", "src/far.cu"});
  EXPECT_FALSE(command()) << "its flags do not find the header";
  folder.write("include/between.h", includes);
  source("src/z.cu", "#include \"between.h\"\n",
         {"nvcc", "-Iinclude", "-DZ", "src/z.cu"});
  ASSERT_TRUE(command());
  EXPECT_THAT(command()->arguments, testing::Contains("-DZ"));
}

TEST_F(HeaderCommand, TheFirstDatabaseComesFirst) {
  source("src/a.cu", includes, {"nvcc", "-Iinclude", "-DNEW", "src/a.cu"});
  Database other = database;
  other.commands.begin()->second[0].arguments[2] = "-DOLD";
  EXPECT_THAT(command({&database, &other})->arguments,
              testing::Contains("-DNEW"));
  EXPECT_THAT(command({&other, &database})->arguments,
              testing::Contains("-DOLD"));
}

TEST_F(HeaderCommand, AHeaderIsIncludedIfOneSourceMayReadIt) {
  IncludeGraph graph;
  const Command a = source("src/a.cu", includes,
                           {"nvcc", "-Iinclude", "src/a.cu"}),
                b = source("src/b.cu", "", {"nvcc", "-Iinclude", "src/b.cu"});
  EXPECT_TRUE(isIncluded(header, {b, a}, graph));
  EXPECT_FALSE(isIncluded(header, {b}, graph));
  EXPECT_FALSE(isIncluded(header, {}, graph));
}
