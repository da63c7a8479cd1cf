#include "base/plural.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(Plural, CountsAsEnglishDoes) {
  EXPECT_EQ(counted(0, "kernel"), "0 kernels");
  EXPECT_EQ(counted(1, "kernel"), "1 kernel");
  EXPECT_EQ(counted(2, "kernel"), "2 kernels");
  EXPECT_EQ(counted(1, "address"), "1 address");
  EXPECT_EQ(counted(32, "address"), "32 addresses");
  EXPECT_EQ(plural(false, "local store"), "local stores");
}
