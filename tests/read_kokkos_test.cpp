// Dispatches of Kokkos as kernels with the names of their source.
#include "kokkos_runs.h"

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

class ReadKokkos : public KokkosRun {};

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
TEST_F(ReadKokkos, KernelsHaveTheirSourceNames) {
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

// 'parallel_for(void par_for<Kokkos::Cuda, blur(...)::'lambda'(int)>::...' of
// athenak says nothing that leads to the loop.
TEST_F(ReadKokkos, ALoopBehindAProjectsOwnDispatchIsNamedByItsPlace) {
  std::string source = folder_.write("loops.cpp", R"(#include <Kokkos_Core.hpp>
template <class Body> void parFor(int n, const Body &body) {
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { body(i / 4, i % 4); });
}
template <class... Arguments> void loop(Arguments &&...arguments) {
  parFor(arguments...);
}
void run(int n) {
  Kokkos::View<float **> x("x", n, 4);
  loop(n, KOKKOS_LAMBDA(int i, int j) { x(i, j) = 1; });
  loop(n, KOKKOS_LAMBDA(int i, int j) { x(i, j) += 1; });
}
)");
  Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", source}));
  std::set<std::string> kernels;
  for (const llvm::json::Value &row : parsed(outcome, "accesses"))
    kernels.insert(row.getAsObject()->getString("kernel")->str());
  EXPECT_THAT(
      kernels,
      testing::UnorderedElementsAre(
          "parallel_for(lambda at loops.cpp:4 for lambda at loops.cpp:11)",
          "parallel_for(lambda at loops.cpp:4 for lambda at loops.cpp:12)"));
}

// A View's constructor goes through the elements as the library does, whatever
// their own constructors hold: nobody can change that.
TEST_F(ReadKokkos, TheKernelThatConstructsAViewIsTheLibrarys) {
  const std::string source =
      folder_.write("points.cpp", R"(#include <Kokkos_Core.hpp>
struct Point {
  float x[3] = {};
  int tag = 1;
};
void run(int n) {
  Kokkos::View<Point *, Kokkos::Cuda> all("all", n);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Kokkos::Cuda>(0, n),
      KOKKOS_LAMBDA(int i) { all(i).tag = i; });
}
)");
  const Outcome outcome =
      runProgram(withFlags({"accesses", "--format", "json", source}));
  std::set<std::string> kernels;
  for (const llvm::json::Value &row : parsed(outcome, "accesses"))
    kernels.insert(row.getAsObject()->getString("kernel")->str());
  EXPECT_THAT(kernels, testing::ElementsAre(HasSubstr("points.cpp:10")));
}

// A kernel that has an error is as hard to find by the library's name.
TEST_F(ReadKokkos, UnreadKernelsHaveTheirSourceNames) {
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

// How the library comes to call the body helps nobody, what the body calls
// does; nor are the library's own accesses the user's.
TEST_F(ReadKokkos, LibraryFramesAreHidden) {
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
  options.cache.folder = WARPLINT_TEST_CACHE;
  auto report = check(options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(findings(*report),
            std::vector<std::string>{"strided-global-access 3:13"});
  const std::vector<Place> &calls = report->findings[0].callSites;
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].line, 7u);
}

// Between the policy's lambda and the one in it are frames of the library.
TEST_F(ReadKokkos, CallChainsOfNestedLambdasHoldUserCodeAlone) {
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
  options.cache.folder = WARPLINT_TEST_CACHE;
  auto report = check(options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->findings.size(), 1u);
  const std::vector<Place> &calls = report->findings[0].callSites;
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].line, 6u);
}

// The list of registers and spills is by what its reader wrote.
TEST_F(ReadKokkos, ResourcesNameADispatchByItsLambda) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: names of compiled kernels are not tested";
  std::string source = folder_.write("names.cpp", names);
  Outcome outcome = runProgram(withFlags({"resources", source}));
  EXPECT_THAT(outcome.out, HasSubstr("parallel_for(lambda at names.cpp:17)"));
  EXPECT_THAT(outcome.out, HasSubstr("parallel_for(heat::Step, Twice)"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("parallel_for(heat::run")));
}

} // namespace
