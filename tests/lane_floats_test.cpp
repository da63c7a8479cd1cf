#include "cost/lane_floats.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class LaneFloatsTest : public testing::Test, protected WarpBuilder {};

// `a[(int)(i * 0.5f)]` has an index that is known. A quotient by a size that
// is not would be as good as any.
TEST_F(LaneFloatsTest, FloatsOfKnownNumbersAreKnown) {
  auto real = [&](const char *text, std::vector<ValueId> operands) {
    return graph.opaque(text, 0, false, operands);
  };
  const ValueId i = real("sitofp 32", {thread()}),
                half = graph.constant(0x3fe0000000000000, 0);
  auto index = [&](ValueId product) {
    return lanes(graph.opaque("fptosi 32", 32, false, {product}));
  };
  const LaneValues known = index(real("fmul 32", {i, half}));
  EXPECT_EQ(known.unknown, 0u);
  EXPECT_FALSE(known.assumed);
  EXPECT_EQ(known.value[31], 15u);
  EXPECT_EQ(index(real("__nv_floorf", {i})).value[7], 7u);
  const ValueId size = real("sitofp 32", {argument("n")});
  EXPECT_EQ(index(real("fdiv 32", {i, size})).unknown, ~0u);
  EXPECT_EQ(index(real("fmul 32", {i, argument("scale", 0)})).unknown, ~0u);
}

// The cells of two positions were both cell 0, or one and the same: warps
// shared in L1 what each loads for itself, and a gridding took 0.44 of its
// time.
TEST_F(LaneFloatsTest, PositionsFromOtherAddressesAreInOtherCells) {
  auto cell = [&](uint64_t element, bool isOfPair) {
    const ValueId at =
        graph.make(Op::Add, 64, {argument("p"), number(element)});
    const ValueId x = isOfPair
                          ? graph.opaque("frombits 32", 0, false,
                                         {graph.loaded(at, "p[i]", 32, false)})
                          : graph.loaded(at, "p[i]", 0, false);
    const LaneValues found = lanes(graph.opaque(
        "fptosi 32", 32, false, {graph.opaque("__nv_floorf", 0, false, {x})}));
    EXPECT_EQ(found.unknown, 0u);
    EXPECT_TRUE(found.assumed);
    return found.value[0];
  };
  for (bool isOfPair : {false, true}) {
    EXPECT_EQ(cell(8, isOfPair), cell(8, isOfPair));
    EXPECT_NE(cell(8, isOfPair), cell(16, isOfPair));
  }
}

// What follows an unknown operand is not evaluated.
TEST_F(LaneFloatsTest, AnUnknownOperandEndsTheOperation) {
  const ValueId product =
      graph.opaque("fmul 32", 0, false, {varying(), number(1)});
  unsigned asked = 0;
  EXPECT_FALSE(floatValues(graph, product, [&](ValueId) -> const LaneValues & {
    static const LaneValues unknown = LaneValues::varying(0);
    ++asked;
    return unknown;
  }));
  EXPECT_EQ(asked, 1u);
}

} // namespace
