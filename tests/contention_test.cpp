// How many threads meet at one address, of kernels by hand.
#include "cost/contention.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct Atomics : testing::Test {
  ModelBuilder b;
  ValueId out = b.object("out"), in = b.object("in");
  const KernelShape shape{{256, 1, 1}, ShapeSource::Assumed, {}};

  Contention at(ValueId index, ValueId guard) {
    Access &access = b.access(b.element(out, index, 4), 4, Operation::Atomic);
    access.guard = guard;
    return contention(b.kernel, shape, access);
  }
  Contention at(ValueId index) { return at(index, b.graph.always()); }

  /// The value that this thread loads from `in`.
  ValueId loaded(unsigned bits) {
    ValueId value =
        b.graph.loaded(b.element(in, b.thread(), bits / 8), "in[i]", bits,
                       /*pointer=*/false);
    return b.graph.make(Op::Resize, 64, {value});
  }
  /// The value of in[index].
  ValueId loadedAt(ValueId index) {
    const ValueId value = b.graph.loaded(b.element(in, index, 4), "in[...]", 32,
                                         /*pointer=*/false);
    return b.graph.make(Op::SignExtend, 64, {value});
  }
};

// The sum that every beginner writes.
TEST_F(Atomics, AtomicsOfAllLanesToOneAddressContend) {
  Contention seen = at(b.number(0));
  EXPECT_TRUE(seen.known);
  EXPECT_EQ(seen.share, 1);
  EXPECT_EQ(seen.lanesPerAddress(), 32);
  EXPECT_EQ(seen.perAddress, 256);
  EXPECT_TRUE(seen.sameInAllBlocks);
  EXPECT_EQ(seen.mostAddresses, 1u);
}

// Its cure must not be reported.
TEST_F(Atomics, AtomicsOfOneThreadDoNotContend) {
  Contention seen = at(b.number(0), b.is(Op::Equal, b.thread(), b.number(0)));
  EXPECT_EQ(seen.lanesPerAddress(), 1);
  EXPECT_EQ(seen.share, 1.0 / 256);
}

TEST_F(Atomics, AtomicsToAnAddressPerBlockContendWithinWarps) {
  ValueId block = b.graph.special(Op::BlockIndex, 0, 64);
  Contention seen = at(block);
  EXPECT_EQ(seen.lanesPerAddress(), 32);
  EXPECT_FALSE(seen.sameInAllBlocks);
  EXPECT_EQ(seen.mostAddresses, std::nullopt);
}

// The last step of a histogram with private bins.
TEST_F(Atomics, AtomicsToABinPerThreadDoNotContendInTheBlock) {
  Contention seen = at(b.thread());
  EXPECT_EQ(seen.perAddress, 1);
  EXPECT_EQ(seen.mostAddresses, 256u);
}

TEST_F(Atomics, AtomicsGuardedByDataAreMarked) {
  EXPECT_FALSE(at(b.number(0)).guardedByData);
  EXPECT_TRUE(
      at(b.number(0), b.is(Op::Equal, loaded(32), b.number(1))).guardedByData);
  // Known to nobody, but the same for all lanes.
  EXPECT_FALSE(at(b.number(0), b.flag("verbose")).guardedByData);
}

// 256 bins are few whatever the data are; 2^32 are not.
TEST_F(Atomics, IndexesFromDataReachAllValuesOfTheirType) {
  EXPECT_FALSE(at(loaded(8)).known);
  EXPECT_EQ(at(loaded(8)).mostAddresses, 256u);
  EXPECT_EQ(at(loaded(16)).mostAddresses, 65536u);
  EXPECT_GT(at(loaded(32)).mostAddresses.value_or(~0ull), 1u << 31);
}

// The merge of Kokkos Kernels' SpMV: threads begin at 'min(thread * chunk,
// length)', where a large chunk took all of them to one place.
TEST_F(Atomics, OneAddressByABoundIsUnknown) {
  const ValueId chunk = b.argument("chunk"), length = b.argument("length");
  const ValueId begin = b.add(b.thread(), b.times(chunk, 1 << 20));
  EXPECT_FALSE(at(b.make(Op::MinSigned, begin, length)).known);
  const ValueId isInside = b.is(Op::LessSigned, begin, length);
  EXPECT_FALSE(
      at(b.graph.make(Op::Join, 64,
                      {isInside, begin, b.graph.negated(isInside), length}))
          .known)
      << "as an 'if' writes it";
  EXPECT_TRUE(at(length).known);
  EXPECT_EQ(at(b.make(Op::MinSigned, chunk, length)).lanesPerAddress(), 32)
      << "whichever it is, all threads have it";
}

