// Stands in for the CUDA runtime's headers where there is no toolkit at all, so
// that a kernel can be read by Clang alone (with -nocudainc -nocudalib). It has
// the language and the part of the library that kernels and their launches use;
// the device functions themselves are those of Clang's own headers.
#ifndef WARPLINT_CUDA_MINIMAL_H
#define WARPLINT_CUDA_MINIMAL_H
#pragma GCC system_header // what a kernel calls here stands at the call
#if defined(__CUDA__) && defined(__clang__)

// Clang's headers ask for a release; this is one that they know.
#define WARPLINT_CUDA_VERSION 12080
#define CUDA_VERSION WARPLINT_CUDA_VERSION
#define CUDART_VERSION 12080
#define __CUDART_API_VERSION CUDART_VERSION

#include <__clang_cuda_math_forward_declares.h>
// The C++ library asks for this one, to stay away from __float128.
#define __CUDACC__ 1
#include <climits>
#include <cmath>
#include <cstdlib>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(count)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#define CUDA_CB

// Vector types: alignment as the hardware's wide loads need it.
#define WARPLINT_VECTORS(type, name, align2, align4)                           \
  struct name##1 {                                                             \
    type x;                                                                    \
  };                                                                           \
  struct __align__(align2) name##2 {                                           \
    type x, y;                                                                 \
  };                                                                           \
  struct name##3 {                                                             \
    type x, y, z;                                                              \
  };                                                                           \
  struct __align__(align4) name##4 {                                           \
    type x, y, z, w;                                                           \
  };                                                                           \
  static inline __host__ __device__ name##1 make_##name##1(type x) {           \
    return {x};                                                                \
  }                                                                            \
  static inline __host__ __device__ name##2 make_##name##2(type x, type y) {   \
    return {x, y};                                                             \
  }                                                                            \
  static inline __host__ __device__ name##3 make_##name##3(type x, type y,     \
                                                           type z) {           \
    return {x, y, z};                                                          \
  }                                                                            \
  static inline __host__ __device__ name##4 make_##name##4(type x, type y,     \
                                                           type z, type w) {   \
    return {x, y, z, w};                                                       \
  }
WARPLINT_VECTORS(signed char, char, 2, 4)
WARPLINT_VECTORS(unsigned char, uchar, 2, 4)
WARPLINT_VECTORS(short, short, 4, 8)
WARPLINT_VECTORS(unsigned short, ushort, 4, 8)
WARPLINT_VECTORS(int, int, 8, 16)
WARPLINT_VECTORS(unsigned, uint, 8, 16)
WARPLINT_VECTORS(long, long, 16, 16)
WARPLINT_VECTORS(unsigned long, ulong, 16, 16)
WARPLINT_VECTORS(long long, longlong, 16, 16)
WARPLINT_VECTORS(unsigned long long, ulonglong, 16, 16)
WARPLINT_VECTORS(float, float, 8, 16)
WARPLINT_VECTORS(double, double, 16, 16)
#undef WARPLINT_VECTORS

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1,
                                     unsigned z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

// threadIdx and its kin, and what their x, y and z are read from.
#include <__clang_cuda_builtin_vars.h>
#define WARPLINT_CONVERSIONS(variable)                                         \
  __device__ inline __cuda_builtin_##variable##_t::operator dim3() const {     \
    return dim3(x, y, z);                                                      \
  }                                                                            \
  __device__ inline __cuda_builtin_##variable##_t::operator uint3() const {    \
    return {x, y, z};                                                          \
  }
WARPLINT_CONVERSIONS(threadIdx)
WARPLINT_CONVERSIONS(blockIdx)
WARPLINT_CONVERSIONS(blockDim)
WARPLINT_CONVERSIONS(gridDim)
#undef WARPLINT_CONVERSIONS

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char *, const char *, unsigned, const char *,
                             size_t);
__device__ static inline void __assert_fail(const char *__message,
                                            const char *__file, unsigned __line,
                                            const char *__function) {
  __assertfail(__message, __file, __line, __function, sizeof(char));
}
}

