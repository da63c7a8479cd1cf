// cub's block primitives, and structures that are copied from memory before
// their fields are used.
#include "truth.h"
#include <cub/cub.cuh>

struct Params {
  int rows, width;
  float *data;
};
struct __align__(16) Wide {
  int rows, width;
  const float *data;
  int more[4];
};

__global__ void copiedFromMemory(const Params *params) {
  Params p = *params;
  int row = blockIdx.x, column = threadIdx.x;
  p.data[row * p.width + column] = 1;
  p.data[65536 + column * p.width + row] = 2;
}

__global__ void copiedInWidePieces(const Wide *params, float *out) {
  const Wide p = *params;
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at + p.more[3]] = p.data[3 * at];
}

__global__ void blockedToStriped(const float *in, float *out) {
  using Load = cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_DIRECT>;
  using Store = cub::BlockStore<float, 128, 4, cub::BLOCK_STORE_STRIPED>;
  float values[4];
  Load().Load(in + blockIdx.x * 512 + 1, values);
  Store().Store(out + blockIdx.x * 512, values);
}

template <int Items>
__global__ void transposedLoads(const float *in, float *out) {
  using Load = cub::BlockLoad<float, 128, Items, cub::BLOCK_LOAD_TRANSPOSE>;
  __shared__ typename Load::TempStorage storage;
  float values[Items];
  Load(storage).Load(in + blockIdx.x * 128 * Items, values);
  float sum = 0;
  for (int k = 0; k < Items; ++k)
    sum += values[k];
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

__global__ void
iterators(cub::CacheModifiedInputIterator<cub::LOAD_CS, float> in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[2 * at];
}

__global__ void grayCode(const float *in, float *out) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at ^ (at >> 1)] = in[(at & ~31u) | ((at & 7) << 2) | ((at >> 3) & 3)];
  unsigned odd = at;
  do {
    odd = odd * 2 + 1;
  } while (odd < 65536);
  out[65536 + odd] = 1;
}

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  Params params{64, 512, a};
  Params *inMemory = truth::zeros<Params>(sizeof(Params));
  TRUTH_CHECK(
      cudaMemcpy(inMemory, &params, sizeof(params), cudaMemcpyHostToDevice));
  copiedFromMemory<<<64, 128>>>(inMemory);
  Wide wide{64, 512, a, {0, 0, 0, 1024}};
  Wide *wideInMemory = truth::zeros<Wide>(sizeof(Wide));
  TRUTH_CHECK(
      cudaMemcpy(wideInMemory, &wide, sizeof(wide), cudaMemcpyHostToDevice));
  copiedInWidePieces<<<64, 128>>>(wideInMemory, b);
  blockedToStriped<<<64, 128>>>(a, b);
  transposedLoads<4><<<64, 128>>>(a, b);
  transposedLoads<3><<<64, 128>>>(a, b);
  transposedLoads<8><<<64, 128>>>(a, b);
  iterators<<<64, 128>>>(
      cub::CacheModifiedInputIterator<cub::LOAD_CS, float>(a), b);
  grayCode<<<64, 128>>>(a, b);
  return truth::done();
}
