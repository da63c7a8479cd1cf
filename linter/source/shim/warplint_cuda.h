// Declares what nvcc gives every source, and Clang's own CUDA headers do not.
// Included before the source, after Clang's wrapper of the CUDA runtime.
#ifndef WARPLINT_CUDA_H
#define WARPLINT_CUDA_H
#pragma GCC system_header // what a kernel calls here stands at the call
#if defined(__CUDA__) && defined(__clang__)

// The runtime header of nvcc brings these along.
// With the declarations also under NDEBUG: a later include of it by a header
// whose functions are all for host and device would make them so.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <assert.h>
#pragma pop_macro("NDEBUG")
#include <assert.h>
// CCCL and PyTorch declare it for host and device where NDEBUG is defined. nvcc
// merges these declarations with the host's; for Clang they are in conflict.
#ifdef __NVCC__
extern "C" __host__ __device__ inline void
__warplint_assert_fail(const char *__message, const char *__file,
                       unsigned __line, const char *__function) noexcept {
#ifdef __CUDA_ARCH__
  __assertfail(__message, __file, __line, __function, sizeof(char));
#endif
}
#define __assert_fail __warplint_assert_fail
#endif
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

// CUTLASS turns its newest code off for every Clang, by a list of those that
// it has seen.
#if defined(WARPLINT_CUDA_VERSION) && WARPLINT_CUDA_VERSION >= 12080
#ifndef CUTLASS_ARCH_MMA_SM100_SUPPORTED
#define CUTLASS_ARCH_MMA_SM100_SUPPORTED 1
#endif
#ifndef CUTLASS_ARCH_MMA_SM120_SUPPORTED
#define CUTLASS_ARCH_MMA_SM120_SUPPORTED 1
#endif
#endif

// Clang has managed variables for HIP only. Where they lie is global memory.
#undef __managed__
#define __managed__ __device__

// Attributes that Clang does not know; they do not change what a line means.
#undef __maxnreg__
#define __maxnreg__(count)
// The block size that a kernel demands is kept for whoever reads the kernel.
#undef __block_size__
#define WARPLINT_WORDS(...) #__VA_ARGS__
#define __block_size__(...)                                                    \
  __attribute__((annotate("warplint.block_size " WARPLINT_WORDS(__VA_ARGS__))))

// No lambda of Clang's is one of nvcc's extended ones, but a device lambda is
// what the branch behind the question is meant for.
#ifndef __nv_is_extended_device_lambda_closure_type
#define __nv_is_extended_device_lambda_closure_type(type) (sizeof(type) != 0)
#define __nv_is_extended_device_lambda_with_preserved_return_type(type)        \
  (sizeof(type) == 0)
#define __nv_is_extended_host_device_lambda_closure_type(type)                 \
  (sizeof(type) == 0)
#endif

// min and max for the host, without std::, of mixed types too. Those for the
// device are Clang's.
#define WARPLINT_MIN_MAX(__result, __left, __right)                            \
  static inline __host__ __result min(__left __a, __right __b) {               \
    return static_cast<__result>(__a) < static_cast<__result>(__b)             \
               ? static_cast<__result>(__a)                                    \
               : static_cast<__result>(__b);                                   \
  }                                                                            \
  static inline __host__ __result max(__left __a, __right __b) {               \
    return static_cast<__result>(__a) < static_cast<__result>(__b)             \
               ? static_cast<__result>(__b)                                    \
               : static_cast<__result>(__a);                                   \
  }
#define WARPLINT_MIN_MAX_MIXED(__larger, __smaller)                            \
  WARPLINT_MIN_MAX(__larger, __larger, __larger)                               \
  WARPLINT_MIN_MAX(__larger, __larger, __smaller)                              \
  WARPLINT_MIN_MAX(__larger, __smaller, __larger)
WARPLINT_MIN_MAX(int, int, int)
WARPLINT_MIN_MAX(long, long, long)
WARPLINT_MIN_MAX(long long, long long, long long)
WARPLINT_MIN_MAX(float, float, float)
WARPLINT_MIN_MAX_MIXED(unsigned, int)
WARPLINT_MIN_MAX_MIXED(unsigned long, long)
WARPLINT_MIN_MAX_MIXED(unsigned long long, long long)
WARPLINT_MIN_MAX_MIXED(double, float)
#undef WARPLINT_MIN_MAX_MIXED
#undef WARPLINT_MIN_MAX

// The functions behind the macros of an old math.h. Clang has the others. A
// source's own function is preferred to a template.
#define WARPLINT_CLASSIFY(name, type, builtin)                                 \
  template <class = void>                                                      \
  static inline __device__ __attribute__((always_inline)) int name(type __x) { \
    return builtin(__x);                                                       \
  }
WARPLINT_CLASSIFY(__signbit, double, __builtin_signbit)
WARPLINT_CLASSIFY(__signbitl, long double, __builtin_signbit)
WARPLINT_CLASSIFY(__isnanl, long double, __builtin_isnan)
WARPLINT_CLASSIFY(__isinfl, long double, __builtin_isinf)
WARPLINT_CLASSIFY(__finitel, long double, __builtin_isfinite)
#undef WARPLINT_CLASSIFY

// Loads and stores with a cache hint. The hint does not change which memory
// they touch, so each is a plain access.
#define WARPLINT_LOAD(name, type)                                              \
  static inline __device__ __attribute__((always_inline)) type name(           \
      const type *__address) {                                                 \
    return *__address;                                                         \
  }
#define WARPLINT_STORE(name, type)                                             \
  static inline __device__ __attribute__((always_inline)) void name(           \
      type *__address, type __value) {                                         \
    *__address = __value;                                                      \
  }
