#include "findings/finding.h"
#include <gtest/gtest.h>

using namespace warplint;

static Finding judged(std::initializer_list<Verdict> verdicts) {
  Finding finding;
  for (Verdict verdict : verdicts)
    finding.kernels.push_back({"k", "_Z1kv", "sm_90", {verdict, ""}});
  return finding;
}

// A template that is slow in one instance only must not be hidden by the
// others.
TEST(Finding, IsConfirmedIfAnyInstanceIs) {
  EXPECT_EQ(judged({Verdict::Refuted, Verdict::Confirmed}).verdict(),
            Verdict::Confirmed);
}

TEST(Finding, IsRefutedOnlyIfEveryInstanceIs) {
  EXPECT_EQ(judged({Verdict::Refuted, Verdict::Refuted}).verdict(),
            Verdict::Refuted);
  EXPECT_EQ(judged({Verdict::Refuted, Verdict::Unjudged}).verdict(),
            Verdict::Unjudged);
  EXPECT_EQ(judged({}).verdict(), Verdict::Unjudged);
}
