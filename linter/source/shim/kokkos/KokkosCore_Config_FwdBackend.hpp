#include_next <KokkosCore_Config_FwdBackend.hpp>
#ifdef KOKKOS_ENABLE_CUDA
#include <fwd/Kokkos_Fwd_CUDA.hpp>
#endif
