// A constant is not captured: the loop is unrolled.
#include <Kokkos_Core.hpp>

int main(int argc, char *argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const int size = 1 << 25;
  Kokkos::View<float *> A("A", size);
  const int bound = 3;
  Kokkos::parallel_for(
      "Kernel", size - 3, KOKKOS_LAMBDA(const int i) {
        float tmp[3] = {};
        for (int k = 0; k < bound; k++) {
          tmp[k] += A(i + k);
        }
        A(i) = tmp[0] + 2 * tmp[1] + 3 * tmp[2];
      });
  Kokkos::fence();
}
