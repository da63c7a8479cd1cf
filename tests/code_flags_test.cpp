// The flags that affect the machine code: kernels are compared by them.
#include "machine/code_flags.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(CodeFlags, AreThoseThatAffectTheMachineCode) {
  EXPECT_EQ(codeFlags({"nvcc",
                       "-O3",
                       "-Iinclude",
                       "-I",
                       "more",
                       "-DN=4",
                       "-D",
                       "M",
                       "--use_fast_math",
                       "-maxrregcount",
                       "64",
                       "-Xcompiler",
                       "-Wall",
                       "-Xptxas",
                       "-v",
                       "-Xptxas",
                       "-dlcm=cg",
                       "-std=c++17",
                       "-fmad=false",
                       "a.cu"}),
            "-O3 -DN=4 -D=M --use_fast_math -maxrregcount=64 -Xptxas=-dlcm=cg "
            "-fmad=false");
  EXPECT_EQ(codeFlags({"nvcc"}), "");
  EXPECT_EQ(codeFlags({"nvcc", "-maxrregcount"}), "-maxrregcount");
}
