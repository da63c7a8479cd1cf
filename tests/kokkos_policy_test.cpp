// The block that a Kokkos policy gives its kernel.
#include "kokkos_runs.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

class KokkosPolicies : public KokkosRun {};

// The numbers of a policy are the block that nvcc's code will run with.
TEST_F(KokkosPolicies, PoliciesGiveTheBlocks) {
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

// Many codes dispatch one functor with a tag and a policy for each step.
TEST_F(KokkosPolicies, EachTagHasTheBlockOfItsOwnPolicy) {
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
TEST_F(KokkosPolicies, LambdasOfTwoProgramsShareNoPolicy) {
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

// Ranks lie along y, so lanes of a warp differ in them, unless the code spreads
// work over vector lanes.
TEST_F(KokkosPolicies, ATeamOfUnknownSizeLiesAlongY) {
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

} // namespace
