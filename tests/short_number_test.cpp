#include "base/short_number.h"
#include <gtest/gtest.h>

using warplint::shortNumber;

TEST(ShortNumber, HasAtMostTwoDecimalsAndNoZeroAtItsEnd) {
  EXPECT_EQ(shortNumber(16), "16");
  EXPECT_EQ(shortNumber(3.9375), "3.94");
  EXPECT_EQ(shortNumber(4.5), "4.5");
  EXPECT_EQ(shortNumber(100), "100");
  EXPECT_EQ(shortNumber(0.001), "0");
  EXPECT_EQ(shortNumber(999.25), "999.25");
  EXPECT_EQ(shortNumber(319089.62), "319090");
  EXPECT_EQ(shortNumber(1200), "1200");
}
