// Each thread sums a row. In LayoutRight a row is contiguous, so neighbouring
// threads are a row apart.
#include <Kokkos_Core.hpp>

int main(int argc, char *argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int N = 10000;
  Kokkos::View<float **, Kokkos::LayoutRight> A_LR("A_LR", N, N);
  Kokkos::View<float *> row_sum("row_sum", N);
  Kokkos::parallel_for(
      "RowSumLR", N, KOKKOS_LAMBDA(int i) {
        float sum = 0.0;
        for (int j = 0; j < N; j++) { // expect: open-trip-count
          sum += A_LR(i, j); // expect: layout-against-index
        }
        row_sum(i) = sum;
      });
  Kokkos::fence();
}
