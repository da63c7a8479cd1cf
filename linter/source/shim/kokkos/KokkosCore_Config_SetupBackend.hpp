#include_next <KokkosCore_Config_SetupBackend.hpp>
#ifdef KOKKOS_ENABLE_CUDA
#include <setup/Kokkos_Setup_Cuda.hpp>
#endif
