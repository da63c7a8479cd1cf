#include "cost/comparison_sides.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class ComparisonSidesTest : public testing::Test, protected ModelBuilder {
protected:
  ValueId of(const std::string &text) {
    return graph.opaque(text, 1, false, {argument("a"), argument("b")});
  }
};

TEST_F(ComparisonSidesTest, SayWhichIsLess) {
  const auto less =
      sidesOf(graph, is(Op::LessEqualSigned, argument("a"), argument("b")));
  ASSERT_TRUE(less);
  EXPECT_EQ(less->left, argument("a"));
  EXPECT_TRUE(less->isLess && !less->isGreater);
  // A float may be no number: "not less" says "greater, equal or neither".
  const auto notLess = sidesOf(graph, of("fcmp uge 32"));
  ASSERT_TRUE(notLess);
  EXPECT_TRUE(!notLess->isLess && notLess->isGreater);
}

TEST_F(ComparisonSidesTest, AnEqualityHasNoLessSide) {
  const auto equal = sidesOf(graph, is(Op::Equal, argument("a"), number(1)));
  ASSERT_TRUE(equal);
  EXPECT_TRUE(!equal->isLess && !equal->isGreater);
}

TEST_F(ComparisonSidesTest, WhatComparesNothingHasNone) {
  EXPECT_FALSE(sidesOf(graph, of("fcmp ord 32")));
  EXPECT_FALSE(sidesOf(graph, of("fadd 32")));
  EXPECT_FALSE(sidesOf(graph, add(argument("a"), number(1))));
}

TEST_F(ComparisonSidesTest, ConversionsKeepTheOrder) {
  const ValueId a = argument("a", 32);
  EXPECT_EQ(withoutConversions(graph, graph.make(Op::SignExtend, 64, {a}, 32)),
            a);
}

} // namespace
