// Tests what all sources gave to one report: what was not read must be in it.
#include "gather.h"
#include "input_folder.h"
#include "run/outcome.h"
#include "llvm/Support/Program.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

SourceOutcome source(std::string file, unsigned kernels = 1) {
  SourceOutcome one;
  one.source = std::move(file);
  one.hasToolkit = true;
  for (unsigned i = 0; i < kernels; ++i) {
    KernelOutline kernel;
    kernel.name = "k" + std::to_string(i);
    kernel.place = {one.source, 10 + i, 1};
    one.outline.kernels.push_back(kernel);
  }
  return one;
}

Outcomes outcomes(std::vector<SourceOutcome> sources) {
  Outcomes all;
  all.sources = std::move(sources);
  return all;
}

} // namespace

TEST(OutcomeReport, SourcesCountByWhatWasReadOfThem) {
  SourceOutcome part = source("/part.cu"), none = source("/none.cu", 0),
                broken = source("/broken.cu", 0);
  part.outline.errors = {{"/h.cuh", 7, 1, "expected ';'"}};
  none.outline.errors = part.outline.errors;
  broken.outline.whyNot = "reading it took too long";
  const Report report =
      summary(outcomes({source("/whole.cu", 2), part, none, broken}));
  EXPECT_EQ(report.sourcesRead, 2u);
  EXPECT_EQ(report.kernelsRead, 3u);
  EXPECT_THAT(report.sources, ElementsAre("/whole.cu"));
  ASSERT_EQ(report.unread.size(), 3u);
  EXPECT_EQ(report.unread[0].firstError, "h.cuh:7: expected ';'");
  EXPECT_TRUE(report.unread[0].anyKernelRead);
  EXPECT_FALSE(report.unread[1].anyKernelRead);
  EXPECT_EQ(report.unread[2].firstError, "reading it took too long");
}

// A header read by itself may fail where the source that includes it does not.
TEST(OutcomeReport, AKernelThatAnotherSourceHasIsRead) {
  SourceOutcome header = source("/h.cuh", 0), user = source("/a.cu");
  DroppedKernel dropped;
  dropped.name = "k0";
  dropped.place = {"/h.cuh", 3, 1};
  dropped.error = {"/h.cuh", 3, 1, "unknown type name 'real'"};
  header.outline.notRead = {dropped};
  EXPECT_EQ(summary(outcomes({header, user})).unreadKernels.size(), 1u);
  user.outline.kernels[0].place = dropped.place;
  EXPECT_TRUE(summary(outcomes({header, user})).unreadKernels.empty());
}

// `#include "step.cu"`: half of a program's sources are parts of another one,
// and cannot be read by themselves.
TEST(OutcomeReport, APartOfASourceThatWasReadIsNoLoss) {
  SourceOutcome part = source("/step.cu", 0), user = source("/main.cu");
  part.outline.errors = {{"/step.cu", 7, 1, "unknown type name 'real'"}};
  user.outline.userFiles = {"/main.cu", "/step.cu"};
  Report report = summary(outcomes({part, user}));
  EXPECT_THAT(report.unread, IsEmpty());
  EXPECT_EQ(report.sourcesRead, 1u);
  EXPECT_EQ(exitCode(report), ExitCode::Clean);
  part.outline.errors[0].text = "'real.h' file not found";
  EXPECT_THAT(summary(outcomes({part, user})).notes, IsEmpty());
  DroppedKernel dropped;
  dropped.name = "k";
  dropped.place = {"/step.cu", 3, 1};
  part.outline.notRead = {dropped};
  EXPECT_EQ(summary(outcomes({part, user})).unreadKernels.size(), 1u)
      << "the including source leaves it out";
  user.outline.errors = part.outline.errors;
  report = summary(outcomes({part, user}));
  EXPECT_EQ(report.unread.size(), 2u) << "nobody knows what it has of the part";
}

TEST(OutcomeReport, WhatWasNotFollowedIsNotedOnceWithItsKernels) {
  SourceOutcome one = source("/a.cu", 3);
  for (KernelOutline &kernel : one.outline.kernels)
    kernel.notFollowed = {"recursion in 'f'"};
  Report report = summary(outcomes({one}));
  EXPECT_EQ(report.kernelsInPart, 3u);
  EXPECT_THAT(report.notes, ElementsAre("not followed: recursion in 'f', in "
                                        "kernel 'k0' and 2 more"));
  for (unsigned i = 0; i < 9; ++i)
    one.outline.kernels[0].notFollowed.push_back("call " + std::to_string(i));
  report = summary(outcomes({one}));
  EXPECT_EQ(report.notes.size(), 6u) << "five and the rest";
  EXPECT_THAT(report.notes.back(), HasSubstr("5 more"));
}

