// The sizes and folders that a project's CMakeLists.txt writes out are those of
// its build: without them, BGHT's benchmark and all of QUDA had errors.
#include "input/cmake_flags.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class CmakeFlagsIn : public testing::Test {
protected:
  void SetUp() override {
    folder.write("inc/a.h", "");
    folder.write("src/inc/b.h", "");
  }
  /// The flags of src/a.cu.
  std::vector<std::string> words(llvm::StringRef text,
                                 llvm::StringRef source = "src/a.cu") {
    folder.write("src/CMakeLists.txt", text);
    return CmakeFlags(cmakeFilesAbove(folder / "src", folder.path), folder.path)
        .of(folder / source)
        .words;
  }
  std::string i(llvm::StringRef name) { return "-I" + (folder / name); }
  InputFolder folder;
};

} // namespace

TEST_F(CmakeFlagsIn, FoldersAndMacrosOfAllTargets) {
  EXPECT_THAT(words("include_directories(BEFORE inc none ${X}/inc)\n"
                    "include_directories(${CMAKE_CURRENT_SOURCE_DIR}/../inc)\n"
                    "add_definitions(-DN=8 -Wall)\n"
                    "add_compile_definitions(REAL=double)\n"),
              ElementsAre(i("src/inc"), i("inc"), "-DN=8", "-DREAL=double"));
}

// Without them, AMGX had errors in 16 of 22 sources: it names the namespace of
// its Thrust so.
TEST_F(CmakeFlagsIn, MacrosAmongTheFlagsOfNvcc) {
  EXPECT_THAT(words("set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} -O3 -DA=amgx)\n"
                    "list(APPEND CUDA_NVCC_FLAGS -DB)\n"
                    "set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} -G -DC=1\")\n"
                    "string(APPEND CMAKE_CUDA_FLAGS \" -DD\")\n"
                    "add_compile_options(-Wall -DE=2)\n"),
              ElementsAre("-DA=amgx", "-DB", "-DC=1", "-DD", "-DE=2"));
  EXPECT_THAT(words("set(CMAKE_CUDA_FLAGS \"-Xcompiler -DHOST\")\n"
                    "set(CMAKE_CUDA_FLAGS_DEBUG -DCHECKED)\n"
                    "string(REPLACE -DX -DY CMAKE_CUDA_FLAGS -DX)\n"),
              IsEmpty());
  EXPECT_THAT(words("set(CMAKE_CUDA_FLAGS\n"
                    "    \"-Xcompiler \\\"-Wall -DHOST -O3\\\" -DN=8\")\n"
                    "add_compile_options(\n"
                    "    \"$<$<CONFIG:Debug>:-G -DCHECKED -g>\")\n"),
              ElementsAre("-DN=8"));
  EXPECT_THAT(words("if(BIG)\nset(CMAKE_CUDA_FLAGS -DN=16)\nendif()\n"),
              IsEmpty());
}

TEST_F(CmakeFlagsIn, FoldersAboveCountForThoseBelow) {
  folder.write("CMakeLists.txt", "project(heat)\n"
                                 "set(SIZE 64)\n"
                                 "include_directories(inc)\n"
                                 "add_library(base INTERFACE)\n"
                                 "target_compile_definitions(base INTERFACE "
                                 "BASE=1 PRIVATE OWN)\n");
  EXPECT_THAT(words("add_library(all INTERFACE)\n"
                    "target_link_libraries(all INTERFACE base)\n"
                    "add_executable(t a.cu)\n"
                    "target_compile_definitions(t PRIVATE N=${SIZE})\n"
                    "target_include_directories(t PRIVATE "
                    "${heat_SOURCE_DIR}/src/inc)\n"
                    "target_link_libraries(t PRIVATE all t)\n"),
              ElementsAre(i("inc"), i("src/inc"), "-DBASE=1", "-DN=64"));
}

