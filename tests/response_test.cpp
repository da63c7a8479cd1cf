// A command as nvcc sees it: without launchers, with the words of response
// files and of the environment. CMake puts every -I into a response file.
#include "input/translate.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Response, FilesAreReplacedByTheirWords) {
  InputFolder folder;
  folder.write("CMakeFiles/includes.rsp",
               "-I\"/with space\" -isystem /sys\n--options-file more.rsp");
  folder.write("more.rsp", "-DMORE='a b'");
  folder.write("at.rsp", "-DAT");
  auto all = fullArguments(
      {"/a.cu",
       folder.path,
       {"ccache", "nvcc", "--options-file", "CMakeFiles/includes.rsp",
        "@at.rsp", "-Xlinker", "@loader", "a.cu"}});
  ASSERT_TRUE(!!all) << llvm::toString(all.takeError());
  EXPECT_THAT(*all,
              ElementsAre("nvcc", "-I/with space", "-isystem", "/sys",
                          "-DMORE=a b", "-DAT", "-Xlinker", "@loader", "a.cu"));
}

TEST(Response, ABadFileIsNamed) {
  InputFolder folder;
  folder.write("self.rsp", "-DA @self.rsp");
  auto failureOf = [&](std::vector<std::string> words) {
    auto all = fullArguments({"/a.cu", folder.path, std::move(words)});
    return all ? "" : llvm::toString(all.takeError());
  };
  EXPECT_THAT(failureOf({"nvcc", "-optf=gone.rsp"}),
              HasSubstr("cannot read response file 'gone.rsp': No such file"));
  EXPECT_EQ(failureOf({"nvcc", "@self.rsp"}),
            "cannot read response file 'self.rsp': it includes itself");
}

TEST(Response, NvccTakesFlagsFromTheEnvironment) {
  Environment front("NVCC_PREPEND_FLAGS", "-DFRONT -ccbin 'my gcc'");
  Environment back("NVCC_APPEND_FLAGS", "-DBACK");
  auto nvcc = fullArguments({"/a.cu", "/", {"nvcc", "a.cu"}});
  ASSERT_TRUE(!!nvcc);
  EXPECT_THAT(*nvcc, ElementsAre("nvcc", "-DFRONT", "-ccbin", "my gcc", "a.cu",
                                 "-DBACK"));
  auto clang = fullArguments({"/a.cu", "/", {"clang++", "a.cu"}});
  ASSERT_TRUE(!!clang);
  EXPECT_THAT(*clang, ElementsAre("clang++", "a.cu"));
}

TEST(Response, KokkosLauncherIsRemoved) {
  auto all = fullArguments({"/a.cpp",
                            "/",
                            {"/k/kokkos_launch_compiler", "/k/nvcc_wrapper",
                             "g++", "/usr/bin/g++", "-c", "a.cpp"}});
  ASSERT_TRUE(!!all);
  EXPECT_THAT(*all, ElementsAre("/k/nvcc_wrapper", "-c", "a.cpp"));
}