// Device functions: Clang's wrappers of its builtins and of libdevice. Each
// needs the one before.
// clang-format off
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
// clang-format on
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
#define WARPLINT_IS(name, space)                                               \
  static inline __device__ unsigned name(const void *__address) {              \
    return __nvvm_isspacep_##space(__address);                                 \
  }
WARPLINT_IS(__isGlobal, global)
WARPLINT_IS(__isShared, shared)
WARPLINT_IS(__isConstant, const)
WARPLINT_IS(__isLocal, local)
#undef WARPLINT_IS
static inline __device__ size_t
__cvta_generic_to_shared(const void *__address) {
  return (size_t)(const __attribute__((address_space(3))) void *)__address;
}
static inline __device__ size_t
__cvta_generic_to_global(const void *__address) {
  return (size_t)(const __attribute__((address_space(1))) void *)__address;
}
// clang-format off
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>
// clang-format on

// The overloads that the toolkit's math_functions.hpp adds to these for the
// device; the host has the same ones from warplint_cuda.h.
#define WARPLINT_MIN_MAX(__result, __left, __right)                            \
  static inline __device__ __result min(__left __a, __right __b) {             \
    return static_cast<__result>(__a) < static_cast<__result>(__b)             \
               ? static_cast<__result>(__a)                                    \
               : static_cast<__result>(__b);                                   \
  }                                                                            \
  static inline __device__ __result max(__left __a, __right __b) {             \
    return static_cast<__result>(__a) < static_cast<__result>(__b)             \
               ? static_cast<__result>(__b)                                    \
               : static_cast<__result>(__a);                                   \
  }
#define WARPLINT_MIN_MAX_MIXED(__larger, __smaller)                            \
  WARPLINT_MIN_MAX(__larger, __larger, __larger)                               \
  WARPLINT_MIN_MAX(__larger, __larger, __smaller)                              \
  WARPLINT_MIN_MAX(__larger, __smaller, __larger)
WARPLINT_MIN_MAX(long, long, long)
WARPLINT_MIN_MAX(long long, long long, long long)
WARPLINT_MIN_MAX(float, float, float)
WARPLINT_MIN_MAX_MIXED(unsigned, int)
WARPLINT_MIN_MAX_MIXED(unsigned long, long)
WARPLINT_MIN_MAX_MIXED(unsigned long long, long long)
WARPLINT_MIN_MAX_MIXED(double, float)
#undef WARPLINT_MIN_MAX_MIXED
#undef WARPLINT_MIN_MAX
static inline __device__ float rsqrt(float x) { return rsqrtf(x); }

// Atomics, as the instructions that they are.
#define WARPLINT_ATOMIC static inline __device__ __attribute__((always_inline))
#define WARPLINT_FETCH(name, operation, type)                                  \
  WARPLINT_ATOMIC type name(type *__address, type __value) {                   \
    return __atomic_fetch_##operation(__address, __value, __ATOMIC_RELAXED);   \
  }                                                                            \
  WARPLINT_ATOMIC type name##_block(type *__address, type __value) {           \
    return __atomic_fetch_##operation(__address, __value, __ATOMIC_RELAXED);   \
  }                                                                            \
  WARPLINT_ATOMIC type name##_system(type *__address, type __value) {          \
    return __atomic_fetch_##operation(__address, __value, __ATOMIC_RELAXED);   \
  }
WARPLINT_FETCH(atomicAdd, add, int)
WARPLINT_FETCH(atomicAdd, add, unsigned)
WARPLINT_FETCH(atomicAdd, add, unsigned long long)
WARPLINT_FETCH(atomicAdd, add, float)
WARPLINT_FETCH(atomicAdd, add, double)
WARPLINT_FETCH(atomicSub, sub, int)
WARPLINT_FETCH(atomicSub, sub, unsigned)
#define WARPLINT_FETCH_INTEGERS(name, operation)                               \
  WARPLINT_FETCH(name, operation, int)                                         \
  WARPLINT_FETCH(name, operation, unsigned)                                    \
  WARPLINT_FETCH(name, operation, long long)                                   \
  WARPLINT_FETCH(name, operation, unsigned long long)
