// A Kokkos that was configured for the host, as it would be for a GPU. Its CUDA
// backend is installed beside the others, whatever was enabled.
#include_next <KokkosCore_config.h>
#ifndef KOKKOS_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA_LAMBDA
#define KOKKOS_ARCH_AMPERE
#define KOKKOS_ARCH_AMPERE80
#define DESUL_ATOMICS_ENABLE_CUDA
// Its half precision does not fit CUDA 12 and 13.
#if KOKKOS_VERSION < 40000
#define KOKKOS_CUDA_HALF_HPP_
#endif
#endif
