// Shared memory: carved, swizzled, with wide elements and structures, by warps
// that are not whole.
#include "truth.h"

extern __shared__ char arena[];

__global__ void carved(const float *in, float *out, int n) {
  float *first = reinterpret_cast<float *>(arena);
  double *second = reinterpret_cast<double *>(first + 256);
  int *third = (int *)(second + 512);
  unsigned short *fourth = (unsigned short *)&third[1024];
  first[threadIdx.x] = in[threadIdx.x];
  second[2 * threadIdx.x] = in[threadIdx.x + n];
  third[4 * threadIdx.x] = threadIdx.x;
  fourth[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int other = 255 - threadIdx.x;
  out[blockIdx.x * 256 + threadIdx.x] =
      first[other] + second[2 * other] + third[4 * other] + fourth[other];
}

__global__ void swizzled(const float *in, float *out) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  for (int k = y; k < 32; k += 8)
    tile[k][x ^ k] = in[k * 32 + x];
  __syncthreads();
  for (int k = y; k < 32; k += 8)
    out[blockIdx.x * 1024 + k * 32 + x] = tile[x][k ^ x];
}

// Elements of 16 bytes, swizzled by the row as matrix tiles are.
__global__ void swizzledWide(const float4 *in, float4 *out) {
  __shared__ float4 tile[32 * 8];
  int row = threadIdx.x / 8, column = threadIdx.x % 8;
  tile[row * 8 + (column ^ (row & 7))] = in[threadIdx.x];
  __syncthreads();
  int reader = threadIdx.x % 32, part = threadIdx.x / 32;
  float4 swapped = tile[reader * 8 + (part ^ (reader & 7))];
  out[blockIdx.x * 256 + threadIdx.x] = swapped;
}

__global__ void wideColumns(const double *in, double *out) {
  __shared__ double tile[16][16];
  __shared__ double2 pairs[256];
  int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
  tile[y][x] = in[t];
  pairs[t] = make_double2(in[t], in[t + 256]);
  __syncthreads();
  out[blockIdx.x * 256 + t] = tile[x][y] + pairs[t * 3 % 256].x;
}

struct Particle { // 20 bytes
  float position[3];
  float mass;
  int kind;
};
struct Pair {
  float key;
  int value;
};
__global__ void structures(const float *in, float *out) {
  __shared__ Particle particles[128];
  __shared__ Pair pairs[128];
  int t = threadIdx.x;
  particles[t].mass = in[t];
  particles[t].position[1] = in[t + 128];
  particles[t].kind = t;
  pairs[t].key = in[t + 256];
  pairs[t].value = t;
  __syncthreads();
  out[blockIdx.x * 128 + t] = particles[127 - t].mass + pairs[127 - t].key +
                              particles[t].position[1] + pairs[t / 2].value +
                              particles[t ^ 1].kind;
}

// Only some lanes take part, and those collide.
__global__ void partialWarps(const float *in, float *out) {
  __shared__ float tile[32 * 33];
  int lane = threadIdx.x;
  for (int k = lane; k < 32 * 33; k += 32)
    tile[k] = in[k];
  __syncwarp();
  float sum = 0;
  if (lane < 8)
    sum += tile[lane * 32];
  if (lane % 4 == 0)
    sum += tile[lane * 16];
  if (lane & 1)
    sum += tile[lane * 33 + 1];
  if (lane == 7)
    sum += tile[lane];
  out[blockIdx.x * 32 + lane] = sum;
}

__global__ void narrow(const unsigned char *in, unsigned char *out) {
  __shared__ unsigned char bytes[1024];
  __shared__ short shorts[1024];
  int t = threadIdx.x;
  bytes[t] = in[t];
  shorts[2 * t] = in[t];
  __syncthreads();
  out[blockIdx.x * 256 + t] = bytes[4 * t % 256] + bytes[t * 8 % 1024] +
                              shorts[510 - 2 * t] + shorts[32 * t % 1024];
}

// Two rows of a warp read the same words, or words of the same banks.
__global__ void twoRows(const float *in, float *out) {
  __shared__ float tile[16][32];
  int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
  tile[t / 32][t % 32] = in[t];
  tile[8 + t / 32][t % 32] = in[t + 256];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += tile[k][x] * tile[y][k];
  out[blockIdx.x * 256 + t] = sum + tile[y][x * 2] + tile[y][31 - x];
}

// Bank conflicts that pad with the loop: a scan of a block in shared memory.
#define PADDED(i) ((i) + ((i) >> 5))
__global__ void scanned(const float *in, float *out) {
  __shared__ float plain[64];
  __shared__ float padded[66];
  int t = threadIdx.x;
  plain[2 * t] = in[t];
  plain[2 * t + 1] = in[t + 32];
  padded[PADDED(t)] = in[t];
  padded[PADDED(t + 32)] = in[t + 32];
  __syncwarp();
  int offset = 1;
#pragma unroll 1
  for (int d = 32; d > 0; d >>= 1) {
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      plain[b] += plain[a];
      padded[PADDED(b)] += padded[PADDED(a)];
    }
    offset *= 2;
    __syncwarp();
  }
  out[blockIdx.x * 32 + t] = plain[2 * t] + padded[PADDED(2 * t)];
}

// The bins are the data's, the banks the thread's.
__global__ void privateBins(const int *key, int *out) {
  __shared__ unsigned char bins[64 * 64];
  for (int k = 0; k < 64; ++k)
    bins[k * 64 + threadIdx.x] = 0;
  for (int k = 0; k < 8; ++k)
    bins[(key[k * 64 + threadIdx.x] & 63) * 64 + threadIdx.x]++;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += bins[threadIdx.x * 64 + k];
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  int *key = truth::spread(1 << 16, 7, 4096);
  carved<<<64, 256, 256 * 4 + 512 * 8 + 1024 * 4 + 256 * 2>>>(a, b, 256);
  swizzled<<<64, dim3(32, 8)>>>(a, b);
  swizzledWide<<<64, 256>>>((float4 *)a, (float4 *)b);
  wideColumns<<<64, dim3(16, 16)>>>((double *)a, (double *)b);
  structures<<<64, 128>>>(a, b);
  partialWarps<<<64, 32>>>(a, b);
  narrow<<<64, 256>>>((unsigned char *)a, (unsigned char *)b);
  twoRows<<<64, dim3(16, 16)>>>(a, b);
  scanned<<<64, 32>>>(a, b);
  privateBins<<<64, 64>>>(key, (int *)b);
  return truth::done();
}
