// Ways to reach memory that take more than one step: pointers that change
// places, locals that hold offsets, values that come back from functions.
#include "truth.h"
#include <cuda/std/utility>

__global__ void changingPlaces(float *a, float *b, int turns) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float *from = a, *to = b;
  for (int k = 0; k < turns; ++k) {
    to[at] = from[2 * at];
    float *last = from;
    from = to;
    to = last;
  }
}

__global__ void pointersInALocalArray(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  const float *rows[3] = {in, in + 65536, in + 262144};
  float sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += rows[k][3 * at];
  out[at] = sum;
}

__global__ void offsetsInALocalArray(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int offset[4];
  for (int k = 0; k < 4; ++k)
    offset[k] = k * 65536 + at * 2;
  float sum = 0;
  for (int k = 3; k >= 0; --k)
    sum += in[offset[k]];
  out[at] = sum;
}

__device__ void advance(int &row, int &column, int by) {
  column += by;
  if (column >= 64) {
    column -= 64;
    ++row;
  }
}
__global__ void localsByReference(const float *in, float *out) {
  int row = blockIdx.x, column = threadIdx.x;
  advance(row, column, 32);
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[row * 1024 + column * 2];
}

__device__ cuda::std::pair<int, int> decoded(int i, int width) {
  return {i / width, i % width};
}
__global__ void pairsThatComeBack(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  auto [row, column] = decoded(at, 16);
  out[at] = in[column * 1024 + row];
}

struct Packed {
  unsigned row : 5;
  unsigned column : 11;
};
__global__ void bitFields(const float *in, float *out) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  Packed packed;
  packed.row = threadIdx.x;
  packed.column = at / 32;
  out[at] = in[packed.row * 4 + packed.column * 128];
}

__global__ void differences(const float *in, float *out) {
  const float *p = in + 3 * (blockIdx.x * blockDim.x + threadIdx.x);
  ptrdiff_t far = p - in;
  out[far] = p[far];
}

struct Point {
  float x, y, z, w;
};
__global__ void pointersToMembers(const Point *points, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float Point::*field = &Point::z;
  out[at] = points[at].*field;
}

__global__ void byteByByte(const char *in, char *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float narrow = *(const float *)(in + at * 12);
  int4 wide = *(const int4 *)&in[at * 32];
  float copied[2];
  memcpy(copied, (const float *)in + 2 * at, sizeof(copied));
  *(int4 *)(out + 16 * at) = wide;
  *(float2 *)(out + 1048576 + 8 * at) =
      make_float2(copied[0], narrow + copied[1]);
}

__global__ void cleared(Point *points, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  points[at] = Point{};
  memset(&out[2 * at], 0, 8);
}

template <int... K> __device__ float sumOf(const float *in, int at) {
  return (in[at * int(sizeof...(K)) + K * 65536] + ...);
}
__global__ void folded(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = sumOf<0, 1, 2>(in, at);
}

__global__ void fromATable(const float *in, float *out) {
  constexpr int steps[4] = {1, 2, 4, 8};
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += in[steps[k] * at];
  out[at] = sum;
}

__global__ void countedBits(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned left = threadIdx.x & 31, count = 0;
  while (left) {
    left &= left - 1;
    ++count;
  }
  out[at] = in[count * 8];
}

__global__ void searched(const float *sorted, const float *in, int *out,
                         int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float key = in[at];
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[at] = low;
}

__global__ void warpsApart(const float *in, float *out) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int base = blockIdx.x * 8192;
  if (warp == 0)
    out[base + lane] = in[base + lane * 8];
  else if (warp < 4)
    out[base + 32 * warp + lane] = in[base + lane * warp];
  else
    out[base + 32 * warp + lane / 2] = 1;
}

__global__ void halvesApart(const float *a, const float *b, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const float *from = lane < 16 ? a : b;
  int step = lane < 16 ? 1 : 4;
  out[at] = from[at * step];
}

__global__ void orderedInShared(const float *in, float *out) {
  __shared__ int order[256];
  order[threadIdx.x] = (threadIdx.x * 5) & 255;
  __syncthreads();
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[order[threadIdx.x]];
}

struct Reader {
  __device__ virtual float read(int i) const = 0;
};
struct ByTwo : Reader {
  const float *in;
  __device__ explicit ByTwo(const float *in) : in(in) {}
  __device__ float read(int i) const override { return in[2 * i]; }
};
__device__ float readBy(const Reader &reader, int i) { return reader.read(i); }
__global__ void virtualCalls(const float *in, float *out) {
  ByTwo reader(in);
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = readBy(reader, at);
}

__global__ void linked(const int *next, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    out[at] = 1;
    at = next[at];
  }
}

__global__ void builtinAtomics(int *data) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(&data[2 * at], 1, __NV_ATOMIC_RELAXED,
                        __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(&data[131072 + at], 1, __NV_ATOMIC_RELAXED,
                      __NV_THREAD_SCOPE_DEVICE);
}

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  int *key = truth::spread(1 << 16, 7, 16384);
  changingPlaces<<<64, 256>>>(a, b, 4);
  pointersInALocalArray<<<64, 256>>>(a, b);
  offsetsInALocalArray<<<64, 256>>>(a, b);
  localsByReference<<<64, 64>>>(a, b);
  pairsThatComeBack<<<64, 256>>>(a, b);
  bitFields<<<64, 256>>>(a, b);
  differences<<<64, 256>>>(a, b);
  pointersToMembers<<<64, 256>>>((Point *)a, b);
  byteByByte<<<64, 256>>>((char *)a, (char *)b);
  cleared<<<64, 256>>>((Point *)a, b);
  folded<<<64, 256>>>(a, b);
  fromATable<<<64, 256>>>(a, b);
  countedBits<<<64, 256>>>(a, b);
  searched<<<64, 256>>>(a, b, (int *)key, 65536);
  warpsApart<<<64, 256>>>(a, b);
  halvesApart<<<64, 256>>>(a, a + (1 << 20), b);
  orderedInShared<<<64, 256>>>(a, b);
  virtualCalls<<<64, 256>>>(a, b);
  key = truth::spread(1 << 16, 7, 16384);
  linked<<<64, 256>>>(key, b);
  builtinAtomics<<<64, 256>>>((int *)b);
  return truth::done();
}
