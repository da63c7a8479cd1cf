#include "machine/register_report.h"
#include <gtest/gtest.h>

using namespace warplint;

// The share that has a name is what the report claims to explain.
TEST(RegisterReports, OnlyOwnersWithANameCountAsNamed) {
  RegisterReport report;
  report.live = 20;
  report.owners = {
      {.kind = RegisterKind::Variable, .name = "sum[8]", .registers = 8},
      {.kind = RegisterKind::Address, .name = "in", .registers = 4},
      {.kind = RegisterKind::Intermediate, .name = "", .registers = 5},
      {.kind = RegisterKind::Unnamed, .name = "R7", .registers = 3}};
  EXPECT_EQ(report.named(), 12u);
  EXPECT_EQ(RegisterReport().named(), 0u);
}

TEST(RegisterReports, KindsHaveTheWordsOfReports) {
  EXPECT_STREQ(spelling(RegisterKind::Counter), "loop counter");
  EXPECT_STREQ(spelling(RegisterKind::Load), "loaded value");
  EXPECT_STREQ(spelling(RegisterKind::Stack), "stack pointer");
  EXPECT_STREQ(spelling(RegisterKind::Unnamed), "unnamed");
}
