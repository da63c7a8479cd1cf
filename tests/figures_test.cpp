// The figures of source lines, made of kernels and of machine code.
#include "model_builder.h"
#include "report/figures.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

struct LineFigures : testing::Test {
  ModelBuilder b;
  ValueId a = b.object("a");

  Access &load(ValueId index, Space space = Space::Global) {
    const ValueId base = space == Space::Global ? a : b.object("t", space);
    return b.access(b.element(base, index, 4), 4, Operation::Load, space);
  }
  std::vector<Figure> figures() const { return figuresOf(costed(b.kernel)); }
};

LocalInstruction local(unsigned line, bool isStore, bool isSpill) {
  LocalInstruction one;
  one.file = "sub/../k.cu";
  one.line = line;
  one.isStore = isStore;
  one.isMarkedSpill = isSpill;
  return one;
}

Figure figure(unsigned line, std::string words, std::string kernel) {
  Figure one;
  one.place = {"/k.cu", line, 1};
  one.words = std::move(words);
  one.kernels = {std::move(kernel)};
  return one;
}

} // namespace

TEST_F(LineFigures, AnAccessHasItsSectorsBesideThoseThatSuffice) {
  load(b.times(b.thread(), 8));
  const auto all = figures();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].value, 32);
  EXPECT_EQ(all[0].ideal, 4);
  EXPECT_TRUE(all[0].isKnown);
  EXPECT_EQ(all[0].accessed, "a[i]");
  EXPECT_THAT(all[0].kernels, ElementsAre("k, blocks of 256x1x1"));
}

TEST_F(LineFigures, SharedMemoryHasWaysAndAnUnknownAddressHasNoFigure) {
  load(b.times(b.thread(), 32), Space::Shared);
  load(b.varying());
  const auto all = figures();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].value, 32);
  EXPECT_EQ(all[0].ideal, 1);
  EXPECT_FALSE(all[1].isKnown);
}

// The user can do nothing about a line of a library, and a value in a register
// costs no request.
TEST_F(LineFigures, LibrariesAndRegistersHaveNone) {
  load(b.thread()).inLibrary = true;
  load(b.thread()).need = Need::Never;
  EXPECT_TRUE(figures().empty());
}

TEST_F(LineFigures, SpillsAreToldFromOtherLocalInstructions) {
  CompiledKernel kernel;
  kernel.usage.architecture = "sm_90";
  kernel.locals = {local(7, false, true), local(7, false, false),
                   local(7, true, true), local(0, true, true)};
  const auto all = figuresOf(kernel, "k<4>", "/src");
  ASSERT_EQ(all.size(), 2u) << "what has no line has no figure";
  EXPECT_EQ(all[0].place.file, "/src/k.cu");
  EXPECT_EQ(all[0].words, "2 local loads, 1 of them for spilled registers");
  EXPECT_EQ(all[1].words, "1 local store, for spilled registers");
  EXPECT_THAT(all[1].kernels, ElementsAre("k<4> on sm_90"));
}

// A template of twenty instances would otherwise have twenty equal lines, and
// their order would depend on that of the sources.
TEST_F(LineFigures, EqualFiguresAreOneWithAllKernelsInAnyOrder) {
  const Figure one = figure(3, "4 sectors", "k<1>"),
               two = figure(3, "4 sectors", "k<2>"),
               other = figure(3, "8 sectors", "k<3>"),
               before = figure(2, "8 sectors", "k<3>");
  for (const auto &given : {std::vector{one, two, other, before, one},
                            std::vector{before, other, one, two, one}}) {
    const auto all = mergeFigures(given);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].place.line, 2u);
    EXPECT_THAT(all[1].kernels, ElementsAre("k<1>", "k<2>"));
    EXPECT_THAT(all[2].kernels, ElementsAre("k<3>"));
  }
}
