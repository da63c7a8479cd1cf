// The names of operations: a table in the order of an enumeration.
#include "model/computation.h"
#include <gtest/gtest.h>
#include <set>

using namespace warplint;

// An enumerator that is added in the middle would shift all names behind it.
TEST(ComputationWords, NameTheirEnumerators) {
  EXPECT_STREQ(spelling(Compute::Add), "add");
  EXPECT_STREQ(spelling(Compute::Fused), "fused");
  EXPECT_STREQ(spelling(Compute::Divide), "divide");
  EXPECT_STREQ(spelling(Compute::Compare), "compare");
  EXPECT_STREQ(spelling(Compute::Convert), "convert");
  EXPECT_STREQ(spelling(Compute::SquareRoot), "square root");
  EXPECT_STREQ(spelling(Compute::Power), "power");
  EXPECT_STREQ(spelling(Compute::Call), "call");
  EXPECT_STREQ(spelling(Compute::Join), "join");
  EXPECT_STREQ(spelling(Number::I1), "i1");
  EXPECT_STREQ(spelling(Number::I64), "i64");
  EXPECT_STREQ(spelling(Number::F16), "f16");
  EXPECT_STREQ(spelling(Number::F64), "f64");
  EXPECT_STREQ(spelling(Number::Other), "other");
}

TEST(ComputationWords, AreAllDifferent) {
  std::set<std::string> names;
  for (unsigned kind = 0; kind <= unsigned(Compute::Join); ++kind)
    EXPECT_TRUE(names.insert(spelling(Compute(kind))).second)
        << spelling(Compute(kind));
}
