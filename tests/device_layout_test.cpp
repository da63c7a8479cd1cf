// `--device-layout`: Views without a layout of their own.
#include "kokkos_runs.h"

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class DeviceLayout : public KokkosRun {};

constexpr const char *withoutLayout = R"(#include <Kokkos_Core.hpp>
void run(Kokkos::View<float **> x, int n) {
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { x(i, 5) = 1; });
}
)";

// With --device-layout right, findings are those of LayoutRight.
TEST_F(DeviceLayout, DeviceLayoutCanBeSet) {
  std::string source = folder_.write("layout.cpp", withoutLayout);
  EXPECT_THAT(findings(lintedAsHostBuild(source)), ElementsAre());
  EXPECT_THAT(findings(lintedAsHostBuild(source, "left")), ElementsAre());
  EXPECT_THAT(findings(lintedAsHostBuild(source, "right")),
              ElementsAre("layout-against-index 4:41"));
}

// A flag that changes nothing and says nothing is taken for one that works.
TEST_F(DeviceLayout, DeviceLayoutIsReportedUnusedInACudaBuild) {
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

} // namespace
