// Sizes that a policy and the types of Views fix.
#include "kokkos_runs.h"

using namespace warplint;

namespace {

class PolicyMembers : public KokkosRun {};

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

TEST_F(PolicyMembers, FiguresAreExactIfPolicyAndTypeFixTheSizes) {
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
  EXPECT_EQ(bases[26], "4 bounded") << "the range begins anywhere";
  EXPECT_EQ(bases[31], "4 exact");
  EXPECT_EQ(bases[35], "32 exact") << "8 doubles apart";
  EXPECT_EQ(bases[39], "8 exact");
  EXPECT_EQ(bases[43], "24 assumed") << "may be a part of a wider View";
  EXPECT_EQ(bases[7], "4 bounded") << "dispatched over two ranges";
  if (kokkosHeaders() == kokkosStub)
    return; // it passes everything by value
  EXPECT_EQ(stores["parallel_for(Large<256>)"], "4 exact");
  EXPECT_EQ(stores["parallel_for(Large<10000>)"], "4 exact");
  EXPECT_EQ(stores["parallel_for(LargeRows<256>)"], "24 assumed")
      << "of a copy of a View that is not passed by value";
  EXPECT_EQ(stores["parallel_for(LargeRows<10000>)"], "24 assumed");
}

} // namespace
