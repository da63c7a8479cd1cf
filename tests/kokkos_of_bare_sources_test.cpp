// A Kokkos source that no build compiles is linted, and judged, as the CUDA
// build that it becomes.
#include "input_folder.h"
#include "kokkos.h"
#include "nvcc.h"
#include "program.h"
#include "run/kokkos_of_bare_sources.h"
#include "test_paths.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

class KokkosOfBareSourcesIn : public testing::Test {
protected:
  Command bare(llvm::StringRef text, std::vector<std::string> flags = {}) {
    const std::string source = folder.write("a.cpp", text);
    flags.insert(flags.begin(), "nvcc");
    flags.insert(flags.end(), {"-x", "cu", source});
    return {source, folder.path, flags, /*isBare=*/true, /*isTrusted=*/true};
  }
  std::string install(llvm::StringRef root, llvm::StringRef config) {
    folder.write((root + "/include/Kokkos_Core.hpp").str());
    folder.write((root + "/include/KokkosCore_config.h").str(), config);
    return folder / root;
  }

  InputFolder folder;
  const Buffers none;
  GraphOfThread graphs{none, {}};
  FilesOfProjects files;
  KokkosOfBareSources kokkos{graphs, files, folder / "kept"};
  std::vector<std::string> notes;
};

const char *const includes = "#include <Kokkos_Core.hpp>\n";

} // namespace

TEST_F(KokkosOfBareSourcesIn, AHostInstallationIsReadAsForCuda) {
  const Environment root(
      "Kokkos_ROOT", install("k", "#define KOKKOS_VERSION 40601\n").c_str());
  Command command = bare(includes, {"-O3"});
  kokkos.addTo(command);
  EXPECT_THAT(command.arguments,
              ElementsAre("nvcc", "-I", "/warplint-shim/kokkos", "-O3", "-x",
                          "cu", "--extended-lambda", "--expt-relaxed-constexpr",
                          "-I" + folder / "k/include", folder / "a.cpp"));
  kokkos.addNote(notes);
  EXPECT_THAT(notes, ElementsAre("Kokkos 4.6.1 in '" + folder / "k/include" +
                                 "' was taken, configured for a host and read "
                                 "as for CUDA"));
}

TEST_F(KokkosOfBareSourcesIn, ACudaInstallationIsTakenAsItIs) {
  const Environment root("Kokkos_ROOT",
                         install("k", "#define KOKKOS_VERSION 50100\n"
                                      "#define KOKKOS_ENABLE_CUDA\n")
                             .c_str());
  Command command = bare(includes);
  kokkos.addTo(command);
  EXPECT_THAT(command.arguments,
              AllOf(Contains("-std=c++20"), Not(Contains("-I"))));
  kokkos.addNote(notes);
  EXPECT_THAT(notes, ElementsAre("Kokkos 5.1.0 in '" + folder / "k/include" +
                                 "' was taken"));
}

// Debian's has no Kokkos::fabs: kernels of TeaLeaf were not read, and nothing
// said that another release can be named.
TEST_F(KokkosOfBareSourcesIn, AnotherThanAnOldInstallationCanBeNamed) {
  const Environment root("Kokkos_ROOT",
                         install("k", "#define KOKKOS_VERSION 30401\n"
                                      "#define KOKKOS_ENABLE_CUDA\n")
                             .c_str());
  Command command = bare(includes);
  kokkos.addTo(command);
  kokkos.addNote(notes);
  EXPECT_THAT(notes, ElementsAre("Kokkos 3.4.1 in '" + folder / "k/include" +
                                 "' was taken; '-- -IDIR' takes a newer one, "
                                 "such as the 'core/src' of a checkout"));
}

// Typed folders come before found ones.
TEST_F(KokkosOfBareSourcesIn, TheCommandsOwnFolderIsNotSearchedFor) {
  install("k", "#define KOKKOS_VERSION 40601\n");
  Command command = bare(includes, {"-Ik/include"});
  kokkos.addTo(command);
  EXPECT_THAT(command.arguments, Contains("/warplint-shim/kokkos"));
  kokkos.addNote(notes);
  EXPECT_THAT(notes, IsEmpty());
}

