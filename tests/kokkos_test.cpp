// Kokkos as people have it: the real library's headers, configured for CUDA by
// headers of our own.
#include "input_folder.h"
#include "kokkos.h"
#include "marks.h"
#include "program.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string root = WARPLINT_SOURCE_DIR;

std::vector<std::string> withFlags(std::vector<std::string> arguments) {
  arguments.push_back("--");
  llvm::append_range(arguments, kokkosCudaFlags());
  return arguments;
}

std::string stem(const testing::TestParamInfo<std::string> &info) {
  std::string name = llvm::sys::path::stem(info.param).str();
  llvm::replace(name, '-', '_');
  return name;
}

llvm::json::Array parsed(const Outcome &outcome, llvm::StringRef what) {
  auto json = llvm::json::parse(outcome.out);
  if (!json) {
    ADD_FAILURE() << llvm::toString(json.takeError()) << outcome.err;
    return {};
  }
  return std::move(*json->getAsObject()->getArray(what));
}

/// Sectors of the global accesses of one line, "4 4 ?".
using SectorsByLine = std::map<unsigned, std::string>;

SectorsByLine marked(const std::string &file) {
  SectorsByLine result;
  std::string text = readFile(file);
  unsigned number = 0;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    ++number;
    auto [code, mark] = line.split("// sectors: ");
    if (!mark.empty())
      result[number] = mark.trim().str();
  }
  return result;
}

/// "8", "4.5".
std::string number(double value) {
  std::string text = llvm::formatv("{0:f2}", value).str();
  return llvm::StringRef(text).rtrim('0').rtrim('.').str();
}

/// By kernel: a template's line may be in several.
std::map<std::string, SectorsByLine> seen(const std::string &file) {
  std::map<std::string, SectorsByLine> result;
  Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", file}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const llvm::json::Value &value : parsed(outcome, "accesses")) {
    const llvm::json::Object &row = *value.getAsObject();
    if (row.getString("file") != llvm::StringRef(file) ||
        row.getString("space") != "global" ||
        row.getString("basis") == "register")
      continue;
    std::string &line = result[row.getString("kernel")->str()]
                              [row.getInteger("line").value_or(0)];
    auto sectors = row.getNumber("sectorsPerRequest");
    line += (line.empty() ? "" : " ") + (sectors ? number(*sectors) : "?");
  }
  return result;
}

class KokkosFixtures : public testing::TestWithParam<std::string> {};

// A wrong number here is a wrong number in a user's report: the library's
// spelling must not change what the same loop costs in CUDA.
TEST_P(KokkosFixtures, EachAccessHasTheSectorsOfItsMark) {
  NEEDS_REAL_KOKKOS();
  const SectorsByLine expected = marked(GetParam());
  ASSERT_FALSE(expected.empty());
  std::set<unsigned> found;
  for (const auto &[kernel, lines] : seen(GetParam()))
    for (const auto &[line, sectors] : lines) {
      found.insert(line);
      auto mark = expected.find(line);
      EXPECT_EQ(sectors, mark == expected.end() ? "" : mark->second)
          << GetParam() << ":" << line << " in " << kernel;
    }
  for (const auto &[line, sectors] : expected)
    EXPECT_TRUE(found.count(line)) << GetParam() << ":" << line;
}

INSTANTIATE_TEST_SUITE_P(, KokkosFixtures,
                         testing::ValuesIn(filesIn("fixtures/kokkos", ".cpp")),
                         stem);

class KokkosKernels : public testing::TestWithParam<std::string> {};

// The five samples of a post that many learn from, judged by nvcc.
TEST_P(KokkosKernels, HaveTheMarkedFindings) {
  expectAsMarked(linted({GetParam()}, {}, {"sm_90"}, kokkosCudaFlags()),
                 GetParam());
}

INSTANTIATE_TEST_SUITE_P(, KokkosKernels,
                         testing::ValuesIn(filesIn("kernels/kokkos", ".cpp")),
                         stem);

class Kokkos : public testing::Test {
protected:
  /// "check line:column", sorted.
  static std::vector<std::string> findings(const Report &report) {
    std::vector<std::string> result;
    for (const Finding &finding : report.findings)
      result.push_back(llvm::formatv("{0} {1}:{2}", finding.check,
                                     finding.place.line, finding.place.column));
    llvm::sort(result);
    return result;
  }

