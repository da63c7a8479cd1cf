// Tests what is kept of a kernel once its findings are known.
#include "model/outline.h"
#include "model_builder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

struct Outline : testing::Test {
  ModelBuilder b;
  Outline() { b.kernel.place = {"/k.cu", 3, 17}; }
  std::vector<unsigned> linesIn(const std::string &file) const {
    const KernelOutline outline = outlineOf(b.kernel);
    auto found = outline.lines.find(file);
    return found == outline.lines.end() ? std::vector<unsigned>()
                                        : found->second;
  }
  Access &load(Place place, std::vector<Place> callSites = {}) {
    Access &access = b.access(b.element(b.object("a"), b.thread(), 4), 4);
    access.place = std::move(place);
    access.callSites = std::move(callSites);
    return access;
  }
};

} // namespace

TEST_F(Outline, NamesAndWhatWasNotFollowedStay) {
  b.kernel.name = "ns::k<4>";
  b.kernel.mangled = "_Z1k";
  b.kernel.notFollowed = {"recursion in 'f'"};
  const KernelOutline outline = outlineOf(b.kernel);
  EXPECT_EQ(outline.name, "ns::k<4>");
  EXPECT_EQ(outline.mangled, "_Z1k");
  EXPECT_EQ(outline.place.line, 3u);
  EXPECT_THAT(outline.notFollowed, ElementsAre("recursion in 'f'"));
}

// 'check --diff' keeps the findings of kernels whose lines changed: a line that
// is missing here hides one.
TEST_F(Outline, EachLineOfTheCodeIsThereOnceAndInOrder) {
  load({"/k.cu", 9, 5});
  load({"/k.cu", 5, 5});
  load({"/k.cu", 9, 11});
  EXPECT_THAT(linesIn("/k.cu"), ElementsAre(3u, 5u, 9u));
}

TEST_F(Outline, InlinedCodeCountsWithTheCallsToIt) {
  load({"/h.cuh", 40, 1}, {{"/k.cu", 7, 3}, {"/other.cuh", 12, 3}});
  load({"/k.cu", 4, 1});
  EXPECT_THAT(linesIn("/h.cuh"), ElementsAre(40u));
  EXPECT_THAT(linesIn("/other.cuh"), ElementsAre(12u));
  EXPECT_THAT(linesIn("/k.cu"), ElementsAre(3u, 4u, 7u));
}

TEST_F(Outline, LoopsBranchesArraysAndArithmeticHaveLines) {
  b.countedLoop(0, 4); // line 10
  b.kernel.branches.emplace_back().place = {"/k.cu", 20, 3};
  b.kernel.arrays.emplace_back().place = {"/k.cu", 5, 9};
  b.kernel.written.emplace_back().place = {"/k.cu", 30, 3};
  EXPECT_THAT(linesIn("/k.cu"), ElementsAre(3u, 5u, 10u, 20u, 30u));
}
