// Kokkos as people have it: the real library's headers, configured for CUDA by
// headers of our own.
#include "input_folder.h"
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

/// The folder of Kokkos_Core.hpp, empty if there is none.
std::string kokkosHeaders() {
  std::vector<std::string> folders = {
      "/usr/include/trilinos", "/usr/include/kokkos", "/usr/local/include"};
  if (auto given = llvm::sys::Process::GetEnv("Kokkos_ROOT"))
    folders.insert(folders.begin(), *given + "/include");
  for (const std::string &folder : folders)
    if (llvm::sys::fs::exists(folder + "/Kokkos_Core.hpp"))
      return folder;
  return "";
}

#define NEEDS_KOKKOS()                                                         \
  if (kokkosHeaders().empty())                                                 \
  GTEST_SKIP() << "no Kokkos: scripts/setup installs libtrilinos-kokkos-dev"

/// What a build with CUDA gives the compiler.
std::vector<std::string> cudaFlags() {
  return {"-x",
          "cu",
          "-std=c++17",
          "-arch=sm_80",
          "--expt-relaxed-constexpr",
          "--extended-lambda",
          "-DKOKKOS_ENABLE_CXX17",
          "-I" + root + "/linter/source/shim/kokkos",
          "-I" + kokkosHeaders()};
}

std::vector<std::string> withFlags(std::vector<std::string> arguments) {
  arguments.push_back("--");
  llvm::append_range(arguments, cudaFlags());
  return arguments;
}

std::vector<std::string> filesIn(llvm::StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           entry(root + "/" + folder.str(), error),
       end;
       !error && entry != end; entry.increment(error))
    if (llvm::StringRef(entry->path()).ends_with(".cpp"))
      files.push_back(entry->path());
  llvm::sort(files);
  return files;
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
TEST_P(KokkosFixtures, EachAccessHasTheSectorsThatItsLineSays) {
  NEEDS_KOKKOS();
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
                         testing::ValuesIn(filesIn("fixtures/kokkos")), stem);

class KokkosKernels : public testing::TestWithParam<std::string> {};

// The five samples of a post that many learn from, judged by nvcc.
TEST_P(KokkosKernels, AreFoundAsTheyAreMarked) {
  NEEDS_KOKKOS();
  expectAsMarked(linted({GetParam()}, {}, {"sm_90"}, cudaFlags()), GetParam());
}

INSTANTIATE_TEST_SUITE_P(, KokkosKernels,
                         testing::ValuesIn(filesIn("kernels/kokkos")), stem);

class Kokkos : public testing::Test {
protected:
  void SetUp() override { NEEDS_KOKKOS(); }

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
  Report lintedAsHostBuild(const std::string &source) {
    folder_.write("compile_commands.json",
                  llvm::formatv("[{{\"directory\": \"{0}\", \"file\": \"{1}\", "
                                "\"command\": \"g++ -std=c++17 -fopenmp -I{2} "
                                "-c {1}\"}]",
                                folder_.path, source, kokkosHeaders())
                      .str());
    Options options;
    options.command = CommandName::Check;
    options.sources.paths = {source};
    options.sources.database = folder_.path;
    auto report = check(options);
    if (!report) {
      ADD_FAILURE() << llvm::toString(report.takeError());
      return {};
    }
    for (const UnreadSource &unread : report->unread)
      ADD_FAILURE() << unread.source << ": " << unread.firstError;
    return std::move(*report);
  }

  InputFolder folder_;
};

// Who builds for the host on a laptop sees what the GPU will do, and that
// nobody has judged it.
TEST_F(Kokkos, HostBuildIsReadAsTheCudaBuildThatItCanBe) {
  for (const char *sample : {"sample-1", "sample-3", "sample-5"}) {
    std::string source = root + "/kernels/kokkos/" + sample + ".cpp";
    Report host = lintedAsHostBuild(source);
    Options options;
    options.command = CommandName::Check;
    options.judge = false;
    options.sources.paths = {source};
    options.sources.extraFlags = cudaFlags();
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

// A host source without Kokkos is nobody's business here.
TEST_F(Kokkos, HostBuildOfOtherSourcesIsLeftAlone) {
  std::string source = folder_.write("plain.cpp", "int main() {}\n");
  folder_.write("compile_commands.json",
                llvm::formatv("[{{\"directory\": \"{0}\", \"file\": \"{1}\", "
                              "\"command\": \"g++ -c {1}\"}]",
                              folder_.path, source)
                    .str());
  Outcome outcome = runProgram({"check", "-p", folder_.path});
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err + outcome.out, Not(HasSubstr("Kokkos")));
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
TEST_F(Kokkos, KernelsAreCalledWhatTheirAuthorCallsThem) {
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

// How the library comes to call the body helps nobody, what the body calls
// does; nor are the library's own accesses the user's.
TEST_F(Kokkos, NothingOfTheLibraryIsShown) {
  std::string source = folder_.write("names.cpp", names);
  Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", source}));
  for (const llvm::json::Value &row : parsed(outcome, "accesses"))
    EXPECT_EQ(row.getAsObject()->getString("file"), llvm::StringRef(source));
  Options options;
  options.command = CommandName::Check;
  options.judge = false;
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
  options.sources.extraFlags = cudaFlags();
  auto report = check(options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(findings(*report),
            std::vector<std::string>{"strided-global-access 3:13"});
  const std::vector<Place> &calls = report->findings[0].callSites;
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].line, 7u);
}

// Naming the variable and where it is declared is half of the cure.
TEST_F(Kokkos, LoopBoundThatWasCapturedIsNamedWithItsDeclaration) {
  Outcome outcome = runProgram(withFlags(
      {"check", "--no-judge", root + "/kernels/kokkos/sample-5.cpp"}));
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("'bound'"));
  EXPECT_THAT(outcome.out,
              HasSubstr("captured from line 8, where it is not 'const'"));
}

} // namespace
