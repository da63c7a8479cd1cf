// One element of global memory is updated thirty times: sixty accesses where
// two would do.
#include <Kokkos_Core.hpp>

int main(int argc, char *argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const int size = 1 << 27;
  Kokkos::View<float *> A("A", size);
  Kokkos::View<float *> B("B", size);
  Kokkos::parallel_for(
      "Kernel", Kokkos::RangePolicy<>(1, size - 1), KOKKOS_LAMBDA(const int i) {
        for (int k = 0; k < 10; k++) {
          A(i) += B(i - 1); // expect: repeated-global-write // expect: repeated-global-read
          A(i) += B(i);     // expect: repeated-global-write
          A(i) += B(i + 1); // expect: repeated-global-write
        }
      });
  Kokkos::fence();
}