  /// As a build with g++ says it, in a compilation database.
  Options hostBuild(const std::string &source,
                    const std::string &headers = kokkosHeaders()) {
    folder_.write("compile_commands.json",
                  llvm::formatv("[{{\"directory\": \"{0}\", \"file\": \"{1}\", "
                                "\"command\": \"g++ -std=c++17 -fopenmp -I{2} "
                                "-c {1}\"}]",
                                folder_.path, source, headers)
                      .str());
    Options options;
    options.command = CommandName::Check;
    options.sources.paths = {source};
    options.sources.database = folder_.path;
    return options;
  }

  Report lintedAsHostBuild(const std::string &source,
                           const std::string &deviceLayout = "") {
    Options options = hostBuild(source);
    options.sources.deviceLayout = deviceLayout;
    return reportOf(options);
  }

  InputFolder folder_;
};

// A host build on a laptop shows what the GPU will do, unjudged.
TEST_F(Kokkos, HostBuildIsReadAsACudaBuild) {
  for (const char *sample : {"sample-1", "sample-3", "sample-5"}) {
    std::string source = root + "/kernels/kokkos/" + sample + ".cpp";
    Report host = lintedAsHostBuild(source);
    Options options;
    options.command = CommandName::Check;
    options.compiling.judge = false;
    options.sources.paths = {source};
    options.sources.extraFlags = kokkosCudaFlags();
    auto cuda = check(options);
    ASSERT_TRUE(bool(cuda)) << llvm::toString(cuda.takeError());
    EXPECT_FALSE(host.findings.empty()) << sample;
    EXPECT_EQ(findings(host), findings(*cuda)) << sample;
    for (const Finding &finding : host.findings) {
      EXPECT_EQ(finding.verdict(), Verdict::Unjudged);
      for (const FindingKernel &kernel : finding.kernels)
        EXPECT_THAT(kernel.judgement.evidence, HasSubstr("host build"));
    }
  }
}

constexpr const char *withoutLayout = R"(#include <Kokkos_Core.hpp>
void run(Kokkos::View<float **> x, int n) {
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { x(i, 5) = 1; });
}
)";

// With --device-layout right, findings are those of LayoutRight.
TEST_F(Kokkos, DeviceLayoutCanBeSet) {
  std::string source = folder_.write("layout.cpp", withoutLayout);
  EXPECT_THAT(findings(lintedAsHostBuild(source)), ElementsAre());
  EXPECT_THAT(findings(lintedAsHostBuild(source, "left")), ElementsAre());
  EXPECT_THAT(findings(lintedAsHostBuild(source, "right")),
              ElementsAre("layout-against-index 4:41"));
}

// A flag that changes nothing and says nothing is taken for one that works.
TEST_F(Kokkos, DeviceLayoutIsReportedUnusedInACudaBuild) {
  std::string source = folder_.write("layout.cpp", withoutLayout);
  Outcome outcome = runProgram(
      withFlags({"check", "--no-judge", "--device-layout", "right", source}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err,
              HasSubstr("'--device-layout' has no effect here"));
  outcome = runProgram(withFlags({"check", "--device-layout", "up", source}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("'--device-layout' is left or right, not 'up'"));
}

// Some distributions leave the other backends' headers out.
TEST_F(Kokkos, AMissingCudaBackendIsReportedInOneLine) {
  std::string headers = folder_.path + "/installed";
  ASSERT_FALSE(llvm::sys::fs::create_directory(headers));
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(kokkosHeaders(), error), end;
       !error && entry != end; entry.increment(error)) {
    llvm::StringRef name = llvm::sys::path::filename(entry->path());
    if (name != "Cuda" && name != "Kokkos_Cuda.hpp") {
      ASSERT_FALSE(
          llvm::sys::fs::create_link(entry->path(), headers + "/" + name));
    }
  }
  Options options = hostBuild(root + "/kernels/kokkos/sample-3.cpp", headers);
  auto report = check(options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->unread.size(), 1u);
  EXPECT_THAT(report->unread[0].firstError,
              HasSubstr("this installation of Kokkos has no headers of the "
                        "CUDA backend"));
}

// Many codes keep their kernels in the headers of classes: the source itself
// then never says 'Kokkos'.
TEST_F(Kokkos, HostBuildThatReachesKokkosThroughHeadersIsRead) {
  folder_.write("include/types.h", "#  include <Kokkos_Core.hpp>\n"
                                   "using Values = Kokkos::View<float *>;\n");
  folder_.write("step.h", R"(#include <types.h>
inline void step(Values x, int n) {
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { x(64 * i) = 1; });
}
)");
  std::string source = folder_.write("main.cpp", R"(#include "step.h"
void run(Values x, int n) { step(x, n); }
)");
  folder_.write("compile_commands.json",
                llvm::formatv("[{{\"directory\": \"{0}\", \"file\": \"{1}\", "
                              "\"command\": \"g++ -std=c++17 -Iinclude -I{2} "
                              "-c {1}\"}]",
                              folder_.path, source, kokkosHeaders())
                    .str());
  Outcome outcome = runProgram({"check", "-p", folder_.path, source});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("step.h:4:43: warning: store of"));
}

