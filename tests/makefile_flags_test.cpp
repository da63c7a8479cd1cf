// The sizes and folders that a Makefile writes out are those of the user's own
// build: without them, HeCBench's layernorm is not read at all.
#include "input/makefile_flags.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class MakefileFlagsIn : public testing::Test {
protected:
  std::vector<std::string> words(llvm::StringRef text) {
    return flagsInMakefile(text, folder.path).words;
  }
  InputFolder folder;
};

} // namespace

TEST_F(MakefileFlagsIn, AVariableGivesFoldersAndMacros) {
  folder.write("inc/a.h", "");
  EXPECT_THAT(words("NVCC = nvcc\n"
                    "CFLAGS := -O3 -Iinc -I none -DSIZE=64 \\\n"
                    "   -D REAL=double -Xcompiler -DHOST # -DOLD=1\n"),
              ElementsAre("-I" + folder / "inc", "-DREAL=double",
                          "-DSIZE=64"));
  EXPECT_THAT(words("override CFLAGS += --use_fast_math -std=c++20\n"),
              ElementsAre("--use_fast_math", "-std=c++20"));
  EXPECT_THAT(words("CFLAGS = -std=c++11 -std=c++23 -O0\n"), IsEmpty());
}

TEST_F(MakefileFlagsIn, VariablesAreFollowedWhereTheTextSettlesThem) {
  folder.write("inc/a.h", "");
  EXPECT_THAT(words("N = 8\nHERE = $(CURDIR)/inc\n"
                    "CFLAGS = -DN=$(N) -DM=${N}x -I$(HERE)\n"),
              ElementsAre("-I" + folder / "inc", "-DM=8x", "-DN=8"));
  EXPECT_THAT(words("CFLAGS = -DN=$(N) -I$(CUDA)/include\n"), IsEmpty());
  EXPECT_THAT(words("N = $(N)\nCFLAGS = -DN=$(N)\n"), IsEmpty());
  std::string many = "N0 = 1\n"; // 2 to the power of 40 references
  for (int k = 1; k <= 40; ++k) {
    const std::string one = "$(N" + std::to_string(k - 1) + ")";
    many += "N" + std::to_string(k) + " = " + one + one + "\n";
  }
  EXPECT_THAT(words(many + "CFLAGS = -DN=$(N40)\n"), IsEmpty());
  EXPECT_THAT(words("N = $(shell getconf PAGESIZE)\nCFLAGS = -DN=$(N)\n"),
              IsEmpty());
  EXPECT_THAT(words("N = 8\nN = 16\nCFLAGS = -DN=$(N)\n"), IsEmpty());
  EXPECT_THAT(words("N = 8\nifdef BIG\nN = 16\nendif\nCFLAGS = -DN=$(N)\n"),
              IsEmpty());
}

TEST_F(MakefileFlagsIn, AMacroThatSomeCompilesLackIsLeftOut) {
  EXPECT_THAT(words("CFLAGS = -DN=8\nifeq ($(DEBUG), yes)\n"
                    "  CFLAGS += -DDEBUG -g\nendif\n"),
              ElementsAre("-DN=8"));
  EXPECT_THAT(words("CFLAGS = -DN=8\nBIG = -DN=16\n"), IsEmpty());
  EXPECT_THAT(words("test: CFLAGS += -DTEST\n"), IsEmpty());
  EXPECT_THAT(words("all:\n\tnvcc -DN=8 a.cu\n\tnvcc -DN=8 -DB b.cu\n"),
              ElementsAre("-DN=8"));
  EXPECT_THAT(words("all:\n\tg++ -DSERIAL a.cpp\n"), IsEmpty());
  EXPECT_THAT(words("HIPFLAGS = -DUSE_HIP\nCXX_OMP = -DOMP\n"), IsEmpty());
  EXPECT_THAT(words("NVCC_COMPILE_FLAGS = -DN=8\n"), ElementsAre("-DN=8"));
}

