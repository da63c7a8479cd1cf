#include_next <KokkosCore_Config_DeclareBackend.hpp>
#ifdef KOKKOS_ENABLE_CUDA
#include <decl/Kokkos_Declare_CUDA.hpp>
#endif