// A host source without Kokkos is nobody's business here.
TEST_F(Kokkos, HostBuildOfOtherSourcesIsIgnored) {
  std::string source = folder_.write("plain.cpp", "int main() {}\n");
  folder_.write("compile_commands.json",
                llvm::formatv("[{{\"directory\": \"{0}\", \"file\": \"{1}\", "
                              "\"command\": \"g++ -c {1}\"}]",
                              folder_.path, source)
                    .str());
  Outcome outcome = runProgram({"check", "-p", folder_.path});
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("no CUDA source"));
  EXPECT_THAT(outcome.err + outcome.out, Not(HasSubstr("Kokkos was")));
}

constexpr const char *names = R"(#include <Kokkos_Core.hpp>
namespace heat {
struct Twice {};
struct Step {
  Kokkos::View<float *> x;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) = 1; }
  KOKKOS_FUNCTION void operator()(Twice, int i) const { x(i) = 2; }
};
KOKKOS_FUNCTION void add(const Kokkos::View<float *> &x, int i) {
  x(i) += 1;
}
void run(int n) {
  Kokkos::View<float *> x("x", n);
  Kokkos::parallel_for(n, Step{x});
  Kokkos::parallel_for(Kokkos::RangePolicy<Twice>(0, n), Step{x});
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { add(x, i); });
  float sum = 0;
  Kokkos::parallel_reduce(
      n, KOKKOS_LAMBDA(int i, float &s) { s += x(i); }, sum);
}
} // namespace heat
)";

// 'Kokkos::Impl::cuda_parallel_launch_local_memory<...>' with three lines of
// template arguments is nothing that its author ever wrote.
TEST_F(Kokkos, KernelsHaveTheirSourceNames) {
  std::string source = folder_.write("names.cpp", names);
  Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", source}));
  std::set<std::string> kernels;
  for (const llvm::json::Value &row : parsed(outcome, "accesses"))
    kernels.insert(row.getAsObject()->getString("kernel")->str());
  EXPECT_THAT(kernels,
              testing::UnorderedElementsAre(
                  "parallel_for(heat::Step)", "parallel_for(heat::Step, Twice)",
                  "parallel_for(lambda at names.cpp:17)",
                  "parallel_reduce(lambda at names.cpp:20)"));
}

// Many codes dispatch one functor with a tag and a policy for each step.
TEST_F(Kokkos, EachTagHasTheBlockOfItsOwnPolicy) {
  std::string source = folder_.write("tags.cpp", R"(#include <Kokkos_Core.hpp>
struct Inner {};
struct Edge {};
struct Step {
  Kokkos::View<float **> x;
  KOKKOS_FUNCTION void operator()(Inner, int i, int j) const { x(i, j) = 1; }
  KOKKOS_FUNCTION void operator()(Edge, int i) const { x(i, 0) = 1; }
};
void run(Kokkos::View<float **> x, int n) {
  Kokkos::parallel_for(Kokkos::RangePolicy<Edge>(0, n), Step{x});
  Kokkos::parallel_for(
      Kokkos::MDRangePolicy<Inner, Kokkos::Rank<2>>({0, 0}, {n, n}, {8, 16}),
      Step{x});
}
)");
  Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", source}));
  std::map<std::string, std::string> blocks;
  for (const llvm::json::Value &value : parsed(outcome, "accesses")) {
    const llvm::json::Object &row = *value.getAsObject();
    blocks[row.getString("kernel")->str()] += row.getString("block")->str();
  }
  EXPECT_EQ(blocks, (std::map<std::string, std::string>{
                        {"parallel_for(Step, Edge)", "1x256x1"},
                        {"parallel_for(Step, Inner)", "8x16x1"}}));
}