// A note of TensorRT's spelt a kernel of CUB's in 391 characters.
TEST(OutcomeReport, ANoteHasTheShortNameOfALongKernel) {
  SourceOutcome one = source("/a.cu", 1);
  one.outline.kernels[0].name =
      "cub::Sort<Ascending, iterator<Offset<int>, counting<int>>, "
      "iterator<Offset<int>, counting<int>>, int, float, policy<float, int>>";
  one.outline.kernels[0].notFollowed = {"recursion in 'f'"};
  const Report report = summary(outcomes({one}));
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_LT(report.notes[0].size(), 150u) << report.notes[0];
  EXPECT_THAT(report.notes[0], HasSubstr("kernel 'cub::Sort<"));
}

TEST(OutcomeReport, AMissingHeaderComesWithTheFlagThatNamesItsFolder) {
  SourceOutcome one = source("/a.cu", 0);
  one.outline.errors = {{"/a.cu", 1, 1, "'ours/util.h' file not found"}};
  EXPECT_THAT(summary(outcomes({one})).notes,
              Contains(AllOf(HasSubstr("'ours/util.h' was not found for a.cu"),
                             HasSubstr("-IDIR"), Not(HasSubstr("-p BUILD")))));
  one.isBare = true; // no build says how to compile it
  EXPECT_THAT(summary(outcomes({one})).notes, Contains(HasSubstr("-p BUILD")));
  one.outline.errors[0].text =
      "'ops.cuh' file not found with <angled> include; "
      "use \"quotes\" instead";
  EXPECT_THAT(summary(outcomes({one})).notes,
              Contains(HasSubstr("'ops.cuh' was not found for a.cu")));
}

// Cabana needs a Kokkos that is newer than Debian's: 24 sources were lost, and
// no word said which folder has it.
TEST(OutcomeReport, AHeaderThatKokkosLacksIsNamed) {
  SourceOutcome one = source("/a.cpp", 0);
  one.outline.errors = {
      {"/a.hpp", 1, 1, "'Kokkos_Profiling_ScopedRegion.hpp' file not found"}};
  EXPECT_THAT(summary(outcomes({one, one})).notes,
              ElementsAre(HasSubstr("'Kokkos_Profiling_ScopedRegion.hpp' was "
                                    "not found for a.cpp")));
  one.outline.errors[0].text = "'Kokkos_Core.hpp' file not found";
  EXPECT_THAT(summary(outcomes({one})).notes, IsEmpty())
      << "the search has a note on it";
}

// MatX includes <format>, which GCC 12 does not have: no folder of headers was
// missing.
TEST(OutcomeReport, AHeaderOfANewerLibraryComesWithACompiler) {
  if (!llvm::sys::findProgramByName("g++"))
    GTEST_SKIP() << "another note says that there is no compiler at all";
  SourceOutcome one = source("/a.cu", 0);
  one.outline.errors = {{"/concat.h", 39, 1, "'format' file not found"}};
  EXPECT_THAT(summary(outcomes({one})).notes,
              ElementsAre(HasSubstr("'format' is a header of a newer C++ "
                                    "library")));
  one.outline.errors[0].text = "'QVector' file not found";
  EXPECT_THAT(summary(outcomes({one})).notes,
              ElementsAre(HasSubstr("'QVector' was not found for a.cu")));
}

// Its headers lie in a Python package, where nobody knows the folders by heart.
TEST(OutcomeReport, AMissingHeaderOfPyTorchComesWithTheCommandThatNamesIts) {
  SourceOutcome one = source("/a.cu", 0), other = source("/b.cu", 0);
  one.outline.errors = {{"/a.cu", 1, 1, "'torch/extension.h' file not found"}};
  other.outline.errors = {
      {"/u.cuh", 1, 1, "'ATen/cuda/CUDAContext.h' file not found"}};
  const Report report = summary(outcomes({one, other}));
  EXPECT_EQ(llvm::count_if(report.notes,
                           [](const std::string &note) {
                             return llvm::StringRef(note).contains(
                                 "c.include_paths()");
                           }),
            1);
  EXPECT_THAT(report.notes, Contains(HasSubstr("*c.COMMON_NVCC_FLAGS)")));
  EXPECT_THAT(report.notes,
              Contains(HasSubstr("'torch/extension.h' is a header of PyTorch, "
                                 "and this names its folders: -- $(python3 ")));
  other.outline.errors[0].text = "'torchless.h' file not found";
  EXPECT_THAT(summary(outcomes({other})).notes,
              Not(Contains(HasSubstr("PyTorch"))));
}

// Device functions alone are not checked; a header of them is no surprise.
TEST(OutcomeReport, DeviceFunctionsWithoutAKernelAreNoted) {
  SourceOutcome one = source("/a.cu", 0);
  one.outline.hasDeviceFunctions = true;
  EXPECT_THAT(summary(outcomes({one})).notes,
              Contains(HasSubstr("a.cu has device functions and no kernel")));
  one.source = "/a.cuh";
  EXPECT_THAT(summary(outcomes({one})).notes, IsEmpty());
}

