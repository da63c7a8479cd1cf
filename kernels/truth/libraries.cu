// Cooperative groups, spans, mdspans and thrust's pointers.
#include "truth.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>

namespace cg = cooperative_groups;

__global__ void ranks(const float *in, float *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  out[grid.thread_rank()] = in[block.thread_rank() * 2];
  unsigned x = block.thread_index().x, y = block.thread_index().y;
  out[65536 + grid.block_rank() * block.size() + x * block.dim_threads().y +
      y] = in[block.group_index().x * 256 + y * 32 + x];
}

__global__ void tiles(const float *in, float *out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(warp);
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[eight.meta_group_rank() * 512 + eight.thread_rank()];
  out[65536 + at] = in[warp.meta_group_rank() * 64 + warp.thread_rank() * 2];
  if (eight.thread_rank() == 0)
    out[131072 + at] = in[at];
  int leader = eight.shfl(at, 0);
  out[262144 + at] = in[leader];
}

// Which threads stand together is not known before they do.
__global__ void coalescedOnes(const int *key, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (key[at] & 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    out[active.thread_rank() * 8] = 1;
  }
}

__global__ void tileBySize(const float *in, float *out) {
  auto block = cg::this_thread_block();
  cg::thread_group tile = cg::tiled_partition(block, 16);
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[tile.thread_rank() * 16];
}

__global__ void collectiveCopy(const float *in, float *out) {
  __shared__ __align__(16) float stage[1024];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, stage, in + blockIdx.x * 1024,
                   cuda::aligned_size_t<16>(4096));
  cg::wait(block);
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    out[blockIdx.x * 1024 + k] = stage[k];
}

__global__ void spans(cuda::std::span<const float> in,
                      cuda::std::span<float> out) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < out.size())
    out[at] = in[2 * at];
  auto part = in.subspan(blockIdx.x * 1024, 1024);
  out.data()[65536 + at] =
      part[threadIdx.x * 4] + *(part.begin() + threadIdx.x);
}

template <class Layout>
using Plane = cuda::std::mdspan<float, cuda::std::dextents<int, 2>, Layout>;

__global__ void rowByRow(Plane<cuda::std::layout_right> in,
                         Plane<cuda::std::layout_right> out) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  out(y, x) = in(x, y);
}

__global__ void columnByColumn(Plane<cuda::std::layout_left> in,
                               Plane<cuda::std::layout_left> out) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  out(y, x) = in(x, y);
}

__global__ void byStrides(Plane<cuda::std::layout_stride> in, float *out) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  out[y * 32 + x] = in(y, x);
}

using Fixed = cuda::std::mdspan<float, cuda::std::extents<int, 512, 16, 4>>;
__global__ void fixedExtents(Fixed in, Fixed out) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  out(y, x % 16, x / 16) = in(y, x % 16, 1);
}

__global__ void thrustPointers(thrust::device_ptr<const float> in,
                               thrust::device_ptr<float> out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[at * 2];
  *(out + 65536 + 2 * at) = *thrust::raw_pointer_cast(in + at);
}

__global__ void ownArrays(const float *in, float *out) {
  cuda::std::array<const float *, 2> from = {in, in + 65536};
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (const float *p : from)
    sum += p[3 * at];
  out[at] = sum;
}

template <class Function> __global__ void applied(Function function, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n)
    function(at);
}

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  int *key = truth::spread(1 << 16, 7, 4096);
  ranks<<<64, dim3(32, 8)>>>(a, b);
  tiles<<<64, 256>>>(a, b);
  coalescedOnes<<<64, 256>>>(key, b);
  tileBySize<<<64, 256>>>(a, b);
  collectiveCopy<<<64, 256>>>(a, b);
  spans<<<64, 256>>>({a, 1 << 20}, {b, 1 << 16});
  using Extents = cuda::std::dextents<int, 2>;
  dim3 tile(32, 8);
  rowByRow<<<64, tile>>>({a, Extents(1024, 1024)}, {b, Extents(1024, 1024)});
  columnByColumn<<<64, tile>>>({a, Extents(1024, 1024)},
                               {b, Extents(1024, 1024)});
  cuda::std::array<int, 2> strides = {1024, 4};
  byStrides<<<64, tile>>>({a, {Extents(1024, 128), strides}}, b);
  fixedExtents<<<64, tile>>>(Fixed(a), Fixed(b));
  thrustPointers<<<64, 256>>>(thrust::device_ptr<const float>(a),
                              thrust::device_ptr<float>(b));
  ownArrays<<<64, 256>>>(a, b);
  thrust::device_vector<float> from(1 << 18), to(1 << 16);
  const float *x = thrust::raw_pointer_cast(from.data());
  float *y = thrust::raw_pointer_cast(&to[0]);
  applied<<<64, 256>>>(
      [=] __device__(int i) {
        y[i] = x[4 * i]; //
      },
      64 * 256);
  return truth::done();
}
