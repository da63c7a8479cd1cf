#include_next <KokkosCore_Config_FwdBackend.hpp>
#include <fwd/Kokkos_Fwd_CUDA.hpp>
