// What statements, and the functions that they call, may change in an object.
#include "launch_after.h"

namespace warplint {

// A callee's assignment came behind that of the function which calls it.
TEST(ChangedParts, AGlobalIsUnknownBehindACallThatMayChangeIt) {
  const std::string launch = " k<<<1, 64>>>(p, m);";
  EXPECT_EQ(after("m = 1; set();" + launch, "int m; void set() { m = 3; }"),
            "64(?,?)");
  EXPECT_EQ(after("m = 1; ask();" + launch, "int m;"), "64(?,?)");
  EXPECT_EQ(after("m = 1; look();" + launch, "int m; int look() { return m; }"),
            "64(?,1)");
  EXPECT_EQ(after("m = 1;" + launch + " ask();", "static int m;"), "64(?,1)");
  EXPECT_EQ(after(launch, "static int m = 1; int *at() { return &m; }"),
            "64(?,?)");
}

// The member that the function itself changes hid what it calls.
TEST(ChangedParts, AFunctionThatNobodySeesChangesTheOtherMembersToo) {
  const std::string before =
      "struct { int n, other; } all; "
      "void step() { all.other = 2; ask(); } void set() { all.other = 2; } ";
  EXPECT_EQ(after("all.n = 1; step(); k<<<1, 64>>>(p, all.n);", before),
            "64(?,?)");
  EXPECT_EQ(after("all.n = 1; set(); k<<<1, 64>>>(p, all.n);", before),
            "64(?,1)");
}

TEST(ChangedParts, BehindALabelAChangedValueIsUnknown) {
  EXPECT_EQ(after("again: k<<<1, 64>>>(p, n); n = 3; if (ask()) goto again;"),
            "64(?,?)");
  EXPECT_EQ(launchAfter("if (ask()) goto out; n = 3; out:"), "64(?,?)");
  EXPECT_EQ(after("if (ask()) goto out; n = 3; k<<<1, 64>>>(p, n); out:;"),
            "64(?,3)");
  EXPECT_EQ(launchAfter("again: if (ask()) goto again;"), "64(?,1)");
}

} // namespace warplint
