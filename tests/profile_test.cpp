// Tests what is read of Nsight Compute's tables.
#include "input_folder.h"
#include "machine/profile.h"
#include "nvcc.h"
#include "test_paths.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

Profile read(llvm::StringRef csv) {
  llvm::Expected<Profile> profile = readProfile(csv, "p.csv");
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return {};
  }
  return *profile;
}

/// Two launches of sumByThread and one of sumByBlock on an H200, as `ncu --page
/// source --print-source cuda,sass --csv` of Nsight Compute 2025.3 printed
/// them, without some columns.
Profile sums() {
  return read(
      readFile(WARPLINT_SOURCE_DIR "/kernels/contended-atomic.profile.csv"));
}

std::string whyNot(llvm::StringRef csv) {
  llvm::Expected<Profile> profile = readProfile(csv, "p.csv");
  return profile ? "" : llvm::toString(profile.takeError());
}

const ProfiledInstruction &named(const ProfiledKernel &kernel,
                                 llvm::StringRef opcode) {
  return *llvm::find_if(
      kernel.instructions, [&](const ProfiledInstruction &instruction) {
        return llvm::StringRef(instruction.text).starts_with(opcode);
      });
}

} // namespace

TEST(Profile, LaunchesOfAKernelAreAdded) {
  const Profile profile = sums();
  ASSERT_EQ(profile.kernels.size(), 2u);
  const ProfiledKernel &kernel = profile.kernels[0];
  EXPECT_EQ(kernel.launches, 2u);
  EXPECT_EQ(profile.kernels[1].launches, 1u);
  const ProfiledInstruction &load = named(kernel, "LDG");
  EXPECT_EQ(load.executed, 2 * 131072);
  EXPECT_EQ(load.sectors, 2 * 524288);
  EXPECT_EQ(load.idealSectors, 2 * 524288);
}

// The tables repeat an instruction under each line that it is inlined into, and
// within a line.
TEST(Profile, InlinedCodeCountsOnceAndHasAllItsLines) {
  const Profile profile = sums();
  const ProfiledInstruction &update = named(profile.kernels[0], "REDG");
  EXPECT_EQ(update.executed, 2 * 131072);
  ASSERT_EQ(update.places.size(), 2u);
  EXPECT_EQ(update.places[0].line, 84u);
  EXPECT_EQ(update.places[1].file,
            "/home/user/warplint/kernels/contended-atomic.cu");
  EXPECT_EQ(update.places[1].line, 29u);
}

// Warps that have ended are sampled at a branch that nothing executes.
TEST(Profile, CodeThatNoWarpExecutesHasNoSamples) {
  const Profile profile = sums();
  EXPECT_EQ(named(profile.kernels[0], "BRA").samples, 0);
}

TEST(Profile, LinesHoldTheirTextForComparison) {
  const Profile profile = sums();
  EXPECT_TRUE(llvm::any_of(profile.lines, [](const auto &line) {
    return line.first.line == 28 && line.second == "if (i < n)";
  }));
}

// Readers look at the load, not at the sum that waits for it.
TEST(Profile, WaitsForALoadCountAtTheLoad) {
  ProfiledKernel kernel;
  kernel.instructions = {
      {"LDG.E R3, desc[UR4][R2.64]", {{"a.cu", 5, 0}}, 10, 1},
      {"LDG.E.64 R6, desc[UR4][R8.64]", {{"a.cu", 6, 0}}, 1, 1},
      {"FFMA R0, R7, R3, R0", {{"a.cu", 7, 0}}, 100, 1},
      {"IADD3 R9, R9, 0x1, RZ", {{"a.cu", 8, 0}}, 40, 1}};
  kernel.instructions[2].stalls = {{"long_sb", 80}, {"wait", 20}};
  kernel.instructions[3].stalls = {{"long_sb", 40}};
  moveWaitsToLoads(kernel);
  // The last load before the use; R7 is the second half of R6.
  EXPECT_EQ(kernel.instructions[1].samples, 81);
  EXPECT_EQ(kernel.instructions[1].stalls["long_sb"], 80);
  EXPECT_EQ(kernel.instructions[2].samples, 20);
  EXPECT_EQ(kernel.instructions[0].samples, 10);
  // No load writes what the last one reads: it keeps its samples.
  EXPECT_EQ(kernel.instructions[3].samples, 40);
}

// Releases before 2022 print lines without machine code, with other titles.
TEST(Profile, LinesAloneAreReadToo) {
  const Profile profile =
      read("\"File Path\",\"/a/b.cu\"\n"
           "\"Function Name\",\"k(float *)\"\n"
           "\"#\",\"Source\",\"Sampling Data (All)\",\"Instructions "
           "Executed\"\n"
           "\"7\",\"printf(\"a\",\"b\");\",\"1,200\",\"64\"\n");
  ASSERT_EQ(profile.kernels.size(), 1u);
  ASSERT_EQ(profile.kernels[0].instructions.size(), 1u);
  EXPECT_EQ(profile.kernels[0].instructions[0].samples, 1200);
  EXPECT_EQ(profile.kernels[0].instructions[0].executed, 64);
  EXPECT_EQ(profile.lines[0].second, "printf(\"a\",\"b\");");
}

TEST(Profile, EstimatesOfTheDetailsPageAreAdded) {
  Profile profile = sums();
  readEstimates("\"ID\",\"Kernel Name\",\"Rule Name\",\"Estimated Speedup\"\n"
                "\"0\",\"void <unnamed>::sumByThread<float>(const T1 *, T1 *, "
                "int)\",\"UncoalescedGlobalAccess\",\"54.7\"\n"
                "\"0\",\"other(int)\",\"CPIStall\",\"9\"\n",
                profile);
  EXPECT_THAT(profile.kernels[0].estimates,
              ElementsAre(testing::Pair("UncoalescedGlobalAccess", 54.7)));
}

TEST(Profile, OtherTablesAreRefusedWithASentence) {
  EXPECT_THAT(whyNot(""), HasSubstr("no source page"));
  EXPECT_THAT(whyNot("\"ID\",\"Metric Name\"\n\"0\",\"Duration\"\n"),
              HasSubstr("no source page"));
  EXPECT_THAT(whyNot("\"Kernel Name\",\"k(float *)\",\n"
                     "\"Address\",\"Source\",\"# Samples\"\n"
                     "\"0x10\",\"EXIT\",\"5\"\n"),
              HasSubstr("-lineinfo"));
  EXPECT_THAT(whyNot("\"File Name\",\"/a.cu\"\n"
                     "\"Line No\",\"Source\"\n\"1\",\"int a;\"\n"),
              HasSubstr("-lineinfo"));
}
