// The function objects that CUB 3 has removed, as of CUDA 13, so that an older
// source still says what it reduces. Each header of CUB begins with this one; a
// CUB of the project's own comes first.
#pragma GCC system_header // what a kernel calls here stands at the call
// Its own headers include it again before they have a namespace.
#ifndef WARPLINT_CUB_LEGACY
#define WARPLINT_CUB_LEGACY
#include_next <cub/config.cuh>
#include <cub/version.cuh>
#if CUB_MAJOR_VERSION >= 3
CUB_NAMESPACE_BEGIN

struct Sum {
  template <class T, class U>
  __host__ __device__ constexpr auto operator()(const T &a, const U &b) const {
    return a + b;
  }
};
struct Difference {
  template <class T, class U>
  __host__ __device__ constexpr auto operator()(const T &a, const U &b) const {
    return a - b;
  }
};
struct Division {
  template <class T, class U>
  __host__ __device__ constexpr auto operator()(const T &a, const U &b) const {
    return a / b;
  }
};
struct Max {
  template <class T, class U>
  __host__ __device__ constexpr auto operator()(const T &a, const U &b) const {
    return b > a ? b : a;
  }
};
struct Min {
  template <class T, class U>
  __host__ __device__ constexpr auto operator()(const T &a, const U &b) const {
    return b < a ? b : a;
  }
};
struct Equality {
  template <class T, class U>
  __host__ __device__ constexpr auto operator()(const T &a, const U &b) const {
    return a == b;
  }
};
struct Inequality {
  template <class T, class U>
  __host__ __device__ constexpr auto operator()(const T &a, const U &b) const {
    return a != b;
  }
};

CUB_NAMESPACE_END
#endif
#endif
