#include "cost/address_ranges.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class AddressRangesTest : public testing::Test, protected WarpBuilder {};

TEST_F(AddressRangesTest, AnAddressIdentifiesItsObject) {
  ValueId a = object("a"), s = object("s", Space::Shared, 1024);
  object("b");
  ValueId below = element(a, number(-1), 4), sBelow = element(s, number(-1), 4),
          inside = element(s, number(5), 4);
  Evaluation later(kernel);
  Warp other(later, {32, 1, 1}, 0, 0, 0);
  auto object = [&](ValueId address) {
    const Object *found = other.objectAt(other.evaluate(address, {}).value[0]);
    return found ? found->name : "";
  };
  EXPECT_EQ(object(a), "a");
  EXPECT_EQ(object(below), "a"); // a[i - 1] at the border is not of 'b'
  EXPECT_EQ(object(inside), "s");
  EXPECT_EQ(object(sBelow), "s");
  EXPECT_EQ(other.objectAt(0), nullptr);
}

// Two reads of `p->next` lie in one object, those of two lists in two.
TEST_F(AddressRangesTest, APointerThatIsLoadedTwiceIsOneObject) {
  object("list");
  AddressRanges ranges(kernel);
  const std::string name = "p->next";
  const uint64_t next = ranges.baseBehind(5, &name);
  EXPECT_EQ(ranges.baseBehind(5, nullptr), next);
  EXPECT_NE(rangeOf(ranges.baseBehind(6, &name)), rangeOf(next));
  ASSERT_NE(ranges.at(next + 64), nullptr);
  EXPECT_EQ(ranges.at(next + 64)->name, name);
  EXPECT_EQ(offsetInObject(next + 64), 64);
  EXPECT_EQ(ranges.at(ranges.baseOf(0))->name, "list");
}

} // namespace