// 'min(15, int(x * 16))' is an index: it does not come below the array.
TEST_F(Atomics, AnIndexWithACapReachesFewAddresses) {
  const ValueId value = b.make(Op::MinSigned, b.number(15), b.varying("x"));
  EXPECT_EQ(at(value).mostAddresses, 16u);
  const ValueId both = b.make(Op::MaxSigned, b.number(4), value); // 4 to 15
  EXPECT_LE(at(both).mostAddresses, 17u);
  const ValueId open = b.make(Op::MaxSigned, b.number(0), b.varying("x"));
  EXPECT_GT(at(open).mostAddresses.value_or(1u << 30), 1u << 20);
}

TEST_F(Atomics, IndexesBoundedByArithmeticReachFewAddresses) {
  ValueId key = loaded(32);
  auto most = [&](ValueId index) { return at(index).mostAddresses; };
  EXPECT_EQ(most(b.make(Op::And, key, b.number(15))), 16u);
  EXPECT_EQ(most(b.make(Op::And, key, b.number(0x11))), 4u);
  EXPECT_EQ(most(b.make(Op::RemainderUnsigned, key, b.number(100))), 100u);
  EXPECT_EQ(
      most(b.make(Op::DivideSigned,
                  b.make(Op::Subtract, loaded(8), b.number(97)), b.number(4))),
      64u);
  EXPECT_EQ(
      most(b.make(Op::MinSigned,
                  b.make(Op::MaxSigned, b.make(Op::And, key, b.number(63)),
                         b.number(10)),
                  b.number(19))),
      10u);
  // Two such indexes together.
  ValueId nibble = b.make(Op::And, key, b.number(15));
  EXPECT_EQ(
      most(b.add(b.times(nibble, 4), b.make(Op::And, b.thread(), b.number(3)))),
      64u);
  // A base of each block makes as many as there are blocks.
  EXPECT_EQ(
      most(b.add(b.times(b.graph.special(Op::BlockIndex, 0, 64), 16), nibble)),
      std::nullopt);
}

// Rows of a sparse matrix, the Gaussians of a tile: whether a row is empty is
// not known, whatever the values are that stand for its bounds.
TEST_F(Atomics, LoopsBetweenLoadedBoundsAreEntered) {
  const ValueId block = b.graph.special(Op::BlockIndex, 0, 64);
  for (unsigned row = 0; row < 8; ++row) {
    const auto [loop, counter] =
        b.countedLoop(loadedAt(b.add(block, b.number(row))),
                      loadedAt(b.add(block, b.number(row + 1))), b.number(1));
    Access &access = b.access(b.element(out, counter, 4), 4, Operation::Atomic);
    access.loops = {loop};
    const Contention seen = contention(b.kernel, shape, access);
    EXPECT_EQ(seen.share, 1) << row;
    EXPECT_EQ(seen.lanesPerAddress(), 32) << row;
  }
}

// The rows of a warp's first and last index differ: the warp has several, and
// there is no one sum for it.
TEST_F(Atomics, WhereAWarpHasSeveralRowsItsLanesDoNotMeet) {
  const ValueId block = b.graph.special(Op::BlockIndex, 0, 64);
  const ValueId index = b.add(b.times(block, 256), b.thread());
  const ValueId length = b.argument("length");
  const auto row = [&](ValueId of) {
    return b.make(Op::DivideUnsigned, of, length);
  };
  const ValueId first =
      b.times(b.make(Op::DivideUnsigned, index, b.number(32)), 32);
  const ValueId last = b.add(first, b.number(31));
  const Contention same = at(row(index), b.is(Op::Equal, row(first), row(last)));
  EXPECT_EQ(same.lanesPerAddress(), 32);
  EXPECT_TRUE(same.ofLargeSizes);
  const Contention other =
      at(row(index), b.is(Op::NotEqual, row(first), row(last)));
  EXPECT_LT(other.lanesPerAddress(), 4);
  EXPECT_FALSE(at(b.number(0)).ofLargeSizes);
}

// 'sums[segment[i / 32]]' is not one address for the whole grid.
TEST_F(Atomics, AddressesThatDataSelectDifferByBlockAndWarp) {
  const ValueId block = b.graph.special(Op::BlockIndex, 0, 64);
  const ValueId warp = b.make(Op::DivideUnsigned, b.thread(), b.number(32));
  for (unsigned row = 0; row < 8; ++row)
    for (ValueId which : {block, b.add(b.times(block, 8), warp)}) {
      const Contention seen = at(loadedAt(b.add(which, b.number(row))));
      EXPECT_EQ(seen.lanesPerAddress(), 32) << row;
      EXPECT_FALSE(seen.sameInAllBlocks) << row;
    }
}

} // namespace
