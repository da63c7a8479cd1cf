// Which library headers of a project's sources are precompiled together.
#include "os/scratch.h"
#include "source/shared_libraries.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

constexpr uint64_t large = 1 << 22, small = 1 << 10;

class SharedLibrariesTest : public testing::Test {
protected:
  /// As the process that reads another source sees them.
  SharedLibraries shared(llvm::StringRef flags = "-O2") const {
    return SharedLibraries(kept, Key(flags));
  }

  Scratch scratch = llvm::cantFail(Scratch::create());
  const Store kept{scratch.path("kept")};
};

TEST_F(SharedLibrariesTest, WhatTwoSourcesReadOfALibraryIsWorthMaking) {
  EXPECT_THAT(shared().worthMaking({"thrust/sort.h"}, {}), IsEmpty());
  shared().wereRead({{"thrust/fill.h", large},
                     {"thrust/sort.h", small},
                     {"cub/cub.cuh", large}});
  // Each header of a library reads much of what the others read; but a set with
  // another library is nothing for this source, and what is small is read
  // again.
  EXPECT_THAT(shared().worthMaking({"thrust/scan.h", "own.h"}, {}),
              ElementsAre("thrust/fill.h"));
  EXPECT_THAT(shared().worthMaking({"cub/cub.cuh", "thrust/scan.h"}, {}),
              ElementsAre("thrust/fill.h", "cub/cub.cuh"));
  EXPECT_THAT(shared().worthMaking({"own.h"}, {}), IsEmpty());
  EXPECT_THAT(shared("-O3").worthMaking({"thrust/scan.h"}, {}), IsEmpty());
}

TEST_F(SharedLibrariesTest, WhatIsMadeIsNotMadeAgain) {
  shared().wereRead({{"a/a.h", large}, {"b.h", large}});
  EXPECT_THAT(shared().worthMaking({"a/a.h", "b.h"}, {"a/a.h"}),
              ElementsAre("b.h"));
  EXPECT_THAT(shared().worthMaking({"a/c.h"}, {"a/a.h"}), IsEmpty());
}

TEST_F(SharedLibrariesTest, SmallHeadersAreReadAgain) {
  shared().wereRead({{"sort.h", small}});
  EXPECT_THAT(shared().worthMaking({"sort.h"}, {}), IsEmpty());
}

TEST_F(SharedLibrariesTest, TheSourceThatHasMostInCommonCounts) {
  shared().wereRead({{"sort.h", large}, {"fill.h", large}});
  shared().wereRead({{"sort.h", large}, {"copy.h", large}, {"scan.h", large}});
  shared().wereRead({{"other.h", large}});
  EXPECT_THAT(shared().worthMaking({"scan.h", "fill.h", "copy.h"}, {}),
              ElementsAre("copy.h", "scan.h"));
}

// Names of a library that the source does not use may conflict with its own.
TEST_F(SharedLibrariesTest, ASetServesSourcesThatUseItsLibraries) {
  shared().want({"thrust/sort.h"});
  shared().want({"thrust/sort.h", "cub/cub.cuh"});
  shared().want({"thrust/sort.h", "gtest/gtest.h"});
  EXPECT_THAT(shared().setsOf({"cub/block/block_load.cuh", "thrust/fill.h"}),
              ElementsAre(ElementsAre("thrust/sort.h", "cub/cub.cuh"),
                          ElementsAre("thrust/sort.h")));
  EXPECT_THAT(shared().setsOf({"fill.h"}), IsEmpty());
}

TEST_F(SharedLibrariesTest, NamesAreDirectivesAndBack) {
  const HeaderNames names = {"cub/cub.cuh", "queue"};
  EXPECT_EQ(directivesOf(names), "#include <cub/cub.cuh>\n#include <queue>\n");
  EXPECT_EQ(namesOf(directivesOf(names)), names);
  EXPECT_THAT(namesOf(""), IsEmpty());
}

TEST_F(SharedLibrariesTest, ThereIsAnEndToTheirNumber) {
  shared().wereRead({{"sort.h", large}});
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_THAT(shared().worthMaking({"sort.h"}, {}), ElementsAre("sort.h"));
    shared().want({"set" + std::to_string(i)});
  }
  EXPECT_THAT(shared().worthMaking({"sort.h"}, {}), IsEmpty());
}

TEST_F(SharedLibrariesTest, WithoutAFolderNothingIsKnown) {
  const Store nowhere;
  SharedLibraries(nowhere, Key("-O2")).wereRead({{"sort.h", large}});
  EXPECT_THAT(SharedLibraries(nowhere, Key("-O2")).worthMaking({"sort.h"}, {}),
              IsEmpty());
}

} // namespace
