// Which PTX accesses stand for an access of the source.
#include "findings/in_ptx.h"
#include "model_builder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

/// A source whose only access, at line 20, loads four bytes.
struct InPtx : testing::Test {
  ModelBuilder source, ptx;
  ValueId base = ptx.object("a");
  std::optional<CostedKernel> ofSource, ofPtx;

  InPtx() {
    source.access(source.element(source.object("a"), source.thread(), 4), 4);
  }

  Access &ptxAccess(unsigned line, unsigned bytes = 4,
                    Operation operation = Operation::Load) {
    Access &access =
        ptx.access(ptx.element(base, ptx.thread(), 4), bytes, operation);
    access.place = {"/k.cu", line, 1};
    return access;
  }
  CompiledView view() {
    static const CompiledKernel compiled;
    ofSource.emplace(costed(source.kernel));
    ofPtx.emplace(costed(ptx.kernel));
    return {*ofSource, compiled, &*ofPtx};
  }
  std::vector<unsigned> matches() {
    std::vector<unsigned> found;
    for (const PtxMatch &match : inPtx(0, view(), Space::Global))
      found.push_back(match.access);
    return found;
  }
  Judgement judged(Judgement one = {Verdict::Refuted, "harmless"}) {
    return judgeInPtx({0}, view(), Space::Global,
                      [&](const PtxMatch &) { return one; });
  }
  unsigned most(std::vector<unsigned> accesses) const {
    return mostToOneAddress(ptx.kernel, {32, 1, 1}, accesses);
  }
};

} // namespace

TEST_F(InPtx, TheAccessOfItsOperationAtItsLineIsIt) {
  ptxAccess(20, 4, Operation::Store);
  ptxAccess(20);
  ptxAccess(21);
  EXPECT_THAT(matches(), testing::ElementsAre(1u));
}

// "at line 0" of a file is no place.
TEST_F(InPtx, AnAccessWithoutALineIsNamedWithoutOne) {
  ptxAccess(20);
  const CompiledView compiled = view();
  EXPECT_EQ(inWords({nullptr, 0, 20}, compiled),
            "the PTX load of 4 bytes at line 20");
  EXPECT_EQ(inWords({nullptr, 0, 0}, compiled), "the PTX load of 4 bytes");
}

// `a[x] * b[y]` has two loads at one line.
TEST_F(InPtx, AnotherVariableAtItsLineIsNotIt) {
  Access &wanted =
      source.access(source.element(source.object("a", Space::Shared, 128),
                                   source.thread(), 4),
                    4, Operation::Load, Space::Shared);
  wanted.place = {"/k.cu", 30, 5};
  for (const char *name : {"b", "a"}) {
    Access &access = ptx.access(
        ptx.element(ptx.object(name, Space::Shared, 128), ptx.thread(), 4), 4,
        Operation::Load, Space::Shared);
    access.place = {"/k.cu", 30, 1};
  }
  const std::vector<PtxMatch> found = inPtx(1, view(), Space::Shared);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].access, 1u);
}

// `odd ? a[2 * i] : a[i]` is one load at the line of the second: the first is
// not gone.
TEST_F(InPtx, OneAccessForBothWaysOfABranchLeavesEachUnjudged) {
  const ValueId odd = source.flag("odd");
  source.kernel.accesses[0].guard = odd;
  Access &other =
      source.access(source.element(source.object("a"), source.thread(), 4), 4);
  other.place = {"/k.cu", 21, 5};
  other.guard = source.graph.negated(odd);
  Access &merged = ptxAccess(21);
  EXPECT_EQ(judged().verdict, Verdict::Unjudged);
  merged.guard = ptx.graph.negated(ptx.flag("odd"));
  EXPECT_EQ(judged().verdict, Verdict::Refuted) << "the way itself is left";
}

// The load of an inlined function has the function's line, and is called from
// that of the source.
TEST_F(InPtx, AnInlinedAccessIsFoundByItsCall) {
  ptxAccess(7).callSites = {{"/k.cu", 20, 9}};
  EXPECT_THAT(matches(), testing::ElementsAre(0u));
}

// The compiler may give a load the line of its use. Then its width tells, but
// at a line where the source itself has such a load it is that one.
TEST_F(InPtx, AMovedAccessIsFoundByItsWidth) {
  ptxAccess(30);
  EXPECT_THAT(matches(), testing::ElementsAre(0u));
  ptx.kernel.accesses[0].bytes = 8;
  EXPECT_THAT(matches(), testing::IsEmpty());
  ptx.kernel.accesses[0].bytes = 4;
  source.access(source.kernel.accesses[0].address, 4).place.line = 30;
  EXPECT_THAT(matches(), testing::IsEmpty());
}

// nvcc gives inline assembly the line of its last input: that of another
// statement of this width would decide.
TEST_F(InPtx, AssemblyIsFoundOnAllItsLines) {
  source.kernel.accesses[0].lastLine = 24;
  ptxAccess(36);
  ptxAccess(23);
  EXPECT_THAT(matches(), testing::ElementsAre(1u));
}

TEST_F(InPtx, NothingLeftRefutesAndAnUnknownOneDoesNot) {
  EXPECT_EQ(judged().verdict, Verdict::Refuted);
  EXPECT_THAT(judged().evidence, HasSubstr("left no such access"));
  ptxAccess(20);
  EXPECT_EQ(judged().evidence, "harmless");
  EXPECT_EQ(judged({}).verdict, Verdict::Unjudged);
  EXPECT_EQ(judged({Verdict::Confirmed, "seen"}).evidence, "seen");
}

// "gone" would be a false refutation: a vector at another line holds it.
TEST_F(InPtx, AnAccessThatAVectorMayHoldIsNotGone) {
  ptxAccess(30, 16);
  EXPECT_EQ(judged().verdict, Verdict::Unjudged);
  EXPECT_THAT(judged().evidence, HasSubstr("joined"));
  ptx.kernel.accesses[0].operation = Operation::Store;
  EXPECT_EQ(judged().verdict, Verdict::Refuted);
}

TEST_F(InPtx, WithoutPtxThereIsNoVerdict) {
  CompiledView none = view();
  none.ptx = nullptr;
  EXPECT_EQ(judgeInPtx({0}, none, Space::Global,
                       [](const PtxMatch &) -> Judgement {
                         return {Verdict::Confirmed, ""};
                       })
                .verdict,
            Verdict::Unjudged);
}

// The rest of an unrolled loop: four loads of one address, one elsewhere.
TEST_F(InPtx, LoadsOfOneAddressAddUp) {
  for (int copy = 0; copy < 4; ++copy)
    ptxAccess(20);
  ptx.access(ptx.element(base, ptx.number(3), 4), 4);
  EXPECT_EQ(most({0, 1, 2, 3, 4}), 4u);
  ptx.kernel.accesses[0].operation = Operation::Store;
  EXPECT_EQ(most({0, 1, 2, 3, 4}), 3u);
}

// The compiler makes two versions of a loop, one of which runs.
TEST_F(InPtx, LoadsThatExcludeEachOtherDoNot) {
  const ValueId aliased = ptx.flag("aliased");
  for (unsigned version = 0; version < 2; ++version) {
    Access &access = ptxAccess(20);
    access.guard = version ? aliased : ptx.graph.negated(aliased);
    access.region = version;
  }
  EXPECT_EQ(most({0, 1}), 1u);
}