// Code that no source instantiates is not checked: silence would mean clean.
TEST(OutcomeReport, KernelTemplatesWithoutAnInstanceAreNoted) {
  SourceOutcome one = source("/a.cu");
  one.outline.templates = {{"scale", {"/a.cu", 3, 1}},
                           {"other", {"/a.cu", 9, 1}}};
  EXPECT_THAT(summary(outcomes({one})).notes,
              ElementsAre(HasSubstr(
                  "the kernel template 'scale' at a.cu:3, and 1 more, are not "
                  "instantiated")));
  EXPECT_EQ(summary(outcomes({one})).kernelTemplatesIdle, 2u);
  // Another source has an instance of it.
  SourceOutcome other = source("/b.cu");
  other.outline.kernels[0].place = {"/a.cu", 3, 1};
  EXPECT_THAT(
      summary(outcomes({one, other})).notes,
      ElementsAre(HasSubstr("the kernel template 'other' at a.cu:9 is")));
}

// An error hides the launches behind it, so templates lose their instances.
TEST(OutcomeReport, KernelTemplatesOfASourceWithErrorsAreNoted) {
  SourceOutcome one = source("/a.cu");
  one.outline.errors = {{"/a.cu", 1, 1, "'b.h' file not found"}};
  one.outline.templates = {{"scale", {"/a.cu", 3, 1}},
                           {"other", {"/a.cu", 9, 1}}};
  EXPECT_THAT(summary(outcomes({one})).notes,
              Contains("the kernel template 'scale' at a.cu:3, and 1 more, are "
                       "not instantiated in a source with errors, which may "
                       "hide launches: only instances are checked"));
}

// A source whose linting crashed has no findings, and is not clean.
TEST(OutcomeReport, ASourceWhoseLintingEndedIsUnread) {
  SourceOutcome one = source("/a.cu");
  one.notLinted = "ended in a crash";
  const Report report = conclude(outcomes({one}));
  ASSERT_EQ(report.unread.size(), 1u);
  EXPECT_EQ(report.unread[0].firstError, "linting it ended in a crash");
  EXPECT_EQ(report.kernelsRead, 0u);
  EXPECT_EQ(exitCode(report), ExitCode::Unread);
}

TEST(OutcomeReport, AKernelThatOnlyTheCompilerMadeIsNamed) {
  SourceOutcome one = source("/a.cu");
  one.linted.onlyCompiled = {"_Z6hiddenPf"};
  const Report report = conclude(outcomes({one}));
  ASSERT_EQ(report.unreadKernels.size(), 1u);
  EXPECT_EQ(report.unreadKernels[0].name, "hidden");
}

// The findings of two sources that include a header are one; what its comment
// allows is none, and is counted.
TEST(OutcomeReport, FindingsAreMergedAndThoseAllowedAreCounted) {
  InputFolder folder;
  const std::string file = folder.write(
      "h.cuh", "a[i * n] = 0; // warplint: allow(dynamic-local-array) once\n"
               "b[i * n] = 0;\n");
  std::vector<SourceOutcome> sources;
  for (const char *name : {"/a.cu", "/b.cu"}) {
    SourceOutcome one = source(name);
    one.reported = {file};
    one.outline.userFiles = one.outline.markedFiles = {file};
    for (unsigned line : {1u, 2u}) {
      if (line == 1 && !sources.empty())
        continue;
      Finding finding = gather();
      finding.place = {file, line, 1};
      finding.callSites.clear();
      one.linted.findings.push_back(finding);
    }
    sources.push_back(one);
  }
  const Report report = conclude(outcomes(sources));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].place.line, 2u);
  EXPECT_EQ(report.allowed, 1u);
}

// The note said that 'dynamic-local-array' says nothing, below its findings.
TEST(OutcomeReport, WhatIsNotCompiledIsMissedByACheckThatNeedsIt) {
  SourceOutcome one = source("/a.cu");
  one.enabled = {"dynamic-local-array", "register-spill"};
  one.linted.compile.whyNot = "nvcc stopped";
  EXPECT_THAT(conclude(outcomes({one})).notes,
              Contains("1 source was not compiled, so 'register-spill' says "
                       "nothing there: nvcc stopped"));
  one.enabled = {"dynamic-local-array"};
  EXPECT_THAT(
      conclude(outcomes({one})).notes,
      Contains("1 source was not compiled, so 'dynamic-local-array' may "
               "miss something there: nvcc stopped"));
}

// A useless allowance can be told only by checks that ran on every source.
TEST(OutcomeReport, ACheckRanEverywhereIfEachSourceHasIt) {
  SourceOutcome one = source("/a.cu"), two = source("/b.cu");
  one.enabled = {"x", "y"};
  two.enabled = {"y", "z"};
  EXPECT_THAT(ranEverywhere(outcomes({one, two})), ElementsAre("y"));
}
