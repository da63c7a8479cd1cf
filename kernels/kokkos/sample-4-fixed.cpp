// A switch has constant indexes alone.
#include <Kokkos_Core.hpp>

template <int dim>
void apply(Kokkos::View<float **> A, Kokkos::View<float **> B,
           Kokkos::View<int **> indirections, int size) {
  Kokkos::parallel_for(
      "Kernel", size, KOKKOS_LAMBDA(const int i) {
        float Atmp[dim], Btmp[dim];
        int indir[dim];
        for (int dir = 0; dir < dim; dir++) {
          indir[dir] = indirections(i, dir);
          Atmp[dir] = A(i, dir);
          Btmp[dir] = B(i, dir);
        }
        for (int k = 0; k < 10; k++)
          for (int dir = 0; dir < dim; dir++)
            for (int dir2 = 0; dir2 < dim; dir2++)
              switch (indir[dir]) {
              case 0:
                Atmp[0] += Btmp[dir2];
                break;
              case 1:
                Atmp[1] += Btmp[dir2];
                break;
              case 2:
                Atmp[2] += Btmp[dir2];
                break;
              }
        for (int dir = 0; dir < dim; dir++)
          A(i, dir) = Atmp[dir];
      });
}

int main(int argc, char *argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const int size = 1 << 25, dim = 3;
  Kokkos::View<float **> A("A", size, dim);
  Kokkos::View<float **> B("B", size, dim);
  Kokkos::View<int **> indirections("indirections", size, dim);
  apply<dim>(A, B, indirections, size);
  Kokkos::fence();
}
