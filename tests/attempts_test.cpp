// Which flags a source is parsed with, and in which order.
#include "source/attempts.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

std::vector<Cure> cures(std::vector<std::string> command) {
  Translation translation;
  translation.architectures = {"sm_90"};
  translation.clang = {"-std=c++20"};
  std::vector<Cure> all;
  for (const Attempt &attempt :
       attemptsFor({"/k", "/k/a.cu", std::move(command)}, translation,
                   {"", "", "", 13, 0, 0}))
    all.push_back(attempt.what);
  return all;
}

} // namespace

// Code behind `#ifdef __clang__` of a source that Clang builds is the user's.
TEST(Attempts, TheCompilerThatBuildsTheSourceComesFirst) {
  const auto all =
      ElementsAre(Cure::Macros, Cure::GnuKeywords, Cure::HostTemplates,
                  Cure::Relocatable, Cure::Macros);
  EXPECT_THAT(cures({}), all);
  EXPECT_THAT(cures({"nvcc", "-c", "a.cu"}), all);
  EXPECT_THAT(cures({"clang++", "-c", "a.cu"}),
              ElementsAre(Cure::Macros, Cure::Macros, Cure::GnuKeywords,
                          Cure::HostTemplates, Cure::Relocatable));
}

TEST(Attempts, AGnuStandardIsThatOfTheSource) {
  Translation translation;
  translation.architectures = {"sm_90"};
  translation.clang = {"-DX", "-std=c++20"};
  const std::vector<Attempt> all =
      attemptsFor({"/k", "/k/a.cu", {}}, translation, {"", "", "", 13, 0, 0});
  EXPECT_THAT(all[0].flags, Contains(StartsWith("-D__CUDACC_VER_MAJOR__=13")));
  EXPECT_EQ(all[1].flags.back(), "-std=gnu++20");
  EXPECT_THAT(all.back().flags, IsEmpty());
}

TEST(Attempts, AnAttemptWithoutEffectIsNotMade) {
  ErrorKinds kinds;
  EXPECT_TRUE(mayCure(Cure::Macros, kinds, 1));
  for (Cure cure : {Cure::GnuKeywords, Cure::HostTemplates, Cure::Relocatable})
    EXPECT_FALSE(mayCure(cure, kinds, 1));
  kinds.gnuKeywords = kinds.beyondNames = kinds.relocatable = true;
  for (Cure cure : {Cure::GnuKeywords, Cure::HostTemplates, Cure::Relocatable})
    EXPECT_TRUE(mayCure(cure, kinds, 1));
  kinds.missingFiles = 2; // and no other error
  EXPECT_FALSE(mayCure(Cure::HostTemplates, kinds, 2));
  EXPECT_TRUE(mayCure(Cure::HostTemplates, kinds, 3));
  // It is missing without the macros, too.
  kinds = {};
  kinds.missingFiles = 1;
  EXPECT_TRUE(mayCure(Cure::Macros, kinds, 1));
  kinds.missingAnyway = 1;
  EXPECT_FALSE(mayCure(Cure::Macros, kinds, 1));
  EXPECT_TRUE(mayCure(Cure::Macros, kinds, 2));
  // So is a name, where no macro of nvcc's decides on code of the user's.
  kinds.usersNames = 1;
  EXPECT_TRUE(mayCure(Cure::Macros, kinds, 2));
  kinds.nvccDecides = false;
  EXPECT_FALSE(mayCure(Cure::Macros, kinds, 2));
  EXPECT_TRUE(mayCure(Cure::Macros, kinds, 3));
  kinds.usersNames = 0;
  // What the file would declare is unknown with any flags (a source of RAFT
  // without a header took 11 s for that, not 3).
  kinds.consequences = 1;
  for (Cure cure : {Cure::Macros, Cure::HostTemplates, Cure::Relocatable})
    EXPECT_FALSE(mayCure(cure, kinds, 2));
}

// A host function that Clang compiles for the device is none of nvcc's errors,
// but one that was there before is.
TEST(Attempts, ErrorsThatACureMakesAreDropped) {
  const ParseError made{"a.cu", 1, 2, "reference to __host__ function 'f'"},
      before{"a.cu", 3, 4, "reference to __host__ function 'g'"},
      other{"a.cu", 5, 6, "expected ';'"};
  EXPECT_TRUE(isUseOfHost(made));
  EXPECT_FALSE(isUseOfHost(other));
  std::vector<ParseError> errors{made, before, other};
  dropUsesOfHost(errors, before);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].line, 3u);
  EXPECT_EQ(errors[1].line, 5u);
}