// The exercises of a course are all a 'main' with a lambda in it: they are
// different kernels of one name.
TEST_F(Kokkos, LambdasOfTwoProgramsShareNoPolicy) {
  const char *text = R"(#include <Kokkos_Core.hpp>
int main() {{
  const int n = 100;
  Kokkos::View<float *> x("x", n);
  Kokkos::parallel_for(Kokkos::TeamPolicy<>(n, {0}, {1}),
    KOKKOS_LAMBDA(const Kokkos::TeamPolicy<>::member_type &team) {{
      x(team.team_rank()) = 1;
    });
}
)";
  std::string one = folder_.write("one.cpp", llvm::formatv(text, 8, 16).str()),
              two = folder_.write("two.cpp", llvm::formatv(text, 4, 32).str());
  Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", one, two}));
  std::map<std::string, std::set<std::string>> blocks;
  for (const llvm::json::Value &value : parsed(outcome, "accesses")) {
    const llvm::json::Object &row = *value.getAsObject();
    blocks[row.getString("file")->str()].insert(row.getString("block")->str());
  }
  EXPECT_EQ(blocks, (std::map<std::string, std::set<std::string>>{
                        {one, {"16x8x1"}}, {two, {"32x4x1"}}}));
}

// A finding on loaded data names them.
TEST_F(Kokkos, LoadedIndexesHaveTheirSourceNames) {
  std::string source = folder_.write("bins.cpp", R"(#include <Kokkos_Core.hpp>
using Counts = Kokkos::View<int **, Kokkos::MemoryTraits<Kokkos::Atomic>>;
void run(Counts counts, Kokkos::View<int **> bin, int n, int row) {
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { counts(row, bin(i, 0))++; });
}
)");
  Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", source}));
  bool any = false, anyIndex = false;
  for (const llvm::json::Value &value : parsed(outcome, "accesses")) {
    const llvm::json::Object &row = *value.getAsObject();
    // It stands where it is written, not where 'counts' gets to use it.
    anyIndex |=
        row.getString("text") == "bin(i, 0)" && row.getInteger("column") == 45;
    if (row.getString("op") != "atomic")
      continue;
    any = true;
    EXPECT_EQ(row.getString("object"), "counts");
    EXPECT_EQ(row.getString("dependsOn"), "'bin(i, 0)', loaded from memory");
  }
  EXPECT_TRUE(any && anyIndex) << outcome.out;
}

// How the library comes to call the body helps nobody, what the body calls
// does; nor are the library's own accesses the user's.
TEST_F(Kokkos, LibraryFramesAreHidden) {
  std::string source = folder_.write("names.cpp", names);
  Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", source}));
  for (const llvm::json::Value &row : parsed(outcome, "accesses"))
    EXPECT_EQ(row.getAsObject()->getString("file"), llvm::StringRef(source));
  Options options;
  options.command = CommandName::Check;
  options.compiling.judge = false;
  options.sources.paths = {
      folder_.write("helper.cpp", R"(#include <Kokkos_Core.hpp>
KOKKOS_FUNCTION void set(const Kokkos::View<float *> &x, int i) {
  x(64 * i) = 1;
}
void run(Kokkos::View<float *> x, int n) {
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { set(x, i); });
}
)")};
  options.sources.extraFlags = kokkosCudaFlags();
  auto report = check(options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(findings(*report),
            std::vector<std::string>{"strided-global-access 3:13"});
  const std::vector<Place> &calls = report->findings[0].callSites;
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].line, 7u);
}