WARPLINT_FETCH_INTEGERS(atomicMin, min)
WARPLINT_FETCH_INTEGERS(atomicMax, max)
WARPLINT_FETCH_INTEGERS(atomicAnd, and)
WARPLINT_FETCH_INTEGERS(atomicOr, or)
WARPLINT_FETCH_INTEGERS(atomicXor, xor)
#undef WARPLINT_FETCH_INTEGERS
#undef WARPLINT_FETCH
#define WARPLINT_EXCHANGE(name, type)                                          \
  WARPLINT_ATOMIC type name(type *__address, type __value) {                   \
    type __old;                                                                \
    __atomic_exchange(__address, &__value, &__old, __ATOMIC_RELAXED);          \
    return __old;                                                              \
  }
#define WARPLINT_COMPARE(name, type)                                           \
  WARPLINT_ATOMIC type name(type *__address, type __expected, type __value) {  \
    __atomic_compare_exchange_n(__address, &__expected, __value, false,        \
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);           \
    return __expected;                                                         \
  }
#define WARPLINT_SWAPS(scope)                                                  \
  WARPLINT_EXCHANGE(atomicExch##scope, int)                                    \
  WARPLINT_EXCHANGE(atomicExch##scope, unsigned)                               \
  WARPLINT_EXCHANGE(atomicExch##scope, unsigned long long)                     \
  WARPLINT_EXCHANGE(atomicExch##scope, float)                                  \
  WARPLINT_COMPARE(atomicCAS##scope, int)                                      \
  WARPLINT_COMPARE(atomicCAS##scope, unsigned)                                 \
  WARPLINT_COMPARE(atomicCAS##scope, unsigned short)                           \
  WARPLINT_COMPARE(atomicCAS##scope, unsigned long long)
WARPLINT_SWAPS()
WARPLINT_SWAPS(_block)
WARPLINT_SWAPS(_system)
#undef WARPLINT_SWAPS
#undef WARPLINT_EXCHANGE
#undef WARPLINT_COMPARE
WARPLINT_ATOMIC unsigned atomicInc(unsigned *__address, unsigned __limit) {
  return __nvvm_atom_inc_gen_ui(__address, __limit);
}
WARPLINT_ATOMIC unsigned atomicDec(unsigned *__address, unsigned __limit) {
  return __nvvm_atom_dec_gen_ui(__address, __limit);
}
#undef WARPLINT_ATOMIC

// The host's side: names and types only, since nothing is run.
enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorAssert = 710,
  cudaErrorHardwareStackError = 714,
  cudaErrorIllegalInstruction = 715,
  cudaErrorMisalignedAddress = 716,
  cudaErrorInvalidAddressSpace = 717,
  cudaErrorInvalidPc = 718,
  cudaErrorLaunchFailure = 719,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy
};
enum cudaLimit {
  cudaLimitStackSize,
  cudaLimitPrintfFifoSize,
  cudaLimitMallocHeapSize
};
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, memPitch;
  size_t sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
  size_t reservedSharedMemPerBlock, textureAlignment;
  int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock;
  int maxThreadsDim[3], maxGridSize[3];
  int major, minor, multiProcessorCount, maxThreadsPerMultiProcessor;
  int maxBlocksPerMultiProcessor, clockRate, memoryClockRate, memoryBusWidth;
  int l2CacheSize, persistingL2CacheMaxSize, concurrentKernels;
  int asyncEngineCount, deviceOverlap, integrated, canMapHostMemory;
  int computeMode, ECCEnabled, unifiedAddressing, managedMemory;
  int concurrentManagedAccess, pageableMemoryAccess, cooperativeLaunch;
  int kernelExecTimeoutEnabled, pciBusID, pciDeviceID, pciDomainID;
  int streamPrioritiesSupported, singleToDoublePrecisionPerfRatio;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
struct cudaKernelNodeParams {
  void *func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void **kernelParams, **extra;
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered,
  cudaMemoryTypeHost,
  cudaMemoryTypeDevice,
  cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
  enum cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)

extern "C" {
// The calls that Clang makes of <<<>>>, for a new CUDA and an old one: without
// a toolkit it takes the release for an old one.
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
unsigned __cudaPushCallConfiguration(dim3 __grid, dim3 __block,
                                     size_t shared = 0, void *__stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t = 0,
                             cudaStream_t = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **,
                                        size_t = 0, cudaStream_t = 0);

cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaMallocPitch(void **, size_t *, size_t, size_t);
cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaMallocManaged(void **, size_t, unsigned = cudaMemAttachGlobal);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaHostAlloc(void **, size_t, unsigned);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned);
cudaError_t cudaHostRegister(void *, size_t, unsigned);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind,
                            cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t,
                         enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t,
                              size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, size_t);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t,
                                cudaStream_t = 0);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaMemAdvise(const void *, size_t, enum cudaMemoryAdvise, int);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);

__host__ __device__ cudaError_t cudaGetLastError(void);
__host__ __device__ cudaError_t cudaPeekAtLastError(void);
__host__ __device__ const char *cudaGetErrorString(cudaError_t);
__host__ __device__ const char *cudaGetErrorName(cudaError_t);
__host__ __device__ cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *, int);
cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig);
cudaError_t cudaDeviceSetLimit(enum cudaLimit, size_t);
cudaError_t cudaDeviceGetLimit(size_t *, enum cudaLimit);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *,
                                     const void *);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned);
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaRuntimeGetVersion(int *);

cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned, int);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t,
                                 unsigned long long = 0);
cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *, cudaGraph_t,
                                  const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t,
                                   const cudaGraphNode_t *, size_t,
                                   const struct cudaKernelNodeParams *);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *, cudaGraph_t,
                                       const cudaGraphNode_t *, size_t,
                                       cudaGraph_t);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *,
                                     const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
}

// The C++ forms: pointers to any type, and symbols.
template <class T> cudaError_t cudaMalloc(T **, size_t);
template <class T> cudaError_t cudaMallocPitch(T **, size_t *, size_t, size_t);
template <class T> cudaError_t cudaMallocHost(T **, size_t, unsigned = 0);
template <class T>
cudaError_t cudaMallocManaged(T **, size_t, unsigned = cudaMemAttachGlobal);
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t);
template <class T> cudaError_t cudaHostAlloc(T **, size_t, unsigned);
template <class T> cudaError_t cudaHostGetDevicePointer(T **, void *, unsigned);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0,
                               enum cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &, const void *, size_t, size_t,
                                    enum cudaMemcpyKind, cudaStream_t = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0,
                                 enum cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class T> cudaError_t cudaGetSymbolAddress(void **, const T &);
template <class T> cudaError_t cudaGetSymbolSize(size_t *, const T &);
template <class F>
cudaError_t cudaLaunchKernel(F *, dim3, dim3, void **, size_t = 0,
                             cudaStream_t = 0);
template <class F>
cudaError_t cudaLaunchCooperativeKernel(F *, dim3, dim3, void **, size_t = 0,
                                        cudaStream_t = 0);
template <class F>
cudaError_t cudaFuncSetAttribute(F *, enum cudaFuncAttribute, int);
template <class F> cudaError_t cudaFuncSetCacheConfig(F *, enum cudaFuncCache);
template <class F>
cudaError_t cudaFuncSetSharedMemConfig(F *, enum cudaSharedMemConfig);
template <class F>
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *, F *);
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, F, int,
                                                          size_t);
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, F, size_t = 0,
                                               int = 0);

template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int);
template <class T> __device__ T tex1D(cudaTextureObject_t, float);
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float);
template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float);

#endif
#endif
