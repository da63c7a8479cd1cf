// Sources that may have kernels and are not read are named: silence means
// clean.
#include "input/unread_sources.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(UnreadSources, KernelsAndLaunchersAreTwoSentences) {
  InputFolder folder;
  const std::string own = folder.write("own.cpp", "__global__ void k() {}\n");
  folder.write("each.h", "template <class F> __global__ void k(F f) { f(); }\n"
                         "template <class F> void each(F f) {\n"
                         "  k<<<1, 32>>>(f);\n}\n");
  const std::string user = folder.write(
      "user.cpp", "#include \"each.h\"\nvoid g() { each([] {}); }\n");
  IncludeGraph includes{Buffers()};
  EXPECT_TRUE(mayBeCuda(own, includes));
  EXPECT_TRUE(mayBeCuda(user, includes));
  EXPECT_FALSE(
      mayBeCuda(folder.write("host.cpp", "int main() {}\n"), includes));
  std::vector<std::string> notes;
  noteWithKernels({user, own}, includes, notes);
  EXPECT_THAT(
      notes,
      ElementsAre(HasSubstr("1 C++ source has kernels and is not read, since "
                            "no build compiles it as CUDA: '" +
                            own + "'"),
                  HasSubstr("1 C++ source includes a header that launches "
                            "kernels and is not read")));
}

TEST(UnreadSources, ThereIsNothingToSay) {
  IncludeGraph includes{Buffers()};
  std::vector<std::string> notes;
  noteWithKernels({}, includes, notes);
  noteUnclear({}, "types.h", notes);
  EXPECT_THAT(notes, IsEmpty());
}

TEST(UnreadSources, WhatAConfigurationSkipsIsTheReason) {
  TypedPath path;
  path.typed = "src";
  path.isFolder = true;
  path.skipped = 3;
  std::vector<std::string> notes;
  SourceDatabases databases(notes);
  EXPECT_EQ(emptySentence(path, databases),
            "no CUDA source under 'src' but what a configuration skips (3)");
}
