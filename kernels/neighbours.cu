// The cost of an array of structures against a structure of arrays, by the size of
// the structure, if every field is used: the ground for the rules on neighbours
// in linter/cost/neighbours.h. Prints one line for each size; that header has
// an H200's figures.
#include "twin.h"

namespace {

constexpr int threads = 256;

template <int fields>
struct Record {
  float field[fields];
};

template <int fields>
__global__ void loadRecords(const Record<fields> *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < fields; ++k)
    sum += in[i].field[k]; // expect: strided-global-access
  out[i] = sum;
}

template <int fields>
__global__ void loadArrays(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < fields; ++k)
    sum += in[k * n + i];
  out[i] = sum;
}

template <int fields>
__global__ void storeRecords(Record<fields> *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = in[i];
#pragma unroll
  for (int k = 0; k < fields; ++k)
    out[i].field[k] = value + k; // expect: strided-global-access
}

template <int fields>
__global__ void storeArrays(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = in[i];
#pragma unroll
  for (int k = 0; k < fields; ++k)
    out[k * n + i] = value + k;
}

template <int fields>
__global__ void updateRecords(Record<fields> *records, int n, float step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#pragma unroll
  for (int k = 0; k < fields; ++k)
    records[i].field[k] += step; // expect: strided-global-access
}

template <int fields>
__global__ void updateArrays(float *arrays, int n, float step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#pragma unroll
  for (int k = 0; k < fields; ++k)
    arrays[k * n + i] += step;
}

/// Times slow over fast, for the same bytes in both layouts.
template <int fields>
void measure(twin::Stopwatch &stopwatch) {
  const int n = (1 << 26) / fields / threads * threads;
  twin::DeviceArray<float> all(std::size_t(n) * fields), one(n);
  auto *records = reinterpret_cast<Record<fields> *>(all.get());
  const int blocks = n / threads;
  double load =
      stopwatch.medianMicroseconds([&] {
        loadRecords<fields><<<blocks, threads>>>(records, one.get(), n);
      }) /
      stopwatch.medianMicroseconds([&] {
        loadArrays<fields><<<blocks, threads>>>(all.get(), one.get(), n);
      });
  double store =
      stopwatch.medianMicroseconds([&] {
        storeRecords<fields><<<blocks, threads>>>(records, one.get(), n);
      }) /
      stopwatch.medianMicroseconds([&] {
        storeArrays<fields><<<blocks, threads>>>(all.get(), one.get(), n);
      });
  double update =
      stopwatch.medianMicroseconds([&] {
        updateRecords<fields><<<blocks, threads>>>(records, n, 1.0f);
      }) /
      stopwatch.medianMicroseconds([&] {
        updateArrays<fields><<<blocks, threads>>>(all.get(), n, 1.0f);
      });
  std::printf("{\"bytes\": %d, \"load\": %.2f, \"store\": %.2f, "
              "\"update\": %.2f}\n",
              fields * int(sizeof(float)), load, store, update);
}

} // namespace

int main() {
  twin::Stopwatch stopwatch;
  measure<2>(stopwatch);
  measure<3>(stopwatch);
  measure<4>(stopwatch);
  measure<5>(stopwatch);
  measure<6>(stopwatch);
  measure<8>(stopwatch);
  measure<9>(stopwatch);
  measure<11>(stopwatch);
  measure<12>(stopwatch);
  measure<16>(stopwatch);
  measure<24>(stopwatch);
  measure<32>(stopwatch);
}
