// `warplint resources` and `warplint diff` whole: sources that the real nvcc
// compiles, logs, the file in a repository, gates, and the exit codes that a
// build relies on.
#include "report/resources/resources.h"
#include "resource_rows.h"
#include "resource_sources.h"
#include "test_paths.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace warplint;
using testing::HasSubstr;

namespace {

// A spill that is not known must not count as none.
TEST(ResourceRows, ASpillIsKnownOnlyIfBothItsHalvesAre) {
  EXPECT_EQ(with(row("k()"), 32, 8).spill(), 16u);
  ResourceRow half = row("k()");
  half.spillLoads.reset();
  EXPECT_EQ(half.spill(), std::nullopt);
}

// The reader looks at the first rows.
TEST(ResourceRows, TheMostCostlyComeFirst) {
  ResourceRow spills = with(row("spills"), 32, 8), frame = row("frame"),
              slow = row("slow"), fat = row("fat");
  frame.stack = 512;
  slow.occupancy = 25;
  fat.registers = 96;
  std::vector<ResourceRow> rows = {row("z"), fat,    frame,
                                   slow,     spills, row("a")};
  sortByHarm(rows);
  std::vector<std::string> names;
  for (const ResourceRow &each : rows)
    names.push_back(each.kernel);
  EXPECT_THAT(names,
              testing::ElementsAre("spills", "frame", "slow", "fat", "a", "z"));
}

TEST(ResourceRows, EqualRowsAreOne) {
  std::vector<ResourceRow> rows = {row("k()"), row("k()", "b.cu"), row("k()")};
  sortByHarm(rows);
  EXPECT_EQ(rows.size(), 2u);
}

// Gates and JSON go by these names.
TEST(ResourceRows, EachMeasureIsANumberOfItsOwn) {
  std::set<std::string> names;
  for (const Measure &measure : measures()) {
    EXPECT_TRUE(names.insert(measure.name).second) << measure.name;
    ResourceRow one;
    one.*measure.value = 7;
    unsigned set = 0;
    for (const Measure &other : measures())
      set += (one.*other.value).has_value();
    EXPECT_EQ(set, 1u) << measure.name;
    EXPECT_EQ(measure.moreIsBetter, measure.name == std::string("occupancy"));
  }
}

TEST(ResourcesCli, ALogIsATable) {
  InputFolder folder;
  Outcome outcome = runProgram(
      {"resources", folder.write("build.log", "make\n" + ptxasBlock)});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "arch   spill st/ld  stack  regs  shared  bar  kernel\n"
            "sm_90        32/16     64    28       0    1  k<float, 4>\n"
            "1 kernel on sm_90: 1 spill, 1 have a stack frame\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(ResourcesCli, ALogMayComeFromAPipe) {
  InputFolder folder;
  folder.write("build.log", ptxasBlock);
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
  for (size_t length : {size_t(0), size_t(40), ptxasBlock.size() - 30}) {
    Outcome outcome = runProgram(
        {"resources",
         folder.write("build.log",
                      llvm::StringRef(ptxasBlock).take_front(length)),
         "--deny", "registers > 255"});
    EXPECT_EQ(outcome.code, 3) << length;
    EXPECT_THAT(outcome.err, HasSubstr("build.log: ")) << length;
  }
}

TEST(ResourcesCli, AGateThatCannotBeAnsweredIsNotPassed) {
  InputFolder folder;
  Outcome outcome =
      runProgram({"resources", folder.write("build.log", ptxasBlock), "--deny",
                  "occupancy < 50"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("'occupancy < 50' cannot be answered"));
}

TEST(ResourcesCli, AMisspeltGateIsAFailure) {
  InputFolder folder;
  Outcome outcome =
      runProgram({"resources", folder.write("build.log", ptxasBlock), "--deny",
                  "regsters > 5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "warplint: --deny 'regsters > 5' cannot be read: there is no field "
            "'regsters'; did you mean 'registers'?\n");
}

TEST(ResourcesCli, AllowLetsPass) {
  InputFolder folder;
  Outcome outcome =
      runProgram({"resources", folder.write("build.log", ptxasBlock), "--deny",
                  "spill > 0", "--allow", "kernel == 'k<float, 4>'"});
  EXPECT_EQ(outcome.code, 0);
}

TEST(ResourcesCli, AMissingFileIsAFailure) {
  EXPECT_EQ(runProgram({"resources", "nowhere.log"}).code, 2);
  EXPECT_EQ(runProgram({"resources"}).code, 2);
  EXPECT_EQ(runProgram({"diff", "one.json"}).code, 2);
  EXPECT_EQ(runProgram({"diff", "one.json", "two.json"}).code, 2);
}

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

} // namespace

TEST(ResourcesCli, AGivenBlockHasAnOccupancyInALog) {
  InputFolder folder;
  const std::string log = folder.write("build.log", ptxasBlock);
  EXPECT_THAT(runProgram({"resources", log, "--format", "json"}).out,
              HasSubstr("\"occupancy\": null"));
  EXPECT_THAT(
      runProgram({"resources", log, "--block", "256", "--format", "json"}).out,
      HasSubstr("occupancy\": 100"));
}
