// A reading exercise: which of these nine accesses, a to i, are coalesced?
//   a  a[i]                          coalesced
//   b  a_s[threadIdx.x] =            shared memory
//   c  b[...]                        coalesced, in every iteration of the loop
//   d  c[i * 4 + j]                  not coalesced: lanes are 4 elements apart;
//                                    unrolled, the four iterations use the same
//                                    sectors together, and it costs nothing
//   e  bc_s[...] =                   shared memory
//   f  a_s[threadIdx.x]              shared memory
//   g  d[i + 8] =                    coalesced: 8 elements are one sector
//   h  bc_s[threadIdx.x * 4]         shared memory: four words of each bank
//   i  e[i * 8] =                    not coalesced: lanes are 8 elements apart
#include "program.h"

namespace {

constexpr int threads = 256;

__global__ void foo(const float *a, const float *b, const float *c, float *d,
                    float *e) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float a_s[256];
  __shared__ float bc_s[4 * 256];
  a_s[threadIdx.x] = // b
      a[i]; // a
  for (unsigned int j = 0; j < 4; ++j) {
    bc_s[j * 256 + threadIdx.x] = // e
        b[j * blockDim.x * gridDim.x + i] + // c
        c[i * 4 + j];
  }
  __syncthreads();
  d[i + 8] = // g
      a_s[threadIdx.x]; // f
  e[i * 8] = // expect: strided-global-access
      bc_s[threadIdx.x * 4]; // expect: shared-bank-conflict
}

} // namespace

int main() {
  const int blocks = 512, n = blocks * threads;
  std::vector<float> a = twin::randomNumbers<float>(n, -1, 1, 1);
  std::vector<float> b = twin::randomNumbers<float>(4 * n, -1, 1, 2);
  std::vector<float> c = twin::randomNumbers<float>(4 * n, -1, 1, 3);

  // Thread t of a block takes element 4t of the block's sums: that of iteration
  // 4t / 256 and thread 4t % 256.
  std::vector<float> d(n + 8), e(8 * n);
  for (int i = 0; i < n; ++i) {
    d[i + 8] = a[i];
    int block = i / threads, thread = i % threads;
    int j = 4 * thread / threads;
    int source = block * threads + 4 * thread % threads;
    e[i * 8] = b[j * n + source] + c[source * 4 + j];
  }

  twin::DeviceArray<float> dA(a), dB(b), dC(c), dD(d.size()), dE(e.size());
  foo<<<blocks, threads>>>(dA.get(), dB.get(), dC.get(), dD.get(), dE.get());
  bool right = program::verify("d", dD, d, 0);
  right = program::verify("e", dE, e, 0) && right;
  return right ? 0 : 1;
}