// Where each thread keeps its share of a reduction is up to the library; how
// large it is, to the body, if it is of the body's own type.
TEST_F(Kokkos, ReductionScratchHasFindingsForUserTypesAlone) {
  NEEDS_REAL_KOKKOS();
  const std::string source =
      folder_.write("shares.cpp", R"(#include <Kokkos_Core.hpp>
struct Pair {
  double first = 0, second = 0;
  KOKKOS_FUNCTION void operator+=(const Pair &other) {
    first += other.first;
    second += other.second;
  }
  KOKKOS_FUNCTION void operator+=(const volatile Pair &other) volatile {
    first += other.first;
    second += other.second;
  }
};
using Least = Kokkos::MinLoc<float, int>;
void run(Kokkos::View<float *> x, int n, Least::value_type &least, Pair &own) {
  Kokkos::parallel_reduce(
      n,
      KOKKOS_LAMBDA(int i, Least::value_type &m) {
        if (x(i) < m.val)
          m.loc = i;
      },
      Least(least));
  float a, b;
  Kokkos::parallel_reduce(
      n,
      KOKKOS_LAMBDA(int i, float &s, float &m) {
        s += x(i);
        m += x(i) * x(i);
      },
      a, b);
  Kokkos::parallel_reduce(
      n, KOKKOS_LAMBDA(int i, Pair &p) { p.first += x(i); }, own);
}
)");
  Options options;
  options.command = CommandName::Check;
  options.compiling.judge = false;
  options.settings.enabled = {"shared-bank-conflict"};
  options.sources.paths = {source};
  options.sources.extraFlags = kokkosCudaFlags();
  auto report = check(options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_TRUE(report->unread.empty() && report->unreadKernels.empty());
  bool anyOfOwn = false;
  for (const Finding &finding : report->findings) {
    const unsigned line = finding.place.line;
    EXPECT_TRUE(line <= 12 || line == 31) << line << ": no type of the user's";
    anyOfOwn |= line == 31;
  }
  EXPECT_TRUE(anyOfOwn) << "p.first is in a Pair";
}

/// The text report on one of kernels/kokkos.
std::string reportOn(const std::string &sample) {
  Outcome outcome = runProgram(withFlags(
      {"check", "--no-judge", root + "/kernels/kokkos/" + sample + ".cpp"}));
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  return outcome.out;
}

// The element is named as the source names it, and so is what to do with it.
TEST_F(Kokkos, ElementUpdatedInALoopGetsALocalVariableAsFix) {
  const std::string report = reportOn("sample-1");
  EXPECT_THAT(report,
              HasSubstr("sample-1.cpp:13:16: warning: 'A(i)' is written "
                        "in every iteration of the loop at line 12"));
  EXPECT_THAT(report, HasSubstr("fix: keep 'A(i)' in a local variable, and "
                                "write it once after the loop"));
}

// A row of a size that only the run knows fits into no local array: the cure
// is to make the size a template's, and it is named.
TEST_F(Kokkos, RowOfRunTimeSizeGetsATemplateParameterAsFix) {
  const std::string report = reportOn("sample-2");
  EXPECT_THAT(report,
              HasSubstr("'A(i, dir)' is written in every iteration of the "
                        "loop at line 15"));
  EXPECT_THAT(
      report,
      HasSubstr("fix: if 'dim' is small, make 'dim' (captured from line 8) a "
                "template parameter of the function that dispatches, and keep "
                "'A(i, dir)' in a local array of that extent, written once "
                "after the loop at line 13"));
}

TEST_F(Kokkos, IndexFromAViewIsNamedWithItsFix) {
  const std::string report = reportOn("sample-4");
  EXPECT_THAT(report, HasSubstr("index of 'Atmp' depends on what its own array "
                                "'indir' holds, loaded from 'indirections(i, "
                                "dir)'"));
  EXPECT_THAT(report, HasSubstr("fix: loop over the elements of 'Atmp' under "
                                "'#pragma unroll'"));
}

// The numbers of a policy are the block that nvcc's code will run with.
TEST_F(Kokkos, PoliciesGiveTheBlocks) {
  std::string source =
      folder_.write("policies.cpp", R"(#include <Kokkos_Core.hpp>
void run(Kokkos::View<float **> x, int n) {
  Kokkos::parallel_for(
      Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, n}, {16, 8}),
      KOKKOS_LAMBDA(int i, int j) { x(i, j) = 1; });
  Kokkos::parallel_for(
      Kokkos::TeamPolicy<>(n, 8, 32),
      KOKKOS_LAMBDA(const Kokkos::TeamPolicy<>::member_type &team) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int j) {
          x(j, team.league_rank() * 8 + team.team_rank()) = 1;
        });
      });
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { x(i, 0) = 1; });
}
)");
  Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", source}));
  std::vector<std::string> blocks;
  for (const llvm::json::Value &row : parsed(outcome, "accesses"))
    if (row.getAsObject()->getString("space") == "global")
      blocks.push_back(llvm::formatv(
          "{0} {1} {2}", row.getAsObject()->getInteger("line").value_or(0),
          row.getAsObject()->getString("block").value_or(""),
          number(
              row.getAsObject()->getNumber("sectorsPerRequest").value_or(0))));
  EXPECT_THAT(blocks, testing::UnorderedElementsAre("5 16x8x1 4", "10 32x8x1 4",
                                                    "14 1x256x1 4"))
      << outcome.err;
}

