// The sum is kept in a register and stored once.
#include <Kokkos_Core.hpp>

int main(int argc, char *argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const int size = 1 << 27;
  Kokkos::View<float *> A("A", size);
  Kokkos::View<float *> B("B", size);
  Kokkos::parallel_for(
      "Kernel", Kokkos::RangePolicy<>(1, size - 1), KOKKOS_LAMBDA(const int i) {
        float sum = 0;
        for (int k = 0; k < 10; k++) {
          sum += B(i - 1);
          sum += B(i);
          sum += B(i + 1);
        }
        A(i) += sum;
      });
  Kokkos::fence();
}
