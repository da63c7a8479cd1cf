// The size is a template argument, so local arrays of it stay in registers.
#include <Kokkos_Core.hpp>

template <int dim>
void apply(Kokkos::View<float **> A, Kokkos::View<float **> B, int size) {
  Kokkos::parallel_for(
      "Kernel", size, KOKKOS_LAMBDA(const int i) {
        float Atmp[dim], Btmp[dim];
        for (int dir = 0; dir < dim; dir++) {
          Atmp[dir] = A(i, dir);
          Btmp[dir] = B(i, dir);
        }
        for (int k = 0; k < 10; k++)
          for (int dir = 0; dir < dim; dir++)
            for (int dir2 = 0; dir2 < dim; dir2++)
              Atmp[dir] += Btmp[dir2];
        for (int dir = 0; dir < dim; dir++)
          A(i, dir) = Atmp[dir];
      });
}

int main(int argc, char *argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const int size = 1 << 25;
  int dim = argc > 1 ? 2 : 3;
  Kokkos::View<float **> A("A", size, dim);
  Kokkos::View<float **> B("B", size, dim);
  if (dim == 2)
    apply<2>(A, B, size);
  else if (dim == 3)
    apply<3>(A, B, size);
  Kokkos::fence();
}