// Between the policy's lambda and the one in it are frames of the library.
TEST_F(Kokkos, CallChainsOfNestedLambdasHoldUserCodeAlone) {
  Options options;
  options.command = CommandName::Check;
  options.compiling.judge = false;
  options.sources.paths = {
      folder_.write("nested.cpp", R"(#include <Kokkos_Core.hpp>
using Policy = Kokkos::TeamPolicy<>;
void run(Kokkos::View<float *> x, int n) {
  Kokkos::parallel_for(
      Policy(n, 128), KOKKOS_LAMBDA(const Policy::member_type &team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n),
                             [&](int i) { x(64 * i) = 1; });
      });
}
)")};
  options.sources.extraFlags = kokkosCudaFlags();
  auto report = check(options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->findings.size(), 1u);
  const std::vector<Place> &calls = report->findings[0].callSites;
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].line, 6u);
}

// A kernel that has an error is as hard to find by the library's name.
TEST_F(Kokkos, UnreadKernelsHaveTheirSourceNames) {
  std::string source = folder_.write("broken.cpp", R"(#include <Kokkos_Core.hpp>
int host();
void run(Kokkos::View<float *> x, int n) {
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { x(i) = host(); });
}
)");
  Outcome outcome = runProgram(withFlags({"accesses", source}));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err,
              HasSubstr("kernel 'parallel_for(lambda at broken.cpp:5)' not "
                        "read"));
}

// Naming the variable and where it is declared is half of the cure.
TEST_F(Kokkos, CapturedLoopBoundIsNamedWithItsDeclaration) {
  const std::string report = reportOn("sample-5");
  EXPECT_THAT(report,
              HasSubstr("'bound' is not known at compile time (a variable "
                        "captured from line 8, where it is not 'const')"));
  EXPECT_THAT(report, HasSubstr("fix: declare 'bound' 'const' at line 8"));
}

// 'const' helps only where the value is a constant.
TEST_F(Kokkos, RunTimeLoopBoundGetsNoConstAsFix) {
  std::string source = folder_.write("bound.cpp", R"(#include <Kokkos_Core.hpp>
void run(Kokkos::View<float *> a, Kokkos::View<float **> b, int n, int given) {
  int bound = 3;
  bound = given;
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) {
        float x[3] = {};
        for (int k = 0; k < bound; ++k)
          x[k] += a(i + k);
        a(i) = x[0] + x[1] + x[2];
      });
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) {
        float x[3] = {};
        for (int k = 0; k < b.extent(1); ++k)
          x[k] += b(i, k);
        a(i) = x[0] + x[1] + x[2];
      });
}
)");
  Outcome outcome = runProgram(withFlags({"check", "--no-judge", source}));
  EXPECT_THAT(outcome.out,
              HasSubstr("fix: make 'bound' (captured from line 3) a template "
                        "parameter of the function that dispatches"));
  EXPECT_THAT(outcome.out,
              HasSubstr("fix: put 'b.extent(1)' into the View's type"));
}

