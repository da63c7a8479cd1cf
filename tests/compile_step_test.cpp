// A build's command to what is linted of it, and its report to a judgement.
#include "input/compile_step.h"
#include "machine/build_report.h"
#include <gtest/gtest.h>

namespace warplint {
namespace {

TEST(CompileStep, CompilesAreToldFromOtherCommands) {
  auto step = [](std::vector<std::string> words) {
    return compileStep(words, "/w");
  };
  auto object = [&](std::vector<std::string> words) {
    auto found = step(std::move(words));
    return found ? found->object : "";
  };
  EXPECT_EQ(object({"nvcc", "-c", "s/a.cu"}), "/w/a.o");
  EXPECT_EQ(object({"nvcc", "-dc", "s/a.cu", "-odir", "out"}), "/w/out/a.o");
  EXPECT_EQ(object({"nvcc", "-c", "a.cu", "-ox.o"}), "/w/x.o");
  EXPECT_EQ(object({"nvcc", "-c", "a.cu", "--output-file=/x.o"}), "/x.o");
  EXPECT_EQ(object({"ccache", "nvcc", "-MD", "-MT", "t.cu", "-MF", "m.cu", "-x",
                    "cu", "-c", "a.cpp", "-o", "a.o"}),
            "/w/a.o");
  EXPECT_EQ(object({"clang++", "-x", "cuda", "-c", "a.cpp"}), "/w/a.o");
  EXPECT_EQ(object({"nvcc_wrapper", "-c", "a.cpp"}), "/w/a.o");
  EXPECT_EQ(object({"g++", "-c", "a.cpp"}), "");
  EXPECT_EQ(object({"nvcc", "-c", "a.cu", "b.cu"}), "");
  EXPECT_EQ(object({"nvcc", "a.cu"}), "");
  EXPECT_EQ(object({"nvcc", "--device-link", "-c", "a.cu"}), "");
  EXPECT_EQ(object({}), "");
  EXPECT_TRUE(step({"nvcc", "-c", "a.cu"})->takesReportFlag);
  EXPECT_FALSE(step({"clang++", "-c", "a.cu"})->takesReportFlag);
  EXPECT_FALSE(step({"kokkos_launch_compiler", "nvcc_wrapper", "g++", "g++",
                     "-c", "a.cu"})
                   ->takesReportFlag);
}

TEST(Reported, OnlyCompleteReportsWithoutSpillsJudge) {
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

} // namespace
} // namespace warplint