#define WARPLINT_FOR_ALL(access, name)                                         \
  access(name, char) access(name, signed char) access(name, unsigned char)     \
      access(name, short) access(name, unsigned short) access(name, int)       \
          access(name, unsigned) access(name, long)                            \
              access(name, unsigned long) access(name, long long)              \
                  access(name, unsigned long long) access(name, float) access( \
                      name, double) access(name, char2) access(name, char4)    \
                      access(name, uchar2) access(name, uchar4)                \
                          access(name, short2) access(name, short4)            \
                              access(name, ushort2) access(name, ushort4)      \
                                  access(name, int2) access(name, int4)        \
                                      access(name, uint2) access(name, uint4)  \
                                          access(name, longlong2)              \
                                              access(name, ulonglong2)         \
                                                  access(name, float2) access( \
                                                      name, float4)            \
                                                      access(name, double2)
WARPLINT_FOR_ALL(WARPLINT_LOAD, __ldlu)
WARPLINT_FOR_ALL(WARPLINT_LOAD, __ldca)
WARPLINT_FOR_ALL(WARPLINT_STORE, __stwb)
// Clang has the others for all types but unsigned long, which is uint64_t.
WARPLINT_LOAD(__ldcg, unsigned long)
WARPLINT_LOAD(__ldcs, unsigned long)
WARPLINT_LOAD(__ldcv, unsigned long)
WARPLINT_STORE(__stwt, long)
WARPLINT_STORE(__stwt, unsigned long)
WARPLINT_FOR_ALL(WARPLINT_STORE, __stcg)
WARPLINT_FOR_ALL(WARPLINT_STORE, __stcs)
#undef WARPLINT_FOR_ALL
#undef WARPLINT_STORE
#undef WARPLINT_LOAD

// nvcc's own atomics (CUDA 12.8). Order and scope change no address, so all are
// relaxed here.
#ifndef __NV_ATOMIC_RELAXED
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_SYSTEM 0
#define __NV_THREAD_SCOPE_DEVICE 1
#define __NV_THREAD_SCOPE_BLOCK 2
#define __NV_THREAD_SCOPE_CLUSTER 3
#define __NV_THREAD_SCOPE_THREAD 4
#endif
#define WARPLINT_ATOMIC static inline __device__ __attribute__((always_inline))
template <class T> struct warplint_value { using type = T; };
template <class T> struct warplint_value<volatile T> { using type = T; };
template <class T> struct warplint_value<const T> { using type = T; };
template <class T> struct warplint_value<const volatile T> { using type = T; };
template <class T>
WARPLINT_ATOMIC typename warplint_value<T>::type
__nv_atomic_load_n(T *__address, int, int = 0) {
  return __atomic_load_n(__address, __ATOMIC_RELAXED);
}
template <class T, class U>
WARPLINT_ATOMIC void __nv_atomic_load(T *__address, U *__result, int, int = 0) {
  __atomic_load(__address, __result, __ATOMIC_RELAXED);
}
template <class T, class U>
WARPLINT_ATOMIC void __nv_atomic_store_n(T *__address, U __value, int,
                                         int = 0) {
  __atomic_store_n(__address, static_cast<T>(__value), __ATOMIC_RELAXED);
}
template <class T, class U>
WARPLINT_ATOMIC void __nv_atomic_store(T *__address, U *__value, int, int = 0) {
  __atomic_store(__address, __value, __ATOMIC_RELAXED);
}
template <class T, class U>
WARPLINT_ATOMIC T __nv_atomic_exchange_n(T *__address, U __value, int,
                                         int = 0) {
  return __atomic_exchange_n(__address, static_cast<T>(__value),
                             __ATOMIC_RELAXED);
}
template <class T>
WARPLINT_ATOMIC void __nv_atomic_exchange(T *__address, T *__value, T *__result,
                                          int, int = 0) {
  __atomic_exchange(__address, __value, __result, __ATOMIC_RELAXED);
}
template <class T, class U>
WARPLINT_ATOMIC bool __nv_atomic_compare_exchange_n(T *__address, T *__expected,
                                                    U __value, bool, int, int,
                                                    int = 0) {
  return __atomic_compare_exchange_n(__address, __expected,
                                     static_cast<T>(__value), false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
template <class T>
WARPLINT_ATOMIC bool __nv_atomic_compare_exchange(T *__address, T *__expected,
                                                  T *__value, bool, int, int,
                                                  int = 0) {
  return __atomic_compare_exchange(__address, __expected, __value, false,
                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#define WARPLINT_FETCH(name)                                                   \
  template <class T, class U>                                                  \
  WARPLINT_ATOMIC T __nv_atomic_fetch_##name(T *__address, U __value, int,     \
                                             int = 0) {                        \
    return __atomic_fetch_##name(__address, static_cast<T>(__value),           \
                                 __ATOMIC_RELAXED);                            \
  }                                                                            \
  template <class T, class U>                                                  \
  WARPLINT_ATOMIC void __nv_atomic_##name(T *__address, U __value, int,        \
                                          int = 0) {                           \
    (void)__atomic_fetch_##name(__address, static_cast<T>(__value),            \
                                __ATOMIC_RELAXED);                             \
  }
WARPLINT_FETCH(add)
WARPLINT_FETCH(sub)
WARPLINT_FETCH(and)
WARPLINT_FETCH(or)
WARPLINT_FETCH(xor)
WARPLINT_FETCH(min)
WARPLINT_FETCH(max)
#undef WARPLINT_FETCH
WARPLINT_ATOMIC void __nv_atomic_thread_fence(int, int = 0) {}
#undef WARPLINT_ATOMIC

#endif
#endif