constexpr const char *exactness = R"(#include <Kokkos_Core.hpp>
using Left = Kokkos::LayoutLeft;
using Right = Kokkos::LayoutRight;
struct Scale {
  Kokkos::View<float *> x;
  KOKKOS_FUNCTION void operator()(int i) const {
    x(i) = 1;
  }
};
void run(int n, int m, int first) {
  Kokkos::View<float *> x("x", n);
  Kokkos::View<float[4096][4096], Left> y("y");
  Kokkos::View<double[8][32], Left> whole("whole");
  Kokkos::View<double *[3], Left> columns("columns", n);
  Kokkos::View<double *[3], Right> rows("rows", n);
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) {
        x(i) = 0;
      });
  Kokkos::parallel_for(
      Kokkos::RangePolicy<>(0, n), KOKKOS_LAMBDA(int i) {
        x(i) = 0;
      });
  Kokkos::parallel_for(
      Kokkos::RangePolicy<>(first, n), KOKKOS_LAMBDA(int i) {
        x(i) = 0;
      });
  Kokkos::parallel_for(
      Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, m}, {32, 8}),
      KOKKOS_LAMBDA(int i, int j) {
        y(i, j) = 0;
      });
  Kokkos::parallel_for(
      32, KOKKOS_LAMBDA(int i) {
        whole(2, i) = 0;
      });
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) {
        columns(i, 0) = 1;
      });
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) {
        rows(i, 0) = 0;
      });
  Kokkos::parallel_for(Kokkos::RangePolicy<>(0, n), Scale{x});
  Kokkos::parallel_for(Kokkos::RangePolicy<>(1, n), Scale{x});
}
// Not passed as an argument, but in constant and in global memory.
template <unsigned Words> struct Large {
  Kokkos::View<float *> x;
  float table[Words];
  KOKKOS_FUNCTION void operator()(int i) const {
    x(i) = table[0];
  }
};
using Rows = Kokkos::View<double *[3], Kokkos::LayoutRight>;
using Seen = Kokkos::View<double *[3], Kokkos::LayoutRight,
                          Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <unsigned Words> struct LargeRows {
  Rows rows;
  float table[Words];
  KOKKOS_FUNCTION void operator()(int i) const {
    Seen seen = rows;
    seen(i, 0) = table[0];
  }
};
void large(Kokkos::View<float *> x, Rows rows, int n) {
  Kokkos::parallel_for(n, Large<256>{x, {}});
  Kokkos::parallel_for(n, Large<10000>{x, {}});
  Kokkos::parallel_for(n, LargeRows<256>{rows, {}});
  Kokkos::parallel_for(n, LargeRows<10000>{rows, {}});
}
)";

// Constants given to a policy are exact; a stride is not if a View cut out of a
// wider one would have another.
TEST_F(Kokkos, FiguresAreExactIfPolicyAndTypeFixTheSizes) {
  std::string source = folder_.write("exact.cpp", exactness);
  Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", source}));
  std::map<unsigned, std::string> bases;     // by line; of several, the last
  std::map<std::string, std::string> stores; // by kernel; of several, the last
  for (const llvm::json::Value &value : parsed(outcome, "accesses")) {
    const llvm::json::Object &row = *value.getAsObject();
    const std::string basis =
        number(row.getNumber("sectorsPerRequest").value_or(-1)) + " " +
        row.getString("basis")->str();
    bases[row.getInteger("line").value_or(0)] = basis;
    if (row.getString("op") == "store")
      stores[row.getString("kernel")->str()] = basis;
  }
  EXPECT_EQ(bases[18], "4 exact") << "an integer is a range from 0";
  EXPECT_EQ(bases[22], "4 exact");
  EXPECT_EQ(bases[26], "4 assumed") << "the range begins anywhere";
  EXPECT_EQ(bases[31], "4 exact");
  EXPECT_EQ(bases[35], "32 exact") << "8 doubles apart";
  EXPECT_EQ(bases[39], "8 exact");
  EXPECT_EQ(bases[43], "24 assumed") << "may be a part of a wider View";
  EXPECT_EQ(bases[7], "4 assumed") << "dispatched over two ranges";
  if (kokkosHeaders() == kokkosStub)
    return; // it passes everything by value
  EXPECT_EQ(stores["parallel_for(Large<256>)"], "4 exact");
  EXPECT_EQ(stores["parallel_for(Large<10000>)"], "4 exact");
  EXPECT_EQ(stores["parallel_for(LargeRows<256>)"], "24 assumed")
      << "of a copy of a View that is not passed by value";
  EXPECT_EQ(stores["parallel_for(LargeRows<10000>)"], "24 assumed");
}

// The library wraps reductions and scans differently for nvcc and for Clang: a
// kernel whose names do not match stays unjudged.
TEST_F(Kokkos, EveryWayToReduceAndToScanIsJudged) {
  NEEDS_REAL_KOKKOS();
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: reductions are not judged";
  const std::string source = root + "/fixtures/kokkos/reductions.cpp";
  std::set<unsigned> strided, found; // lines
  for (const auto &[line, sectors] : marked(source))
    if (llvm::StringRef(sectors).starts_with("32") || sectors == "16")
      strided.insert(line);
  for (const Finding &finding :
       linted({source}, {"strided-global-access", "layout-against-index"},
              {"sm_80"}, kokkosCudaFlags())
           .findings) {
    found.insert(finding.place.line);
    for (const FindingKernel &kernel : finding.kernels) {
      EXPECT_EQ(kernel.judgement.verdict, Verdict::Confirmed)
          << finding.place.line << ": " << kernel.judgement.evidence;
      EXPECT_THAT(kernel.name, Not(HasSubstr("Impl"))) << finding.place.line;
    }
  }
  EXPECT_EQ(found, strided);
}

