#include "cost/same_address.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class SameAddressTest : public testing::Test, protected ModelBuilder {};

TEST_F(SameAddressTest, DetectsOneAddressForAllWarps) {
  auto [loop, k] = countedLoop(number(0), argument("n"), number(1));
  ValueId a = object("a"), block = graph.special(Op::BlockIndex, 0, 64);
  ValueId warp = make(Op::DivideUnsigned, thread(), number(32));
  auto same = [&](ValueId index) {
    Access &load = access(element(a, index, 4), 4);
    load.loops = {loop};
    return sameAddressForAll(kernel, {256, 1, 1}, load);
  };
  EXPECT_TRUE(same(k));
  EXPECT_TRUE(same(argument("m")));
  EXPECT_FALSE(same(add(k, thread())));
  EXPECT_FALSE(same(add(k, warp)));
  EXPECT_FALSE(same(add(k, block)));
  EXPECT_FALSE(same(varying()));
}

TEST_F(SameAddressTest, DetectsLoopInvariantAddresses) {
  auto [loop, k] = countedLoop(number(0), argument("n"), number(1));
  ValueId a = object("a");
  auto same = [&](ValueId index) {
    Access &store = access(element(a, index, 4), 4, Operation::Store);
    store.loops = {loop};
    return sameAddressNextIteration(kernel, {32, 1, 1}, store, loop);
  };
  EXPECT_EQ(same(thread()), true);
  EXPECT_EQ(same(add(thread(), k)), false);
  EXPECT_EQ(same(make(Op::RemainderUnsigned, add(thread(), times(k, 32)),
                      number(32))),
            true);
  EXPECT_EQ(same(varying()), std::nullopt);
}

// `tile` is a ticket that each iteration draws anew: not the same element each
// time.
TEST_F(SameAddressTest, AnIndexWrittenInTheLoopIsUnknown) {
  auto [loop, k] = countedLoop(number(0), argument("n"), number(1));
  ValueId tile = object("tile", Space::Shared, 4), a = object("a");
  ValueId ticket = graph.loaded(tile, "tile", 64, false);
  access(tile, 4, Operation::Store, Space::Shared);
  Access store = access(element(a, ticket, 4), 4, Operation::Store);
  store.loops = {loop};
  EXPECT_EQ(sameAddressNextIteration(kernel, {32, 1, 1}, store, loop), true)
      << "written before the loop alone";
  kernel.accesses.front().loops = {loop};
  EXPECT_EQ(sameAddressNextIteration(kernel, {32, 1, 1}, store, loop),
            std::nullopt);
}

// 'nz += blockDim.x / width * gridDim.x': the values that stand for sizes make
// it 0, and a loop with that step would never end.
TEST_F(SameAddressTest, ACounterThatOnlyProbeValuesHaltMoves) {
  const ValueId none = make(Op::DivideUnsigned, argument("w"), number(1 << 20));
  const ValueId less = make(Op::MaxSigned, number(0),
                            make(Op::Subtract, number(64), argument("w")));
  const ValueId groups = make(Op::DivideUnsigned, number(256), argument("w"));
  const ValueId a = object("a");
  for (ValueId step : {none, less, groups}) {
    auto [loop, k] = countedLoop(number(0), argument("n"), step);
    Access &store = access(element(a, k, 4), 4, Operation::Store);
    store.loops = {loop};
    EXPECT_NE(sameAddressNextIteration(kernel, {256, 1, 1}, store, loop), true);
  }
}

// 'i > w ? i : 0' is 0 in the first iteration on both sides.
TEST_F(SameAddressTest, AChoiceThatIsEqualInOneIterationMayDiffer) {
  auto [loop, k] = countedLoop(number(0), argument("n"), number(1));
  const ValueId chosen = graph.make(
      Op::Select, 64, {is(Op::LessSigned, argument("w"), k), k, number(0)});
  Access &store = access(element(object("a"), chosen, 4), 4, Operation::Store);
  store.loops = {loop};
  EXPECT_NE(sameAddressNextIteration(kernel, {256, 1, 1}, store, loop), true);
}

} // namespace
