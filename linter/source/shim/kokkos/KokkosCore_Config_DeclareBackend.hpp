#include_next <KokkosCore_Config_DeclareBackend.hpp>
#include <decl/Kokkos_Declare_CUDA.hpp>
