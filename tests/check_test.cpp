// `warplint check`: which checks run, and on what. And the list of the checks,
// with what each gets and gives.
#include "cost/busiest_shape.h"
#include "findings/check.h"
#include "program_runs.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

TEST(CheckCommand, OneCheckCanRunAlone) {
  InputFolder folder;
  std::string source = folder.write("a.cu", strided);
  EXPECT_EQ(runProgram({"check", "--no-judge", "--check",
                        "repeated-global-write", source})
                .code,
            0);
  EXPECT_EQ(runProgram({"check", "--no-judge", "--check",
                        "repeated-global-write,strided-global-access", source})
                .code,
            1);
}

TEST(CheckCommand, AnEmptyFileHasNoKernels) {
  InputFolder folder;
  Outcome outcome = checkOnly(folder.write("empty.cu"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "no kernels in 1 source\n");
}

TEST(CheckCommand, AHeaderAloneIsLinted) {
  InputFolder folder;
  folder.write("stride.h", "#pragma once\nconstexpr int stride = 32;\n");
  const std::string header = folder.write(
      "k.cuh",
      "#pragma once\n#include \"stride.h\"\n"
      "__global__ void k(float *a) { a[threadIdx.x * stride] = 0; }\n");
  Outcome outcome = checkOnly(header);
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith(header + ":3:"),
                                 HasSubstr("[strided-global-access]")));
}

TEST(ListOfChecks, IsSortedAndFindsAllByTheirIds) {
  ASSERT_FALSE(checks().empty());
  for (size_t i = 1; i < checks().size(); ++i)
    EXPECT_LT(checks()[i - 1].info.id, checks()[i].info.id);
  for (const Check &check : checks())
    EXPECT_EQ(findCheck(check.info.id), &check);
  for (const char *own : {"useless-allow", "worse-kernel"}) {
    ASSERT_TRUE(findCheck(own)) << "'explain' and 'allow' know it";
    EXPECT_EQ(findCheck(own)->info.id, own);
  }
  EXPECT_EQ(findCheck("strided-global-acces"), nullptr);
}

// A finding without its kernel can be neither judged nor shown.
TEST(FindingsOfACheck, HaveTheCheckTheKernelAndTheSubject) {
  CheckInfo info{};
  info.id = "some-check";
  info.level = Level::Opinion;
  Kernel kernel;
  kernel.name = "k<4>";
  kernel.mangled = "_Z1kILi4EEvPf";
  kernel.place = {"/src/k.cu", 2, 1};
  std::vector<Finding> all;
  Findings(info, kernel, all)
      .add({"/src/k.cu", 7, 3}, {{"/src/k.cu", 5, 1}}, "it strides", 3);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].check, "some-check");
  EXPECT_EQ(all[0].level, Level::Opinion);
  EXPECT_EQ(all[0].place.line, 7u);
  EXPECT_EQ(all[0].callSites.size(), 1u);
  EXPECT_EQ(all[0].about, "it strides");
  ASSERT_EQ(all[0].kernels.size(), 1u);
  EXPECT_EQ(all[0].kernels[0].mangled, "_Z1kILi4EEvPf");
  EXPECT_EQ(all[0].kernels[0].subject, 3u);
  EXPECT_EQ(all[0].kernels[0].place.line, 2u);
}

// A kernel that two launches run is reported by the one that loses most.
TEST(FindingsOfACheck, AreOfTheShapeThatLosesMost) {
  Kernel kernel;
  kernel.shapes = {{{256, 1, 1}, ShapeSource::Launch, {}},
                   {{32, 8, 1}, ShapeSource::Launch, {}},
                   {{64, 1, 1}, ShapeSource::Launch, {}}};
  const CostedKernel all = costed(kernel, {}, 90);
  ASSERT_EQ(all.shapes.size(), 3u);
  EXPECT_EQ(worstShape(all,
                       [](const ShapeCosts &shape) {
                         return double(shape.shape.shape.y);
                       }),
            &all.shapes[1]);
  EXPECT_EQ(worstShape(all, [](const ShapeCosts &) { return 0.0; }), nullptr);
}

// `if (mode == 1)`, and the launch of mode 1 has a block that nobody knows: the
// finding was priced, with 0 %, in the one of mode 0.
TEST(FindingsOfACheck, KnowNothingOfCodeThatTheKnownBlockNeverExecutes) {
  Kernel kernel;
  kernel.shapes = {{{256, 1, 1}, ShapeSource::Launch, {}, {}},
                   {{256, 1, 1}, ShapeSource::Assumed, {}, {}}};
  const CostedKernel all = costed(kernel);
  auto worst = [&](double inKnown) {
    return worstShape(all,
                      [&](const ShapeCosts &shape) {
                        return 8 * (shape.shape.source == ShapeSource::Launch
                                        ? inKnown
                                        : 1000);
                      })
        ->shape.source;
  };
  EXPECT_EQ(worst(neverExecuted), ShapeSource::Assumed);
  EXPECT_EQ(worst(1), ShapeSource::Launch);
}

} // namespace
