// Values that depend on data in memory: what only a run knows is no certain
// finding, and what the arguments say is no gather.
#include "cost/loaded_data.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class LoadedData : public testing::Test, protected ModelBuilder {
protected:
  ValueId loaded(ValueId base, ValueId index) {
    return graph.loaded(element(base, index, 4), "col[j]", 64, false);
  }
  bool depends(ValueId value) { return dependsOnLoadedData(kernel, value); }

  ValueId col = object("col");
};

} // namespace

TEST_F(LoadedData, AnIndexFromMemoryDoes) {
  EXPECT_TRUE(depends(loaded(col, thread())));
  EXPECT_TRUE(depends(add(times(loaded(col, number(0)), 8), thread())));
  EXPECT_FALSE(depends(add(thread(), argument("n"))));
  EXPECT_FALSE(depends(varying()));
}

TEST_F(LoadedData, ArgumentsAndConstantMemoryAreNoData) {
  EXPECT_FALSE(depends(loaded(object("rows", Space::Parameter), number(2))));
  EXPECT_FALSE(depends(loaded(object("table", Space::Constant), thread())));
}

// The data behind an argument are no argument.
TEST_F(LoadedData, MemoryBehindAPointerInAnArgumentIsData) {
  const ValueId pointer =
      graph.loaded(element(object("rows", Space::Parameter), number(0), 8),
                   "rows.data", 64, true);
  EXPECT_TRUE(depends(loaded(pointer, thread())));
}

TEST_F(LoadedData, AnAtomicReturnsData) {
  EXPECT_TRUE(depends(varying("the result of an atomic")));
}

TEST_F(LoadedData, TheIterationsOfALoopMayDependOnIt) {
  auto [loop, k] = countedLoop(number(0), loaded(col, number(7)), number(1));
  EXPECT_FALSE(depends(k));
  EXPECT_TRUE(depends(final(k, loop)));
}

TEST_F(LoadedData, OnlyDataThatAnIterationLoadsAreItsOwn) {
  auto [loop, k] = countedLoop(number(0), argument("n"), number(1));
  EXPECT_TRUE(dependsOnDataOfIteration(kernel, loaded(col, k), loop));
  EXPECT_FALSE(dependsOnDataOfIteration(kernel, loaded(col, thread()), loop));
}

// `while (list[k] != end)` decides how many iterations there are, not which of
// them execute the access.
TEST_F(LoadedData, DataSelectAnAccessUnlessTheyEndTheLoop) {
  auto [loop, k] = countedLoop(number(0), argument("n"), number(1));
  const ValueId isWanted = is(Op::Equal, loaded(col, k), number(3));
  Access &store = access(element(col, k, 4), 4, Operation::Store);
  store.loops = {loop};
  EXPECT_FALSE(isSelectedByData(kernel, store, loop));
  store.guard = isWanted;
  EXPECT_TRUE(isSelectedByData(kernel, store, loop));
  kernel.loops[loop].continues = isWanted;
  EXPECT_FALSE(isSelectedByData(kernel, store, loop));
}