// Tests and examples have folders beside that of the library.
TEST_F(CmakeFlagsIn, WhatALibraryBesideGivesToOthersCounts) {
  folder.write("CMakeLists.txt", "project(heat)\nset(SIZE 64)\n"
                                 "add_subdirectory(lib)\n"
                                 "add_subdirectory(src)\n");
  folder.write("lib/CMakeLists.txt",
               "add_definitions(-DLOCAL)\ninclude_directories(gone)\n"
               "add_subdirectory(core)\n"
               "add_library(heat STATIC b.cu ../src/a.cu)\n"
               "add_library(Heat::heat ALIAS heat)\n"
               "target_include_directories(heat PUBLIC include PRIVATE own)\n"
               "target_compile_options(heat INTERFACE -Wall -DN=${SIZE}\n"
               "  -Xcompiler -DHOST PRIVATE -DOWN)\n"
               "target_link_libraries(heat PUBLIC core)\n");
  folder.write("lib/core/CMakeLists.txt",
               "add_library(core INTERFACE)\n"
               "target_compile_definitions(core INTERFACE CORE)\n");
  folder.write("lib/include/heat.h", "");
  folder.write("lib/own/own.h", "");
  EXPECT_THAT(words("add_executable(t a.cu)\n"
                    "target_link_libraries(t PRIVATE Heat::heat)\n"),
              ElementsAre(i("lib/include"), "-DCORE", "-DN=64"));
  EXPECT_THAT(words("add_executable(t a.cu)\n"), IsEmpty());
}

TEST_F(CmakeFlagsIn, TheTargetOfTheSourceCounts) {
  const std::string two = "add_executable(t a.cu)\nadd_executable(u b.cu)\n"
                          "target_compile_definitions(t PRIVATE T)\n"
                          "target_compile_definitions(u PRIVATE -DU)\n";
  EXPECT_THAT(words(two), ElementsAre("-DT"));
  EXPECT_THAT(words(two, "src/b.cu"), ElementsAre("-DU"));
  EXPECT_THAT(words(two, "src/c.cu"), IsEmpty());
  EXPECT_THAT(words("set(FILES b.cu a.cu)\nadd_library(t STATIC ${FILES})\n"
                    "target_compile_definitions(t PUBLIC T)\n"),
              ElementsAre("-DT"));
  // The only target of the folder: its list is a search.
  EXPECT_THAT(words("file(GLOB FILES *.cu)\nadd_library(t ${FILES})\n"
                    "target_compile_definitions(t PUBLIC T)\n"),
              ElementsAre("-DT"));
  // Of two that may compile it, what users of the library get.
  EXPECT_THAT(words("add_executable(t a.cu)\nadd_library(u a.cu)\n"
                    "target_compile_definitions(t PRIVATE T)\n"
                    "target_compile_definitions(u PUBLIC U PRIVATE V)\n"),
              ElementsAre("-DU"));
}

TEST_F(CmakeFlagsIn, WhatDependsOnTheBuildIsLeftOut) {
  EXPECT_THAT(words("if(MPI)\nadd_definitions(-DMPI)\n"
                    "include_directories(inc)\nendif()\n"),
              IsEmpty());
  EXPECT_THAT(words("add_definitions(-DN=8)\n"
                    "if(BIG)\nadd_definitions(-DN=16)\nendif()\n"),
              IsEmpty());
  EXPECT_THAT(words("add_definitions(-DN=${N} -DM=$<IF:a,1,2>)\n"
                    "add_definitions($<$<CONFIG:Debug>:-DDEBUG>)\n"),
              IsEmpty());
  EXPECT_THAT(words("include_directories($<BUILD_INTERFACE:"
                    "${CMAKE_CURRENT_SOURCE_DIR}/inc>\n"
                    "  $<INSTALL_INTERFACE:inc> ${CMAKE_BINARY_DIR}/inc)\n"),
              ElementsAre(i("src/inc")));
}

// nvcc starts its own steps in a shell.
TEST_F(CmakeFlagsIn, WhatAShellWouldReadIsLeftOut) {
  for (const char *word : {"-DN=\"$(touch x)\"", "-DN=`touch`", "-DN=1;true",
                           "\"-DN(x)=x\"", "-D=1", "-DA&B", "-DN=\\\"a\\\""})
    EXPECT_THAT(words("add_definitions(" + std::string(word) + ")\n"),
                IsEmpty())
        << word;
  EXPECT_THAT(words("include_directories(/etc ../../..)\n"), IsEmpty());
}
