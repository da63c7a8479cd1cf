// Clang's CUDA headers bring this one of cuRAND into every source, which nvcc
// does not. Its names would meet the user's own (`-DN=1024`, `-DV=1`), and a
// toolkit without cuRAND has no such file. So it is read only if a source asks
// for it; Clang's wrapper, which does not, is known by its macro.
#ifndef dim3
#if __has_include_next(<curand_mtgp32_kernel.h>)
// It declares threadIdx and blockDim anew, with types that are not Clang's.
#pragma push_macro("dim3")
#pragma push_macro("uint3")
#define dim3 __cuda_builtin_blockDim_t
#define uint3 __cuda_builtin_threadIdx_t
#include_next <curand_mtgp32_kernel.h>
#pragma pop_macro("dim3")
#pragma pop_macro("uint3")
#endif
#endif
