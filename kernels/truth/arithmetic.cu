// Index arithmetic: unsigned and 64-bit, divisions, clamps, ternaries, bits,
// dim3.
#include "truth.h"

__global__ void unsignedAndLong(const float *in, float *out, unsigned n,
                                size_t pitch) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  size_t wide = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned back = n - 1 - at;
  long long signedAt = (long long)at - 16;
  out[wide] = in[wide * 2] + in[back];
  out[131072 + at] = in[signedAt + 64] + in[(at * 3u) & 0xffffu];
  out[262144 + wide] = in[(wide % 64) * pitch + wide / 64];
}

// 2^32 - 4 lanes before the end: what wraps stays together.
__global__ void wrapping(const float *in, float *out) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned shifted = at - 4u;
  out[at] = in[shifted & 0x3ffffu];
  unsigned char narrow = (unsigned char)(at * 2);
  out[65536 + at] = in[narrow];
  short small = (short)(threadIdx.x - 128);
  out[131072 + at] = in[8192 + small * 2];
}

__global__ void divided(const float *in, float *out, int width) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[at / 4];
  out[65536 + at] = in[at % 12 * 12 + at / 12 % 12];
  out[131072 + at] = in[(at / 10) * 10];
  int row = at / width, column = at % width;
  out[262144 + at] = in[column * width + row];
}

__global__ void clamped(const float *in, float *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int left = max(at - 1, 0), right = min(at + 1, n - 1);
  out[at] = in[left] + in[right];
  int lane = threadIdx.x % 32;
  out[65536 + at] = in[min(lane, 9)] + in[max(lane * 2, 40)];
  out[131072 + at] = in[abs(lane - 16) * 4];
}

__global__ void chosen(const float *in, float *out, bool backwards) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  out[at] = in[lane < 8 ? at : at * 2];
  out[65536 + at] = in[lane == 0 ? 0 : lane & 1 ? 64 : lane * 16];
  out[131072 + at] = in[backwards ? 65535 - at : at];
}

__global__ void bits(const float *in, float *out) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = threadIdx.x & 31;
  out[at] = in[at ^ 5];
  out[65536 + at] = in[(at & ~31u) | (__brev(lane) >> 27)];
  out[131072 + at] = in[__popc(lane) * 8];
  out[262144 + at] = in[(lane ? 31 - __clz(lane) : 0) * 16];
  out[393216 + at] = in[((lane << 3) | (lane >> 2)) & 255];
  out[524288 + at] = in[__umul24(lane, 5) + __ffs(lane)];
}

__global__ void multipliedHigh(const float *in, float *out) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[__umulhi(at << 16, 1u << 18)];   // at * 4
  out[65536 + at] = in[(at * 0xaaabull) >> 17]; // at / 3
}

__global__ void dimensions(const float *in, float *out, dim3 size) {
  dim3 at(threadIdx.x + blockIdx.x * blockDim.x, threadIdx.y);
  uint3 swapped = make_uint3(at.y, at.x, 0);
  dim3 shape = blockDim;
  shape.x *= 2;
  out[at.y * size.x + at.x] = in[swapped.y * shape.x + swapped.x];
}

__global__ void shuffled(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int next = __shfl_down_sync(~0u, at, 1);
  int first = __shfl_sync(~0u, at, 0);
  int mirrored = __shfl_xor_sync(~0u, at, 3);
  out[at] = in[next * 2] + in[first] + in[mirrored * 4];
}

// In what order the warp's lanes stand in a ballot is for the data to say.
__global__ void compacted(const int *key, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = key[at] & 1;
  unsigned mask = __ballot_sync(~0u, keep);
  if (keep)
    out[__popc(mask & ((1u << (threadIdx.x & 31)) - 1)) * 8] = 1;
}

__global__ void indirect(const int *column, const float *in, float *out,
                         const int *starts) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int start = starts[blockIdx.x];
  out[at] = in[column[at]] + in[start * 32 + 2 * threadIdx.x];
}

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  int *key = truth::spread(1 << 16, 7, 4096);
  int *starts = truth::spread(64, 2, 128);
  unsignedAndLong<<<64, 256>>>(a, b, 64 * 256, 256);
  wrapping<<<64, 256>>>(a, b);
  divided<<<64, 256>>>(a, b, 1024);
  clamped<<<64, 256>>>(a + 1024, b, 64 * 256);
  chosen<<<64, 256>>>(a, b, true);
  bits<<<64, 256>>>(a, b);
  multipliedHigh<<<64, 256>>>(a, b);
  dimensions<<<64, dim3(32, 8)>>>(a, b, dim3(2048, 8));
  shuffled<<<64, 256>>>(a, b);
  compacted<<<64, 256>>>(key, b);
  indirect<<<64, 256>>>(key, a, b, starts);
  return truth::done();
}
