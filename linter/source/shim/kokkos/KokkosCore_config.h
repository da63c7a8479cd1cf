// A Kokkos that was configured for the host, as it would be for a GPU. Its CUDA
// backend is installed beside the others, whatever was enabled.
#include_next <KokkosCore_config.h>
#if !__has_include(<fwd/Kokkos_Fwd_CUDA.hpp>) ||                               \
    !(__has_include(<Kokkos_Cuda.hpp>) || __has_include(<Cuda/Kokkos_Cuda.hpp>))
#error "cannot be read as for a GPU: this installation of Kokkos has no headers of the CUDA backend (fwd/Kokkos_Fwd_CUDA.hpp)"
#elif !defined KOKKOS_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA_LAMBDA
// The standard is that of the source's command, not of the host's build, which
// may lack KOKKOS_CLASS_LAMBDA.
#if __cplusplus >= 201703L && !defined KOKKOS_ENABLE_CXX17 &&                  \
    !defined KOKKOS_ENABLE_CXX20
#define KOKKOS_ENABLE_CXX17
#endif
#define KOKKOS_ARCH_AMPERE
#define KOKKOS_ARCH_AMPERE80
#define DESUL_ATOMICS_ENABLE_CUDA
// The half precision of 3.x does not fit CUDA 12 and 13; without a toolkit
// there is none. Kokkos then has float in its place.
#if KOKKOS_VERSION < 40000 || !__has_include(<cuda_fp16.h>)
#define KOKKOS_CUDA_HALF_HPP_
#define KOKKOS_CUDA_HALF_IMPL_TYPE_HPP_
#endif
#endif
