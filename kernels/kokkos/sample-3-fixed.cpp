// In LayoutLeft neighbouring rows are neighbours in memory.
#include <Kokkos_Core.hpp>

int main(int argc, char *argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int N = 10000;
  Kokkos::View<float **, Kokkos::LayoutLeft> A_LL("A_LL", N, N);
  Kokkos::View<float *> row_sum("row_sum", N);
  Kokkos::parallel_for(
      "RowSumLL", N, KOKKOS_LAMBDA(int i) {
        float sum = 0.0;
        for (int j = 0; j < N; j++) { // expect: open-trip-count
          sum += A_LL(i, j);
        }
        row_sum(i) = sum;
      });
  Kokkos::fence();
}
