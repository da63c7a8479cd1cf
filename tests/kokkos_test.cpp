// Kokkos as people have it: the real library's headers, configured for CUDA by
// headers of our own.
#include "kokkos_runs.h"
#include "test_paths.h"
#include "llvm/Support/Path.h"

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string root = WARPLINT_SOURCE_DIR;

std::string stem(const testing::TestParamInfo<std::string> &info) {
  std::string name = llvm::sys::path::stem(info.param).str();
  llvm::replace(name, '-', '_');
  return name;
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

class Kokkos : public KokkosRun {};

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
    options.cache.folder = WARPLINT_TEST_CACHE;
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

// A host's build in C++14 has no KOKKOS_CLASS_LAMBDA, of which vpic-kokkos is
// full; a source is read by its own standard.
TEST_F(Kokkos, AClassLambdaOfAHostBuildIsRead) {
  const Report report =
      lintedAsHostBuild(folder_.write("class_lambda.cpp", R"(
#include <Kokkos_Core.hpp>
struct Field {
  Kokkos::View<double *> values;
  double factor;
  void scale(int n) {
    Kokkos::parallel_for(
        n, KOKKOS_CLASS_LAMBDA(int i) { values(i * 8) = factor; });
  }
};
void run(Field &field, int n) { field.scale(n); }
)"));
  EXPECT_EQ(findings(report),
            std::vector<std::string>{"strided-global-access 8:55"});
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
  options.cache.folder = WARPLINT_TEST_CACHE;
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
  options.cache.folder = WARPLINT_TEST_CACHE;
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
  Outcome outcome = runProgram(withFlags({"check", "--no-judge", "--minor", source}));
  EXPECT_THAT(outcome.out,
              HasSubstr("fix: make 'bound' (captured from line 3) a template "
                        "parameter of the function that dispatches"));
  EXPECT_THAT(outcome.out,
              HasSubstr("fix: put 'b.extent(1)' into the View's type"));
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

} // namespace
