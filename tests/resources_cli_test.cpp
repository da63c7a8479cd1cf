// `warplint resources` and `warplint diff` whole: sources that the real nvcc
// compiles, logs, the file in a repository, gates, and the exit codes that a
// build relies on.
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

#define NEEDS_NVCC(what)                                                       \
  if (nvccForTests().empty())                                                  \
  GTEST_SKIP() << "NO NVCC: " what " is not tested"

const std::string block =
    "ptxas info    : Compiling entry function '_Z1kIfLi4EEvPT_' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z1kIfLi4EEvPT_\n"
    "    64 bytes stack frame, 32 bytes spill stores, 16 bytes spill loads\n"
    "ptxas info    : Used 28 registers, used 1 barriers\n";

/// A sum of `length` products that are all needed at the end. Without bounds
/// they fit into registers.
std::string sums(unsigned length, llvm::StringRef bounds) {
  return "__global__ void " + bounds.str() +
         " sums(float *out, const float *in, int n) {\n"
         "  float v[" +
         std::to_string(length) +
         "];\n"
         "#pragma unroll\n"
         "  for (int i = 0; i < " +
         std::to_string(length) +
         "; ++i)\n"
         "    v[i] = in[i * n + threadIdx.x];\n" // line 5
         "#pragma unroll\n"
         "  for (int i = 1; i < " +
         std::to_string(length) +
         "; ++i)\n"
         "    v[i] += v[i - 1] * v[(i * 7) % " +
         std::to_string(length) +
         "];\n" // line 8
         "#pragma unroll\n"
         "  for (int i = 0; i < " +
         std::to_string(length) +
         "; ++i)\n"
         "    out[i * n + threadIdx.x] = v[i];\n" // line 11
         "}\n"
         "void launch(float *p) { sums<<<8, 256>>>(p, p, 3); }\n";
}

// ---- logs

TEST(ResourcesCli, ALogIsATable) {
  InputFolder folder;
  Outcome outcome =
      runProgram({"resources", folder.write("build.log", "make\n" + block)});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "arch   spill st/ld  stack  regs  shared  bar  kernel\n"
            "sm_90        32/16     64    28       0    1  k<float, 4>\n"
            "1 kernel on sm_90: 1 spill, 1 have a stack frame\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(ResourcesCli, ALogMayComeFromAPipe) {
  InputFolder folder;
  folder.write("build.log", block);
  std::string command =
      "'" WARPLINT_BINARY "' resources - --deny 'spill > 0' < '" +
      (folder / "build.log") + "' > '" + (folder / "out") + "' 2>&1";
  int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_THAT(readFile(folder / "out"),
              HasSubstr("denied by 'spill > 0': k<float, 4> on sm_90: spill "
                        "stores 32, spill loads 16"));
}

TEST(ResourcesCli, ALogThatIsCutOffIsNeverClean) {
  InputFolder folder;
  for (size_t length : {size_t(0), size_t(40), block.size() - 30}) {
    Outcome outcome = runProgram(
        {"resources",
         folder.write("build.log", llvm::StringRef(block).take_front(length)),
         "--deny", "registers > 255"});
    EXPECT_EQ(outcome.code, 3) << length;
    EXPECT_THAT(outcome.err, HasSubstr("build.log: ")) << length;
  }
}

