// Loads, stores and atomics by their own functions: cached, volatile, atomic,
// asynchronous; textures and surfaces.
#include "truth.h"
#include <cuda/atomic>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

__global__ void cachedLoads(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = __ldg(in + 2 * at);
  sum += __ldca(&in[at]);
  sum += __ldcg(&in[3 * at]);
  sum += __ldcs(in + 4 * at);
  sum += __ldcv(in + at + 65536);
  sum += __ldlu(in + 8 * at);
  float4 v = __ldg(reinterpret_cast<const float4 *>(in) + at);
  double2 w = __ldcs(reinterpret_cast<const double2 *>(in) + 2 * at);
  out[at] = sum + v.x + float(w.y);
}

__global__ void cachedStores(float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  __stcs(out + 2 * at, 1.f);
  __stcg(&out[131072 + at], 2.f);
  __stwb(out + 262144 + 3 * at, 3.f);
  __stwt(out + 524288 + at, 4.f);
  __stcs(reinterpret_cast<float4 *>(out + 1048576) + at,
         make_float4(1, 2, 3, 4));
}

__global__ void volatileAndAssembly(volatile float *data, const float *in,
                                    float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  data[2 * at] = data[at + 131072];
  float v, x, y;
  // clang-format off
  asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(in + 4 * at));
  asm volatile("st.global.cs.f32 [%0+16], %1;" ::"l"(out + at), "f"(v) : "memory");
  asm("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "l"(in + 2 * at));
  // clang-format on
  out[65536 + at] = x + y;
}

__global__ void atomicsOfInts(int *data, unsigned *wrap, int *old) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&data[2 * at], 3);
  atomicMin(data + 131072 + at, 1);
  int before = atomicExch(&data[262144 + 4 * at], at);
  before += atomicCAS(&data[524288 + at], 0, at);
  before += atomicInc(&wrap[at], 7u) + atomicDec(&wrap[65536 + 2 * at], 7u);
  atomicAnd(&data[589824 + at], at);
  atomicXor(&data[655360 + 3 * at], at);
  old[at] = before;
}

__global__ void atomicsOfLongs(unsigned long long *data, double *reals) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&data[at], 1ull);
  atomicMax(&data[65536 + 2 * at], 5ull);
  atomicAdd(&reals[at], 1.0);
  atomicCAS(&data[262144 + at], 0ull, 1ull);
}

__global__ void atomicsOfReals(float *data, __half2 *pairs, float2 *two,
                               float4 *four) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&data[4 * at], 1.f);
  atomicAdd(&pairs[at], __float2half2_rn(1.f));
#if __CUDA_ARCH__ >= 900
  atomicAdd(&two[at], make_float2(1, 2));
  atomicAdd(&four[at], make_float4(1, 2, 3, 4));
#endif
}

__global__ void atomicsByScope(int *data, float *reals) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd_block(&data[at], 1);
  atomicAdd_system(&data[65536 + 2 * at], 1);
  atomicMax_block(&data[262144 + 3 * at], 1);
  atomicAdd_system(&reals[at], 1.f);
  atomicCAS_block(&data[524288 + at], 1, 2);
}

__global__ void atomicReferences(int *data, float *reals, int *old) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> one(data[2 * at]);
  one.fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_block> two(data[131072 + at]);
  old[at] = two.exchange(5, cuda::memory_order_relaxed);
  cuda::atomic_ref<float, cuda::thread_scope_device> three(reals[at]);
  three.fetch_add(1.f, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device> four(data[262144 + 4 * at]);
  old[65536 + at] = four.load(cuda::memory_order_relaxed);
  four.store(3, cuda::memory_order_relaxed);
}

__global__ void atomicsInShared(const float *in, int *out) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x * 2 % 256], int(in[threadIdx.x]));
  atomicMax(&bins[threadIdx.x], 3);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}

__global__ void histogram(const int *key, int *bins) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[key[at]], 1);
}

__global__ void asynchronousCopies(const float *in, float *out) {
  __shared__ float four[256];
  __shared__ float2 eight[256];
  __shared__ float4 sixteen[256];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  __pipeline_memcpy_async(&four[threadIdx.x], &in[2 * at], 4);
  __pipeline_memcpy_async(&eight[threadIdx.x], &in[4 * at], 8);
  __pipeline_memcpy_async(&sixteen[threadIdx.x], in + 4 * at, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[at] = four[255 - threadIdx.x] + eight[threadIdx.x ^ 1].y +
            sixteen[threadIdx.x].z;
}

__global__ void asynchronousPipeline(const float4 *in, float4 *out) {
  __shared__ float4 stage[2][128];
  auto pipe = cuda::make_pipeline();
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(&stage[0][threadIdx.x], &in[at],
                     cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit();
  for (int k = 1; k < 4; ++k) {
    pipe.producer_acquire();
    cuda::memcpy_async(&stage[k & 1][threadIdx.x], &in[k * 8192 + 2 * at],
                       cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    out[k * 8192 + at] = stage[(k - 1) & 1][threadIdx.x];
    pipe.consumer_release();
  }
}

// The address of a texture or surface fetch does not tell its cost.
__global__ void textures(cudaTextureObject_t line, cudaTextureObject_t plane,
                         cudaSurfaceObject_t surface, float *out) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  float v = tex1Dfetch<float>(line, 4 * x);
  v += tex2D<float>(plane, x + 0.5f, y + 0.5f);
  surf2Dwrite(v, surface, x * 4, y);
  out[y * 64 + 2 * x] = v;
}

void runTextures(float *a, float *b) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = a;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 1 << 20;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t line, plane;
  TRUTH_CHECK(cudaCreateTextureObject(&line, &resource, &how, nullptr));
  cudaArray_t array;
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  TRUTH_CHECK(
      cudaMallocArray(&array, &channel, 64, 512, cudaArraySurfaceLoadStore));
  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  TRUTH_CHECK(cudaCreateTextureObject(&plane, &resource, &how, nullptr));
  cudaSurfaceObject_t surface;
  TRUTH_CHECK(cudaCreateSurfaceObject(&surface, &resource));
  textures<<<64, dim3(32, 8)>>>(line, plane, surface, b);
}

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  float *c = truth::zeros<float>();
  int *key = truth::spread(1 << 16, 7, 4096);
  cachedLoads<<<64, 256>>>(a, b);
  cachedStores<<<64, 256>>>(b);
  volatileAndAssembly<<<64, 256>>>(a, c, b);
  atomicsOfInts<<<64, 256>>>((int *)a, (unsigned *)b, (int *)c);
  atomicsOfLongs<<<64, 256>>>((unsigned long long *)a, (double *)b);
  atomicsOfReals<<<64, 256>>>(a, (__half2 *)b, (float2 *)c, (float4 *)c);
  atomicsByScope<<<64, 256>>>((int *)a, b);
  atomicReferences<<<64, 256>>>((int *)a, b, (int *)c);
  atomicsInShared<<<64, 256>>>(a, (int *)b);
  histogram<<<64, 256>>>(key, (int *)b);
  asynchronousCopies<<<64, 256>>>(a, b);
  asynchronousPipeline<<<64, 128>>>((float4 *)a, (float4 *)b);
  runTextures(a, b);
  return truth::done();
}