// The loop over the range is the library's, which a user cannot change.
TEST_F(Kokkos, TheLoopOverTheRangeIsNoLoopOfTheUsers) {
  NEEDS_REAL_KOKKOS();
  InputFolder folder;
  const std::string source =
      folder.write("range.cpp", R"(#include <Kokkos_Core.hpp>
void run(Kokkos::View<int *> out, Kokkos::View<float *> a, int n) {
  Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) { out(3) = i; });
  Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) { a(i) = a(i) * out(7); });
  Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) {
    Kokkos::atomic_add(&out(0), i);
  });
}
)");
  std::vector<std::string> found;
  for (const Finding &finding :
       linted({source}, {}, {}, kokkosCudaFlags()).findings)
    found.push_back(finding.check + ":" + std::to_string(finding.place.line));
  EXPECT_THAT(found, ElementsAre("contended-atomic:6"));
}

// Ranks lie along y, so lanes of a warp differ in them, unless the code spreads
// work over vector lanes.
TEST_F(Kokkos, ATeamOfUnknownSizeLiesAlongY) {
  NEEDS_REAL_KOKKOS();
  InputFolder folder;
  const std::string source =
      folder.write("team.cpp", R"(#include <Kokkos_Core.hpp>
using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
void run(const Policy &policy, Kokkos::View<float *> x,
         Kokkos::View<float **, Kokkos::LayoutRight> y) {
  Kokkos::parallel_for(policy, KOKKOS_LAMBDA(const Member &t) {
    Kokkos::atomic_add(&x(t.league_rank() * 8 + t.team_rank()), 1.f);
  });
  Kokkos::parallel_for(policy, KOKKOS_LAMBDA(const Member &t) {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(t, 100), [&](int j) {
      y(t.team_rank(), j) = j;
    });
  });
}
)");
  Outcome outcome = runProgram(withFlags({"accesses", source, "--no-cache"}));
  EXPECT_THAT(outcome.out, HasSubstr("blocks of 1x256x1 (assumed)"));
  EXPECT_THAT(outcome.out, HasSubstr("blocks of 32x8x1 (assumed)"));
  for (const Finding &finding :
       linted({source}, {}, {}, kokkosCudaFlags()).findings)
    ADD_FAILURE() << finding.check << ": " << finding.message;
}

constexpr const char *scratch = R"(#include <Kokkos_Core.hpp>
using Policy = Kokkos::TeamPolicy<>;
using Scratch =
    Kokkos::View<double *, Policy::execution_space::scratch_memory_space,
                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
void run(Kokkos::View<double *> x, int n, int m) {
  Kokkos::parallel_for(
      Policy(n, 32, 8).set_scratch_size(1, Kokkos::PerTeam(8 * m)),
      KOKKOS_LAMBDA(const Policy::member_type &team) {
        Scratch s(team.team_scratch(1), m);
        double *sums = s.data();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, m), [&](int j) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, m), [&](int i) {
            Kokkos::atomic_add(sums + i, x(j + i));
          });
        });
        x(team.league_rank()) = s(0);
      });
}
)";

// Were it the same memory for all, every sum in it would look contended.
TEST_F(Kokkos, TeamScratchIsPerBlock) {
  NEEDS_REAL_KOKKOS();
  std::string source = folder_.write("scratch.cpp", scratch);
  Outcome outcome = runProgram(withFlags(
      {"check", "--no-judge", "--check", "contended-atomic", source}));
  EXPECT_EQ(outcome.code, 0) << outcome.out;
}

// The list of registers and spills is by what its reader wrote.
TEST_F(Kokkos, ResourcesNameADispatchByItsLambda) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: names of compiled kernels are not tested";
  std::string source = folder_.write("names.cpp", names);
  Outcome outcome = runProgram(withFlags({"resources", source}));
  EXPECT_THAT(outcome.out, HasSubstr("parallel_for(lambda at names.cpp:17)"));
  EXPECT_THAT(outcome.out, HasSubstr("parallel_for(heat::Step, Twice)"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("parallel_for(heat::run")));
}

} // namespace
