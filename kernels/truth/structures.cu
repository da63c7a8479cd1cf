// Structures, references, pointers to pointers, vector types, arrays of many
// dimensions, macros.
#include "truth.h"
#include <cuda_fp16.h>

struct Fields {
  float *columns[4];
  struct {
    const float *weights;
    int offset;
  } in;
};

__global__ void pointersInAStructure(Fields f) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  f.columns[0][at] = f.in.weights[2 * at];
  for (int c = 1; c < 4; ++c)
    f.columns[c][at * c] = 1;
}

// The structure lies in memory: its pointers are read first.
__global__ void pointersInMemory(const Fields *f) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  f->columns[1][at] = f->in.weights[4 * at];
}

__global__ void pointersToPointers(float *const *rows, float *out) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  out[y * 32 + x] = rows[y][2 * x];
}

struct Body { // 28 bytes
  float x, y, z;
  float velocity[3];
  int kind;
};

__global__ void fieldsOfABody(Body *bodies, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  Body &mine = bodies[at];
  out[at] = mine.velocity[1];
  mine.z += 1;
}

__global__ void wholeBodies(const Body *from, Body *to) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  Body body = from[at];
  body.kind = 3;
  to[at] = body;
}

struct __align__(16) Wide { // 48 bytes
  float a[12];
};
__global__ void wholeWides(const Wide *from, Wide *to) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  to[at] = from[at];
}

__global__ void vectors(const float4 *four, const double2 *two,
                        const uchar4 *bytes, const float3 *three, float4 *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = four[at];
  double2 w = two[2 * at];
  uchar4 b = bytes[at];
  float3 t = three[at];
  out[at] = make_float4(v.x + w.x, v.y + w.y, b.x + t.x, t.z);
}

__global__ void reinterpreted(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 *wide = reinterpret_cast<const float4 *>(in) + 2 * at;
  float4 v = *wide;
  reinterpret_cast<float2 *>(out)[at] = make_float2(v.x + v.z, v.y + v.w);
  ((int *)out)[65536 * 2 + 3 * at] = __float_as_int(v.x);
}

__global__ void halves(const __half *in, const __half2 *pairs, __half *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 p = pairs[at];
  out[at] = __hadd(in[2 * at], __low2half(p));
  out[65536 + 16 * at] = __high2half(p);
}

union Bits {
  float f;
  unsigned u;
  unsigned char b[4];
};
__global__ void bitsOfAUnion(const Bits *in, unsigned char *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  Bits bits = in[at];
  out[at] = bits.b[1];
  out[65536 + 4 * at] = in[at + 65536].b[2];
}

__device__ float volume[16][64][96];
__constant__ int offsets[8] = {0, 1, 2, 3, 4, 5, 6, 7};
__global__ void manyDimensions(float (*plane)[40], float *out) {
  int x = threadIdx.x, y = threadIdx.y + blockDim.y * (blockIdx.x % 8);
  out[(blockIdx.x * blockDim.y + threadIdx.y) * 32 + x] =
      volume[3][y][x] + volume[x % 16][y][2];
  plane[y][x] = 2;
  plane[x][y] = offsets[threadIdx.y];
}

#define INDEX(i, j, n) ((i) * (n) + (j))
#define ELEMENT(m, i, j) (m)[INDEX((i), (j), 512)]
#define EACH(i, n)                                                             \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n);                 \
       i += blockDim.x * gridDim.x)
__global__ void macros(const float *in, float *out, int n) {
  EACH(i, n) { ELEMENT(out, 0, i) = ELEMENT(in, i, 0); }
}

__global__ void references(float *data, const float *in) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  const float &from = in[at * 2];
  float &to = data[at * 3];
  float *const *indirect;
  float *own = data + 131072;
  indirect = &own;
  to = from;
  (*indirect)[at] = from;
}

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  Fields fields{{a, a + (1 << 20), a + (2 << 20), a + (4 << 20)}, {b, 0}};
  pointersInAStructure<<<64, 256>>>(fields);
  Fields *inMemory = truth::zeros<Fields>(sizeof(Fields));
  TRUTH_CHECK(
      cudaMemcpy(inMemory, &fields, sizeof(Fields), cudaMemcpyHostToDevice));
  pointersInMemory<<<64, 256>>>(inMemory);
  std::vector<float *> rows;
  for (int y = 0; y < 512; ++y)
    rows.push_back(a + 64 * y);
  float **rowsInMemory = truth::zeros<float *>(512 * sizeof(float *));
  TRUTH_CHECK(cudaMemcpy(rowsInMemory, rows.data(), 512 * sizeof(float *),
                         cudaMemcpyHostToDevice));
  pointersToPointers<<<64, dim3(32, 8)>>>(rowsInMemory, b);
  fieldsOfABody<<<64, 256>>>((Body *)a, b);
  wholeBodies<<<64, 256>>>((Body *)a, (Body *)b);
  wholeWides<<<64, 256>>>((Wide *)a, (Wide *)b);
  vectors<<<64, 256>>>((float4 *)a, (double2 *)a, (uchar4 *)a, (float3 *)a,
                       (float4 *)b);
  reinterpreted<<<64, 256>>>(a, b);
  halves<<<64, 256>>>((__half *)a, (__half2 *)a, (__half *)b);
  bitsOfAUnion<<<64, 256>>>((Bits *)a, (unsigned char *)b);
  manyDimensions<<<64, dim3(32, 8)>>>((float(*)[40])a, b);
  macros<<<64, 256>>>(a, b, 64 * 256);
  references<<<64, 256>>>(a, b);
  return truth::done();
}
