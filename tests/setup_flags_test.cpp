// A Python package has neither a Makefile nor CMake's files, and its kernels
// need what its setup.py asks for.
#include "input/setup_flags.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

std::vector<std::string> flagsIn(llvm::StringRef text) {
  return flagsInSetup(text, "/nowhere").words;
}

} // namespace

// Of nunchaku: it is C++20, and no source of it was read.
TEST(SetupFlags, TheStandardAndTheMacrosOfTheExtension) {
  EXPECT_THAT(flagsIn("NVCC_FLAGS = [\n"
                      "    \"-DENABLE_BF16=1\",  # all of \"them\"\n"
                      "    '-DBUILD',\n"
                      "    \"-std=c++20\",\n"
                      "    *cond(\"-DDEBUG\"),\n"
                      "    # \"-DOLD\",\n"
                      "    f\"-DTHREADS={n}\",\n"
                      "]\n"
                      "MSVC = [\"/std:c++20\"]\n"
                      "e = CUDAExtension(extra={\"nvcc\": NVCC_FLAGS})\n"),
              UnorderedElementsAre("-std=c++20", "-DENABLE_BF16=1", "-DBUILD"));
}

TEST(SetupFlags, WhatAConditionDecidesIsLeftOut) {
  EXPECT_THAT(flagsIn("if os.getenv('X'):\n"
                      "    flags += ['-DA']\n"
                      "else:\n"
                      "    flags += [\n'-DB']\n"
                      "flags += ['-DC'] if debug else ['-DD']\n"
                      "flags += ['-DN=1', '-DN=2']\n"
                      "if not CUDA_HOME:\n"
                      "    flags += ['-DE']\n"
                      "if is_rocm or is_cuda:\n"
                      "    flags += ['-DG']\n"
                      "flags += ['-DF']\n"),
              ElementsAre("-DF"));
  EXPECT_THAT(flagsIn("if __name__ == '__main__':\n"
                      "  if CUDA_HOME is not None:\n"
                      "    flags = ['-DWITH_CUDA']\n"),
              ElementsAre("-DWITH_CUDA"));
}

// One asks for a macro, and another may not; an old one may ask for a standard
// that a newer PyTorch replaces.
TEST(SetupFlags, WhatIsNotOfAllSourcesIsLeftOut) {
  EXPECT_THAT(flagsIn("a = CUDAExtension(args=['-DA'])\n"
                      "b = CUDAExtension(args=['-DB'])\n"),
              IsEmpty());
  EXPECT_THAT(flagsIn("a = ['-std=c++14' if old else '-std=c++20']\n"),
              IsEmpty());
}

TEST(SetupFlags, TheFoldersBelowIt) {
  InputFolder folder;
  folder.write("third_party/cutlass/include/cutlass.h");
  EXPECT_THAT(flagsInSetup("INCLUDE = ['third_party/cutlass/include', 'gone',\n"
                           "           '..', '/usr/include', '']\n",
                           folder.path)
                  .words,
              ElementsAre("-I" + folder / "third_party/cutlass/include"));
}

TEST(SetupFlags, TheNearestSetupThatCompilesCuda) {
  InputFolder folder;
  const std::string file =
      folder.write("setup.py", "CUDAExtension(args=['-DA'])\n");
  folder.write("src/setup.py", "setup(name='docs')\n");
  folder.write("src/kernels/a.cu");
  const WrittenFlags flags = flagsOfSetup(folder / "src/kernels", folder.path);
  EXPECT_EQ(flags.file, file);
  EXPECT_THAT(flags.words, ElementsAre("-DA"));
  EXPECT_EQ(flagsOfSetup(folder / "src", folder / "src").file, "");
}
