#include "cost/joined_costs.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class JoinedCostsTest : public testing::Test, protected ModelBuilder {};

// `s[i] = x; if (s[i] <= eps) s[i] = 1;`: how many are that small, nobody
// knows.
TEST_F(JoinedCostsTest, LanesCorrectedToAConstantHaveNoFigure) {
  const ValueId address = element(object("s"), thread(), 4);
  const ValueId small = graph.loaded(address, "s[i]", 1, false);
  auto correct = [&](ValueId guard, bool isConstant) {
    Access &store = access(address, 4);
    store.operation = Operation::Store;
    store.guard = guard;
    store.storesSame = isConstant;
  };
  correct(small, true);
  EXPECT_EQ(cost().basis, Basis::Assumed); // there is nothing to correct
  access(address, 4).operation = Operation::Store;
  correct(small, false);
  EXPECT_EQ(cost().basis, Basis::Assumed); // a value of its own
  correct(small, true);
  EXPECT_EQ(cost().basis, Basis::Unknown);
  EXPECT_EQ(cost().why, "'s[i]', loaded from memory");
}

} // namespace
