// Blocks of MDRangePolicy from Kokkos 5.1 on: the library chooses the tile in
// another way, and the index that runs fastest is along x. The stub has the
// declarations of that release.
#include "input_folder.h"
#include "kokkos.h"
#include "program.h"
#include "test_paths.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Returns what a command says of one dispatch over `policy`.
std::string said(const char *command, const std::string &policy,
                 const std::string &body, std::vector<std::string> flags = {}) {
  InputFolder folder;
  const std::string file = folder.write(
      "a.cu", "#include <Kokkos_Core.hpp>\n"
              "using namespace Kokkos;\n"
              "void run(long n, long m, long k, View<float **> left,\n"
              "         View<float **, LayoutRight> right,\n"
              "         View<float ***> cube) {\n"
              "  parallel_for(\"a\", " +
                  policy + ",\n      KOKKOS_LAMBDA(" + body + ");\n}\n");
  std::vector<std::string> words = {command, "--no-cache", "--no-config"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(),
               {file, "--", "-std=c++20", "-arch=sm_90",
                "-I" WARPLINT_SOURCE_DIR "/fixtures/kokkos/stub-5.1"});
  const Outcome outcome = runProgram(words);
  EXPECT_EQ(outcome.code & 2, 0) << outcome.out << outcome.err;
  return outcome.out;
}

const char *const writeLeft = "long i, long j) { left(i, j) = 1; }";
const char *const writeRight = "long i, long j) { right(i, j) = 1; }";

std::string accesses(const std::string &policy, const std::string &body) {
  return said("accesses", policy, body);
}

} // namespace

TEST(RecommendedTile, IsReadFromTheHeaders) {
  EXPECT_THAT(accesses("MDRangePolicy<Rank<2>>({0, 0}, {n, m})", writeLeft),
              AllOf(HasSubstr("blocks of 64x4x1"), HasSubstr("4 sectors")));
  EXPECT_THAT(accesses("MDRangePolicy<Rank<3>>({0, 0, 0}, {n, m, k})",
                       "long i, long j, long l) { cube(i, j, l) = 1; }"),
              AllOf(HasSubstr("blocks of 32x2x4"), HasSubstr("4 sectors")));
}

TEST(RecommendedTile, TheFastestIndexIsAlongX) {
  const std::string right =
      "MDRangePolicy<Rank<2, Iterate::Default, Iterate::Right>>({0, 0}, {n, "
      "m}";
  EXPECT_THAT(accesses(right + ")", writeRight),
              AllOf(HasSubstr("blocks of 64x4x1"), HasSubstr("4 sectors")));
  EXPECT_THAT(accesses(right + ")", writeLeft), HasSubstr("32 sectors"));
  EXPECT_THAT(accesses(right + ", {2, 32})", writeRight),
              HasSubstr("blocks of 32x2x1"));
}

TEST(RecommendedTile, FitsLaunchBoundsAndWhatIsGiven) {
  EXPECT_THAT(
      accesses("MDRangePolicy<Rank<2>, LaunchBounds<128>>({0, 0}, {n, m})",
               writeLeft),
      HasSubstr("blocks of 64x2x1"));
  EXPECT_THAT(
      accesses("MDRangePolicy<Rank<2>, LaunchBounds<32>>({0, 0}, {n, m})",
               writeLeft),
      HasSubstr("blocks of 32x1x1"));
  EXPECT_THAT(
      accesses("MDRangePolicy<Rank<2>>({0, 0}, {n, m}, {0, 2})", writeLeft),
      HasSubstr("blocks of 64x2x1"));
  EXPECT_THAT(
      accesses("MDRangePolicy<Rank<2>>({0, 0}, {n, m}, {256, 0})", writeLeft),
      HasSubstr("blocks of 256x2x1"));
}

// A tile of 256 threads is not what the check is about.
TEST(RecommendedTile, OnlyASmallTileOfTheUsersIsReported) {
  auto check = [](const std::string &policy) {
    return said("check", policy, writeLeft,
                {"--no-judge", "--minor", "--check", "tiled-range-policy"});
  };
  EXPECT_THAT(check("MDRangePolicy<Rank<2>>({0, 0}, {n, m})"),
              Not(HasSubstr("[tiled-range-policy]")));
  EXPECT_THAT(check("MDRangePolicy<Rank<2>>({0, 0}, {n, m}, {16, 2})"),
              HasSubstr("[tiled-range-policy]"));
}
