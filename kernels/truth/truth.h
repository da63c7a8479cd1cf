// What the programs of this folder share: memory on the device, and a check of
// every call. A program launches each of its kernels once for each block shape;
// measure.py reads what Nsight Compute counted.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

namespace truth {

inline void check(cudaError_t error, const char *file, int line) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(error));
  std::exit(1);
}
#define TRUTH_CHECK(call) truth::check(call, __FILE__, __LINE__)

/// Zeros, aligned as cudaMalloc aligns: to 256 bytes. Enough for whatever a
/// kernel here reads or writes.
template <class T> T *zeros(size_t bytes = size_t(64) << 20) {
  T *memory;
  TRUTH_CHECK(cudaMalloc(&memory, bytes));
  TRUTH_CHECK(cudaMemset(memory, 0, bytes));
  return memory;
}

/// 0 .. modulo - 1, `factor` apart from element to element.
inline int *spread(size_t count, unsigned factor, unsigned modulo) {
  std::vector<int> host(count);
  for (size_t i = 0; i < count; ++i)
    host[i] = int(unsigned(i) * factor % modulo);
  int *memory = zeros<int>(count * sizeof(int));
  TRUTH_CHECK(cudaMemcpy(memory, host.data(), count * sizeof(int),
                         cudaMemcpyHostToDevice));
  return memory;
}

/// Every launch worked.
inline int done() {
  TRUTH_CHECK(cudaGetLastError());
  TRUTH_CHECK(cudaDeviceSynchronize());
  return 0;
}

} // namespace truth
