// The same in two dimensions, the inner one of a size known at run time only:
// no local array can hold a row.
#include <Kokkos_Core.hpp>

int main(int argc, char *argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const int size = 1 << 25;
  int dim = argc > 1 ? 2 : 3;
  Kokkos::View<float **> A("A", size, dim);
  Kokkos::View<float **> B("B", size, dim);
  Kokkos::parallel_for(
      "Kernel", size, KOKKOS_LAMBDA(const int i) {
        for (int k = 0; k < 10; k++)
          for (int dir = 0; dir < dim; dir++)
            for (int dir2 = 0; dir2 < dim; dir2++)
              A(i, dir) += B(i, dir2); // expect: repeated-global-write
      });
  Kokkos::fence();
}
