// `--ratchet` and `--update`: the file of resources that a project commits.
#include "resource_sources.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;

namespace {

TEST(Ratchet, HoldsInBothDirections) {
  InputFolder folder;
  std::string log = folder.write("build.log", ptxasBlock);
  std::string file = folder / "r.json";
  EXPECT_EQ(runProgram({"resources", log, "--ratchet", file}).code, 2);
  EXPECT_EQ(runProgram({"resources", log, "--update", file}).code, 0);
  Outcome same = runProgram({"resources", log, "--ratchet", file});
  EXPECT_EQ(same.code, 0);
  EXPECT_EQ(same.out, "nothing changed in 1 kernel\n");

  auto changed = [&](const char *from, const char *to) {
    std::string text = ptxasBlock;
    text.replace(text.find(from), strlen(from), to);
    return runProgram(
        {"resources", folder.write("build.log", text), "--ratchet=" + file});
  };
  Outcome worse = changed("28 registers", "40 registers");
  EXPECT_EQ(worse.code, 1);
  EXPECT_THAT(worse.out, HasSubstr("worse   sm_90   k<float, 4>: registers 28 "
                                   "-> 40\n"));
  EXPECT_THAT(worse.err, HasSubstr("--update records changes"));
  Outcome better =
      changed("32 bytes spill stores, 16", "0 bytes spill stores, 0");
  EXPECT_EQ(better.code, 1);
  EXPECT_THAT(better.out, HasSubstr("better  sm_90   k<float, 4>: spill stores "
                                    "32 -> 0, spill loads 16 -> 0"));
  EXPECT_THAT(better.err, HasSubstr("can be tightened"));
}

TEST(Ratchet, AnIncompleteReportIsNotRecorded) {
  InputFolder folder;
  Outcome outcome = runProgram(
      {"resources",
       folder.write("build.log", ptxasBlock + "make: *** [a.o] Error 1\n"),
       "--update", folder / "r.json"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_FALSE(llvm::sys::fs::exists(folder / "r.json"));
}

TEST(Ratchet, AnInvalidRatchetFileIsAFailure) {
  InputFolder folder;
  std::string log = folder.write("build.log", ptxasBlock);
  std::string file = folder.write("r.json", "<<<<<<< HEAD\n");
  EXPECT_EQ(runProgram({"resources", log, "--ratchet", file}).code, 2);
  // Its entries of other sources would be lost.
  EXPECT_EQ(runProgram({"resources", log, "--update", file}).code, 2);
  EXPECT_EQ(readFile(file), "<<<<<<< HEAD\n");
}

TEST(Ratchet, ANewSpillIsCaughtWithItsLines) {
  NEEDS_NVCC("a new spill");
  InputFolder folder;
  std::string source = folder.write("a.cu", sums(96, ""));
  std::string file = folder / ".warplint-resources.json";
  std::vector<std::string> run = {"resources", source, "--arch", "sm_90"};
  auto with = [&](const std::string &flag) {
    std::vector<std::string> arguments = run;
    arguments.push_back(flag + "=" + file);
    return runProgram(arguments);
  };
  ASSERT_EQ(with("--update").code, 0);
  EXPECT_THAT(readFile(file),
              HasSubstr("{\"source\":\"a.cu\",\"signature\":"
                        "\"sums(float*, float const*, int)\","
                        "\"arch\":\"sm_90\",\"spillStores\":0"));
  EXPECT_EQ(with("--ratchet").code, 0);
  folder.write("a.cu", "\n\n" + sums(96, "__launch_bounds__(1024, 2)"));
  Outcome outcome = with("--ratchet");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("worse   sm_90   sums ("),
                                 HasSubstr(": spill stores 0 -> "),
                                 HasSubstr("spills at ")));
  // A value held over the whole kernel is stored where it is loaded, and used
  // two lines on.
  EXPECT_THAT(outcome.out,
              testing::AnyOf(HasSubstr("a.cu:7"), HasSubstr(":10")));
}

TEST(Ratchet, OtherSourcesAreNotCompared) {
  NEEDS_NVCC("a file for several sources");
  InputFolder folder;
  std::string a = folder.write("a.cu",
                               "__global__ void a(int *p) { *p = 1; }\n"),
              b = folder.write("b.cu",
                               "__global__ void b(int *p) { *p = 1; }\n");
  std::string file = "=" + (folder / "r.json");
  ASSERT_EQ(runProgram({"resources", a, b, "--update" + file}).code, 0);
  std::string recorded = readFile(folder / "r.json");
  EXPECT_EQ(runProgram({"resources", a, "--ratchet" + file}).code, 0);
  EXPECT_EQ(runProgram({"resources", a, "--update" + file}).code, 0);
  EXPECT_EQ(readFile(folder / "r.json"), recorded);
  // A kernel that is gone from a source that was named, or with its source.
  folder.write("a.cu", "\n");
  Outcome gone = runProgram({"resources", a, b, "--ratchet" + file});
  EXPECT_EQ(gone.code, 1);
  EXPECT_THAT(gone.out, HasSubstr("gone    "));
  llvm::sys::fs::remove(a);
  EXPECT_EQ(runProgram({"resources", b, "--ratchet" + file}).code, 1);
}

TEST(Ratchet, OtherArchitecturesAreNotCompared) {
  NEEDS_NVCC("a file for several architectures");
  InputFolder folder;
  std::string a = folder.write("a.cu",
                               "__global__ void a(int *p) { *p = 1; }\n"),
              file = "=" + (folder / "r.json");
  ASSERT_EQ(runProgram({"resources", a, "--arch", "sm_80", "--arch", "sm_90",
                        "--update" + file})
                .code,
            0);
  std::string recorded = readFile(folder / "r.json");
  folder.write(".warplint.yaml", "architectures: [sm_90]\n");
  EXPECT_EQ(runProgram({"resources", a, "--ratchet" + file}).code, 0);
  EXPECT_EQ(runProgram({"resources", a, "--update" + file}).code, 0);
  EXPECT_EQ(readFile(folder / "r.json"), recorded);
  folder.write(".warplint.yaml", "architectures: [sm_80, sm_90]\n");
  folder.write("a.cu", "\n");
  EXPECT_EQ(runProgram({"resources", a, "--ratchet" + file}).code, 1);
}

} // namespace
