#include "cost/loaded_index.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class LoadedIndex : public testing::Test, protected ModelBuilder {
protected:
  ValueId a = object("a"), index = object("index");
  /// `index[i]`, another number in each lane.
  ValueId j = load(32);

  ValueId load(unsigned bits) {
    return graph.loaded(element(index, thread(), 8), "index[i]", bits, false);
  }
  ValueId wide(ValueId value) { return graph.make(Op::Resize, 64, {value}); }
  std::vector<ValueId> of(ValueId i, uint64_t size = 4) {
    LoadedIndexes indexes(kernel, {32, 1, 1});
    return indexes.of(element(a, i, size), 256);
  }
  using Values = std::vector<ValueId>;
};

TEST_F(LoadedIndex, AGatherNamesItsLoadedIndex) {
  EXPECT_EQ(of(wide(j)), Values{j});
  EXPECT_EQ(of(add(times(wide(j), 12), thread())), Values{j});
  EXPECT_EQ(of(make(Op::RemainderUnsigned, wide(j), argument("n"))), Values{j});
}

TEST_F(LoadedIndex, UniformLoadsScatterNothing) {
  ValueId row = graph.loaded(element(index, number(5), 8), "row", 32, false);
  EXPECT_TRUE(of(add(wide(row), thread())).empty());
  EXPECT_TRUE(of(add(argument("n"), thread())).empty());
}

// Data decide which way it goes, but both ways are near.
TEST_F(LoadedIndex, AConditionMovesNoAddress) {
  ValueId test = is(Op::NotEqual, j, graph.constant(0, 32));
  ValueId left = make(Op::Subtract, thread(), number(1));
  EXPECT_TRUE(
      of(graph.make(Op::Select, 64, {test, left, add(thread(), number(1))}))
          .empty());
  EXPECT_EQ(of(graph.make(Op::Select, 64, {test, left, wide(j)})), Values{j});
}

TEST_F(LoadedIndex, ASmallTableScattersNothing) {
  ValueId masked = make(Op::And, wide(j), number(15));
  EXPECT_TRUE(of(masked).empty());
  EXPECT_FALSE(of(masked, 64).empty()) << "elements of 64 bytes";
  EXPECT_TRUE(of(make(Op::RemainderUnsigned, wide(j), number(10))).empty());
  EXPECT_TRUE(of(make(Op::MinSigned, wide(j), number(10))).empty());
  EXPECT_TRUE(of(make(Op::MaxSigned, make(Op::MinSigned, wide(j), number(10)),
                      number(0)))
                  .empty());
  ValueId byte = wide(load(8));
  EXPECT_TRUE(of(byte, 1).empty());
  EXPECT_FALSE(of(byte, 4).empty());
  EXPECT_TRUE(of(make(Op::ShiftRightUnsigned, byte, number(4))).empty());
  EXPECT_TRUE(of(wide(is(Op::NotEqual, j, graph.constant(0, 32)))).empty());
}

// for (k = begin[i]; ...; ++k) a[k], and what an iteration makes of the k to
// come.
TEST_F(LoadedIndex, ACounterThatStartsFromDataScatters) {
  Counted k = countedLoop(wide(j), argument("n"), number(1));
  EXPECT_EQ(of(k.counter), Values{j});
  EXPECT_EQ(of(graph.operand(k.counter, 1)), Values{j});
  Counted plain = countedLoop(0, 10);
  EXPECT_TRUE(of(plain.counter).empty());
}

// at += step[i]: near at first, and further off in each iteration.
TEST_F(LoadedIndex, LoadedStepsAddUp) {
  LoopId loop = countedLoop(0, 10).loop;
  ValueId at = graph.carried(loop, 64, false);
  graph.setCarried(at, thread(), add(at, make(Op::And, wide(j), number(1))));
  EXPECT_EQ(of(at), Values{j});
}

TEST_F(LoadedIndex, ThreadPrivateMemoryKeepsStoredValues) {
  ValueId own = object("own", Space::Local);
  EXPECT_TRUE(
      of(graph.loaded(element(own, thread(), 8), "own[k]", 64, false)).empty());
  ValueId size = number(8);
  EXPECT_EQ(of(graph.make(Op::Forwarded, 64, {own, own, wide(j), size}, 8)),
            Values{j});
}

} // namespace
