// The groups of threads that usual kernels form, where there is no toolkit.
#ifndef WARPLINT_COOPERATIVE_GROUPS_H
#define WARPLINT_COOPERATIVE_GROUPS_H
#include "warplint_cuda_minimal.h"

namespace cooperative_groups {

struct thread_block {
  __device__ static void sync() { __syncthreads(); }
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_threads() { return blockDim; }
  __device__ static unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static unsigned size() {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  __device__ static unsigned num_threads() { return size(); }
};
__device__ inline thread_block this_thread_block() { return {}; }

struct grid_group {
  __device__ void sync() const;
  __device__ bool is_valid() const { return true; }
  __device__ static unsigned long long block_rank() {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static unsigned long long num_blocks() {
    return gridDim.x * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  __device__ static unsigned long long size() {
    return num_blocks() * thread_block::size();
  }
  __device__ static unsigned long long num_threads() { return size(); }
};
__device__ inline grid_group this_grid() { return {}; }

template <unsigned __Size, class __Parent = void> struct thread_block_tile {
  __device__ static void sync() { __syncwarp(); }
  __device__ static unsigned thread_rank() {
    return thread_block::thread_rank() % __Size;
  }
  __device__ static unsigned meta_group_rank() {
    return thread_block::thread_rank() / __Size;
  }
  __device__ static unsigned meta_group_size() {
    return (thread_block::size() + __Size - 1) / __Size;
  }
  __device__ static constexpr unsigned size() { return __Size; }
  __device__ static constexpr unsigned num_threads() { return __Size; }
  template <class T> __device__ T shfl(T __value, int __lane) const {
    return __shfl_sync(~0u, __value, __lane, __Size);
  }
  template <class T> __device__ T shfl_up(T __value, unsigned __by) const {
    return __shfl_up_sync(~0u, __value, __by, __Size);
  }
  template <class T> __device__ T shfl_down(T __value, unsigned __by) const {
    return __shfl_down_sync(~0u, __value, __by, __Size);
  }
  template <class T> __device__ T shfl_xor(T __value, unsigned __by) const {
    return __shfl_xor_sync(~0u, __value, __by, __Size);
  }
  __device__ unsigned ballot(int __is) const {
    return __ballot_sync(~0u, __is);
  }
  __device__ int any(int __is) const { return __any_sync(~0u, __is); }
  __device__ int all(int __is) const { return __all_sync(~0u, __is); }
};
template <unsigned __Size, class __Parent>
__device__ thread_block_tile<__Size, __Parent>
tiled_partition(const __Parent &) {
  return {};
}

struct coalesced_group {
  __device__ static void sync() { __syncwarp(); }
  __device__ static unsigned size() { return __popc(__activemask()); }
  __device__ static unsigned num_threads() { return size(); }
  __device__ static unsigned thread_rank() {
    return __popc(__activemask() & ((1u << (threadIdx.x % 32)) - 1));
  }
  template <class T> __device__ T shfl(T __value, int __lane) const {
    return __shfl_sync(__activemask(), __value, __lane);
  }
};
__device__ inline coalesced_group coalesced_threads() { return {}; }

template <class __Group> __device__ void sync(const __Group &__group) {
  __group.sync();
}

} // namespace cooperative_groups
#endif