// A project's own Kokkos, as a submodule, is the one that it is built with.
TEST_F(KokkosOfBareSourcesIn, ACheckoutInTheProjectIsTaken) {
  const Environment root(
      "Kokkos_ROOT", install("k", "#define KOKKOS_VERSION 40601\n").c_str());
  folder.write("lib/kokkos/core/src/Kokkos_Core.hpp");
  folder.write("lib/kokkos/tpls/desul/include/desul/atomics.hpp");
  folder.write("lib/kokkos/CMakeLists.txt",
               "project(Kokkos CXX)\nset(Kokkos_VERSION_MAJOR 5)\n"
               "set(Kokkos_VERSION_MINOR 0)\nset(Kokkos_VERSION_PATCH 2)\n");
  Command command = bare(includes);
  kokkos.addTo(command);
  EXPECT_THAT(command.arguments,
              AllOf(Contains("-I" + folder / "lib/kokkos/core/src"),
                    Contains("-I" + folder / "lib/kokkos/tpls/desul/include"),
                    Contains("/warplint-shim/kokkos"), Contains("-std=c++20"),
                    Not(Contains("-I" + folder / "k/include"))));
  kokkos.addNote(notes);
  EXPECT_THAT(notes,
              ElementsAre("Kokkos 5.0.2 in '" + folder / "lib/kokkos/core/src" +
                          "' was taken, configured for a host and read as for "
                          "CUDA"));
}

TEST_F(KokkosOfBareSourcesIn, ACheckoutThatTheCommandNamesIsTaken) {
  InputFolder elsewhere;
  elsewhere.write("core/src/Kokkos_Core.hpp");
  elsewhere.write("CMakeLists.txt",
                  "set(Kokkos_VERSION_MAJOR 4)\nset(Kokkos_VERSION_MINOR 7)\n"
                  "set(Kokkos_VERSION_PATCH 0)\n");
  Command command = bare(includes, {"-I" + elsewhere / "core/src"});
  kokkos.addTo(command);
  kokkos.addNote(notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("Kokkos 4.7.0 in '" + elsewhere.path));
}

TEST_F(KokkosOfBareSourcesIn, OtherCommandsDoNotChange) {
  Command plain = bare("#include <vector>\n");
  const std::vector<std::string> before = plain.arguments;
  kokkos.addTo(plain);
  EXPECT_EQ(plain.arguments, before);
  Command built = bare(includes);
  built.isBare = false;
  kokkos.addTo(built);
  EXPECT_EQ(built.arguments, before);
  kokkos.addNote(notes);
  EXPECT_THAT(notes, IsEmpty());
}

TEST(KokkosCli, AFolderOfKokkosSourcesIsLintedAndJudged) {
  NEEDS_REAL_KOKKOS();
  InputFolder folder;
  llvm::sys::fs::copy_file(WARPLINT_SOURCE_DIR "/kernels/kokkos/sample-3.cpp",
                           folder / "sample-3.cpp");
  folder.write("plain.cpp", "int main() {}\n");
  const Environment root("CPATH",
                         kokkosHeaders().c_str()); // finds WARPLINT_KOKKOS too
  const Outcome outcome = runProgram({"check", "--no-cache", folder.path});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("[layout-against-index]"),
                    HasSubstr("note: Kokkos "), HasSubstr("' was taken")));
  if (!nvccForTests().empty()) {
    EXPECT_THAT(outcome.out, HasSubstr("confirmed"));
  }
}

// The cache hashes what it hands over, and does not read it once more.
TEST(KokkosOfBareSources, WhatIsSearchedIsHandedOver) {
  InputFolder folder;
  folder.write("a.h", "int a;\n");
  const std::string source = folder.write("a.cu", "#include \"a.h\"\n");
  std::map<std::string, std::string> texts;
  const Buffers none;
  GraphOfThread graphs(none, [&](const std::string &file, llvm::StringRef text,
                                 llvm::sys::TimePoint<> modified) {
    EXPECT_GT(modified, llvm::sys::TimePoint<>());
    texts[file] = text.str();
  });
  FilesOfProjects files;
  KokkosOfBareSources kokkos(graphs, files);
  Command command{source, folder.path, {"nvcc", source}, /*isBare=*/true};
  kokkos.addTo(command);
  EXPECT_THAT(texts, testing::UnorderedElementsAre(
                         std::pair(source, "#include \"a.h\"\n"),
                         std::pair(folder / "a.h", "int a;\n")));
}