TEST(ResourcesCli, AGateThatCannotBeAnsweredIsNotPassed) {
  InputFolder folder;
  Outcome outcome = runProgram({"resources", folder.write("build.log", block),
                                "--deny", "occupancy < 50"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("'occupancy < 50' cannot be answered"));
}

TEST(ResourcesCli, AMisspeltGateIsAFailure) {
  InputFolder folder;
  Outcome outcome = runProgram({"resources", folder.write("build.log", block),
                                "--deny", "regsters > 5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "warplint: --deny 'regsters > 5' cannot be read: there is no field "
            "'regsters'; did you mean 'registers'?\n");
}

TEST(ResourcesCli, AllowLetsPass) {
  InputFolder folder;
  Outcome outcome =
      runProgram({"resources", folder.write("build.log", block), "--deny",
                  "spill > 0", "--allow", "kernel == 'k<float, 4>'"});
  EXPECT_EQ(outcome.code, 0);
}

TEST(ResourcesCli, AMissingFileIsAFailure) {
  EXPECT_EQ(runProgram({"resources", "nowhere.log"}).code, 2);
  EXPECT_EQ(runProgram({"resources"}).code, 2);
  EXPECT_EQ(runProgram({"diff", "one.json"}).code, 2);
  EXPECT_EQ(runProgram({"diff", "one.json", "two.json"}).code, 2);
}

// ---- a file in the repository, from logs

TEST(Ratchet, HoldsInBothDirections) {
  InputFolder folder;
  std::string log = folder.write("build.log", block);
  std::string file = folder / "r.json";
  EXPECT_EQ(runProgram({"resources", log, "--ratchet", file}).code, 2);
  EXPECT_EQ(runProgram({"resources", log, "--update", file}).code, 0);
  Outcome same = runProgram({"resources", log, "--ratchet", file});
  EXPECT_EQ(same.code, 0);
  EXPECT_EQ(same.out, "nothing changed in 1 kernel\n");

  auto changed = [&](const char *from, const char *to) {
    std::string text = block;
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
       folder.write("build.log", block + "make: *** [a.o] Error 1\n"),
       "--update", folder / "r.json"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_FALSE(llvm::sys::fs::exists(folder / "r.json"));
}

TEST(Ratchet, AnInvalidRatchetFileIsAFailure) {
  InputFolder folder;
  std::string log = folder.write("build.log", block);
  std::string file = folder.write("r.json", "<<<<<<< HEAD\n");
  EXPECT_EQ(runProgram({"resources", log, "--ratchet", file}).code, 2);
  // What it holds of other sources would be lost.
  EXPECT_EQ(runProgram({"resources", log, "--update", file}).code, 2);
  EXPECT_EQ(readFile(file), "<<<<<<< HEAD\n");
}

// ---- sources

TEST(ResourcesCli, ASourceIsCompiledForEveryArchitecture) {
  NEEDS_NVCC("what sources take");
  InputFolder folder;
  Outcome outcome =
      runProgram({"resources", "--format", "json",
                  folder.write("a.cu", sums(8, "")), "--arch", "sm_80,sm_90"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(outcome.out);
  ASSERT_TRUE(bool(json));
  const llvm::json::Array &rows = *json->getAsObject()->getArray("resources");
  ASSERT_EQ(rows.size(), 2u);
  for (const llvm::json::Value &value : rows) {
    const llvm::json::Object &row = *value.getAsObject();
    EXPECT_EQ(row.getString("kernel"), "sums");
    EXPECT_EQ(row.getInteger("line"), 1);
    EXPECT_EQ(row.getInteger("spillStores"), 0);
    EXPECT_EQ(row.getInteger("stack"), 0);
    EXPECT_EQ(row.getInteger("occupancy"), 100); // 256 threads, few registers
    EXPECT_NE(row.getString("toolkit"), "");
  }
}

TEST(ResourcesCli, ASourceThatDoesNotCompileIsMissing) {
  NEEDS_NVCC("a source that nvcc refuses");
  InputFolder folder;
  Outcome outcome =
      runProgram({"resources", folder.write("a.cu", sums(8, "")),
                  folder.write("b.cu", "__global__ void k() { oops; }\n"),
                  "--deny", "spill > 0"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("sums"));
  EXPECT_THAT(outcome.err, HasSubstr("b.cu: not compiled: nvcc stopped at"));
}

// The machine code gives the same numbers as ptxas did.
TEST(ResourcesCli, AnObjectGivesTheNumbersOfItsCompilation) {
  NEEDS_NVCC("what an object says");
  InputFolder folder;
  std::string object = folder.write(
      "a.o",
      compileForTests(nvccForTests(), sums(96, "__launch_bounds__(1024, 2)"),
                      "-c", "sm_90"));
  std::string source =
      folder.write("a.cu", sums(96, "__launch_bounds__(1024, 2)"));
  auto row = [](const Outcome &outcome) {
    llvm::Expected<llvm::json::Value> json = llvm::json::parse(outcome.out);
    if (!json) {
      ADD_FAILURE() << llvm::toString(json.takeError());
      return llvm::json::Object();
    }
    return *(*json->getAsObject()->getArray("resources"))[0].getAsObject();
  };
  llvm::json::Object fromObject =
      row(runProgram({"resources", "--format", "json", object}));
  llvm::json::Object fromSource = row(
      runProgram({"resources", "--format", "json", "--arch", "sm_90", source}));
  for (const char *key : {"spillStores", "spillLoads", "stack", "registers",
                          "shared", "barriers", "kernel", "signature", "arch"})
    EXPECT_EQ(*fromObject.get(key), *fromSource.get(key)) << key;
  EXPECT_TRUE(fromObject.get("occupancy")->getAsNull()); // no launch in it
}

TEST(ResourcesCli, AFileWithoutMachineCodeIsMissing) {
  InputFolder folder;
  Outcome outcome = runProgram({"resources", WARPLINT_BINARY});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("there is no device code in it"));
  EXPECT_EQ(runProgram({"resources", folder.write("a.o", "\x7f"
                                                         "ELF")})
                .code,
            3);
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
  // What is held over the whole kernel is stored where it is loaded, and used
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

TEST(DiffCli, ComparesTwoReportsOfSources) {
  NEEDS_NVCC("a comparison of two builds");
  InputFolder folder;
  std::string source = folder.write("a.cu", sums(64, ""));
  auto report = [&](std::vector<std::string> flags) {
    std::vector<std::string> arguments = {
        "resources", "--format", "json", source, "--arch", "sm_90", "--"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return runProgram(arguments).out;
  };
  std::string old = folder.write("old.json", report({}));
  std::string now = folder.write("new.json", report({"-maxrregcount=32"}));
  Outcome outcome = runProgram({"diff", old, now});
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("worse   sm_90   sums"),
            HasSubstr("note: 1 kernel compiled with "
                      "'-maxrregcount=32', before with no such flags")));
  EXPECT_EQ(runProgram({"diff", now, old}).code, 0);
  EXPECT_THAT(runProgram({"diff", old, now, "--format", "markdown"}).out,
              HasSubstr("| worse | sm_90 | sums"));
}

} // namespace

TEST(ResourcesCli, AGivenBlockHasAnOccupancyInALog) {
  InputFolder folder;
  const std::string log = folder.write("build.log", block);
  EXPECT_THAT(runProgram({"resources", log, "--format", "json"}).out,
              HasSubstr("\"occupancy\": null"));
  EXPECT_THAT(
      runProgram({"resources", log, "--block", "256", "--format", "json"}).out,
      HasSubstr("occupancy\": 100"));
}
