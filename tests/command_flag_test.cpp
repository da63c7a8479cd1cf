#include "input/command_flag.h"
#include <gtest/gtest.h>

namespace warplint {
namespace {

using Words = std::vector<std::string>;

// A value that is taken for a source would be linted in its place.
TEST(CommandFlag, AFlagTakesItsValueAlong) {
  auto count = [](const Words &words) { return readFlag(words).words; };
  EXPECT_EQ(count({"-Xptxas", "-v", "a.cu"}), 2u);
  EXPECT_EQ(count({"--gpu-architecture", "sm_90"}), 2u);
  EXPECT_EQ(count({"-iquote", "include"}), 2u);
  EXPECT_EQ(count({"-arch=sm_90", "a.cu"}), 1u);
  EXPECT_EQ(count({"-lineinfo", "a.cu"}), 1u);
  EXPECT_EQ(count({"-err-no", "a.cu"}), 1u);
  EXPECT_EQ(count({"-o"}), 1u);
  EXPECT_EQ(count({"a.cu", "b.cu"}), 1u);
}

// Else an include folder of a build, or its optimisation, is lost.
TEST(CommandFlag, AValueMayFollowItsLetterOrAnEqualsSign) {
  const struct {
    Words words;
    llvm::StringRef name, value;
  } cases[] = {
      {{"-Iinclude"}, "I", "include"},
      {{"-I", "include"}, "I", "include"},
      {{"-DX=1"}, "D", "X=1"},
      {{"-O3"}, "O", "3"},
      {{"-ok.o"}, "o", "k.o"},
      {{"-t4"}, "t", "4"},
      {{"--std=c++20"}, "std", "c++20"},
      {{"-arch=sm_90"}, "arch", "sm_90"},
  };
  for (const auto &[words, name, value] : cases) {
    const CommandFlag flag = readFlag(words);
    EXPECT_EQ(flag.name, name);
    EXPECT_EQ(flag.value, value);
    EXPECT_TRUE(flag.hasValue);
  }
}

// "-lineinfo" is no library, and "-Ofast-compile" no level.
TEST(CommandFlag, ALongNameIsNoLetterWithAValue) {
  for (const Words &words : {Words{"-lineinfo"}, Words{"-link"}, Words{"-m64"},
                             Words{"-Ofast-compile"}}) {
    const CommandFlag flag = readFlag(words);
    EXPECT_EQ("-" + flag.name.str(), words.front());
    EXPECT_FALSE(flag.hasValue);
  }
  EXPECT_TRUE(readFlag({"a.cu"}).name.empty());
}

} // namespace
} // namespace warplint
