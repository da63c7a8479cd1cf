// Tests that a build's report of ptxas gives a judgement without a second
// compile.
#include "machine/build_report.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(BuildReport, OnlyCompleteReportsWithoutSpillsJudge) {
  auto text = [](const char *architecture, const char *frame) {
    return "ptxas info    : Compiling entry function '_Z1kv' for '" +
           std::string(architecture) +
           "'\nptxas info    : Function properties for _Z1kv\n    " + frame +
           " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
           "ptxas info    : Used 10 registers, used 0 barriers\n";
  };
  auto judged = [](const std::string &text,
                   const std::vector<std::string> &architectures,
                   Asks asked = Asks::FrameLines) {
    return judgedByReport(text, architectures, asked);
  };
  auto both =
      judged(text("sm_80", "0") + text("sm_90", "0"), {"sm_80", "sm_90"});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->units.size(), 2u);
  EXPECT_EQ(both->units[1].kernels[0].usage.registers, 10u);
  EXPECT_TRUE(judged(text("sm_75", "0"), {}));
  EXPECT_FALSE(judged(text("sm_80", "0"), {"sm_80", "sm_90"}));
  EXPECT_FALSE(judged(text("sm_80", "16"), {"sm_80"}));
  EXPECT_FALSE(judged("", {}));
  EXPECT_FALSE(judged(text("sm_80", "0") + text("sm_90", "0"), {}));
  // The frame of a 'printf' says nothing of spills.
  EXPECT_TRUE(judged(text("sm_80", "16"), {"sm_80"}, Asks::SpillLines));
  EXPECT_FALSE(judged(text("sm_80", "0"), {"sm_80"}, Asks::PtxWithLines));
}