TEST_F(MakefileFlagsIn, AConditionCountsWhereItsVariablesAreWritten) {
  const std::string choice = "GPU ?= NONE\n"
                             "ifeq ($(GPU),B200)\nCFLAGS += -DNEW\n"
                             "else ifeq ($(GPU), H100)\nCFLAGS += -DOLD\n"
                             "else\nCFLAGS += -DOTHER\nendif\n";
  EXPECT_THAT(words("GPU := H100\n" + choice), ElementsAre("-DOLD"));
  EXPECT_THAT(words(choice), ElementsAre("-DOTHER"));
  EXPECT_THAT(words("GPU = $(shell hostname)\n" + choice), IsEmpty());
  EXPECT_THAT(words("ifneq ($(findstring a,$(HOST)),a)\nGPU = H100\nendif\n" +
                    choice),
              IsEmpty());
  EXPECT_THAT(words("GPU = H100\nifeq ($(HOST),a)\n" + choice +
                    "endif\nendif\nelse\nCFLAGS += -DLAST\n"),
              ElementsAre("-DLAST"));
  // What an option asks for may not be there.
  EXPECT_THAT(words("MPI = 1\nifeq ($(MPI), 1)\nCFLAGS = -DMPI\nendif\n"
                    "ifdef MPI\nCFLAGS = -DMPI\nendif\n"),
              IsEmpty());
}

// NCCL's device code was read in part for want of -DNCCL_OS_LINUX.
TEST_F(MakefileFlagsIn, ItIsLinuxThatIsAskedFor) {
  auto added = [&](std::string before, const char *condition) {
    return words(before + condition + "\nCFLAGS = -DA\nendif\n");
  };
  EXPECT_THAT(added("IS_LINUX := 1\n", "ifeq ($(IS_LINUX), 1)"),
              ElementsAre("-DA"));
  EXPECT_THAT(added("IS_LINUX ?= 1\n", "ifneq ($(IS_LINUX), 1)"), IsEmpty());
  EXPECT_THAT(added("", "ifeq ($(shell uname -s),Linux)"), ElementsAre("-DA"));
  EXPECT_THAT(added("SYSTEM := $(shell uname 2>/dev/null)\n",
                    "ifneq ($(SYSTEM),Darwin)"),
              ElementsAre("-DA"));
  EXPECT_THAT(added("", "ifneq ($(OS),Windows_NT)"), ElementsAre("-DA"));
  EXPECT_THAT(added("", "ifeq ($(OS_WINDOWS),1)"), IsEmpty());
  EXPECT_THAT(added("", "ifneq ($(findstring Windows,$(OS)),)"), IsEmpty())
      << "a function that is not followed";
  EXPECT_THAT(added("OFFLINUX := 1\n", "ifeq ($(OFFLINUX), 1)"), IsEmpty());
}

TEST_F(MakefileFlagsIn, IncludedMakefilesAreRead) {
  folder.write("common.mk", "ifeq ($(KIND),a)\nCFLAGS += -std=c++20 -DA\n"
                            "endif\ninclude common.mk\n");
  folder.write("src/Makefile", "KIND := a\nSRC := k.cu\n"
                               "-include none.mk\ninclude ../common.mk\n");
  EXPECT_THAT(flagsOfMakefile(folder / "src", folder.path).words,
              ElementsAre("-std=c++20", "-DA"));
  // Beyond the project, or not known.
  EXPECT_THAT(flagsOfMakefile(folder / "src", folder / "src").words, IsEmpty());
  EXPECT_THAT(words("KIND = a\ninclude $(TOP)/common.mk\n"), IsEmpty());
}

// nvcc starts its own steps in a shell.
TEST_F(MakefileFlagsIn, WhatAShellWouldReadIsLeftOut) {
  for (const char *word :
       {"-DN='$(touch x)'", "-DN=`touch$IFSx`", "-DN=\"a\"", "-DN=1;true",
        "-DN(x)=x", "-D=1", "-DA&B", "-I$(shell touch x)", "-I/etc"})
    EXPECT_THAT(words("CFLAGS = " + std::string(word) + "\n"), IsEmpty())
        << word;
}

TEST_F(MakefileFlagsIn, TheNearestThatCompilesCudaCounts) {
  folder.write("Makefile", "CFLAGS = -DN=1\nall:\n\tnvcc a.cu\n");
  folder.write("docs/Makefile", "all:\n\tsphinx-build\n");
  folder.write("src/Makefile", "CFLAGS = -DN=2\nall:\n\tnvcc a.cu\n");
  folder.write("src/deep/a.cu", "");
  EXPECT_THAT(flagsOfMakefile(folder / "src/deep", folder.path).words,
              ElementsAre("-DN=2"));
  EXPECT_THAT(flagsOfMakefile(folder / "docs", folder.path).words,
              ElementsAre("-DN=1"));
  EXPECT_EQ(flagsOfMakefile(folder / "src/deep", folder / "src/deep").file, "");
}
