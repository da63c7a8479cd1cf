// Accesses that are written in helpers, members, lambdas, functors, iterators
// and proxies.
#include "accessors.h"
#include "truth.h"

using namespace accessors;

__global__ void throughHelpers(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[rowMajor(at, 0, 2)] = loadTwice(in, at) + in[rowMajor(0, at, 64)];
}

// One warp per row reads it along; lanes write down a column.
__global__ void throughAGrid(Grid<const float> in, Grid<float> out) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, column = threadIdx.x;
  out(column, row) = in(row, column);
  out.set(row, column, in.get(column, row));
  out[row + 512][column] = in[column + 512][row];
}

__global__ void throughAPitch(Pitched in, Pitched out) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  const float *row = in.row(y);
  out.row(y)[x] = row[x];
  out.row(x)[y] = in.row(y)[x * 2];
}

__global__ void throughIterators(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  Every every(in, 8);
  float sum = *(every + at);
  Range range{Every(in + at * 8, 1), Every(in + at * 8 + 8, 1)};
  for (float value : range)
    sum += value;
  out[at] = sum;
}

__global__ void throughAProxy(Proxied data, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float before = data[at];
  data[at + 65536] = before + 1;
  out[at] = before;
}

__global__ void throughABase(Strided data, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = data.total(at);
}

__global__ void throughLambdas(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  auto byTwo = [=](int i) { return in[2 * i]; };
  auto write = [&](int i, auto value) {
    out[3 * i] = value; // through a reference to the pointer
  };
  int moved = 0;
  auto next = [&moved] { return moved += 4096; };
  write(at, byTwo(at));
  write(at + next(), byTwo(at + next()));
}

// A functor template, as a library would take it.
struct Saxpy {
  float a;
  const float *x;
  float *y;
  __device__ void operator()(int i) const { y[i] = a * x[2 * i] + y[i]; }
};
template <class Body> __global__ void forEach(Body body, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    body(i);
}

__device__ __noinline__ float notInlined(const float *row, int i) {
  return row[i] + row[4 * i];
}
__global__ void throughACall(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = notInlined(in, at);
}

// Each level reads by twice the stride: not followed.
__device__ __noinline__ float descend(const float *in, int at, int depth) {
  if (depth == 0)
    return 0;
  return in[at] + descend(in, 2 * at, depth - 1);
}
__global__ void recursive(const float *in, float *out, int depth) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = descend(in, at, depth);
}

// Which function is called is known only to the host.
typedef float (*Reader)(const float *, int);
__device__ float readerOfTwo(const float *in, int i) { return in[2 * i]; }
__device__ Reader chosen = readerOfTwo;
__global__ void throughAPointer(const float *in, float *out, Reader reader) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = reader(in, at);
}

template <int Width, bool ByColumn>
__global__ void byTemplate(const float *in, float *out) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  if constexpr (ByColumn)
    out[y * Width + x] = in[x * Width + y];
  else
    out[y * Width + x] = in[y * Width + x];
}

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  throughHelpers<<<64, 256>>>(a, b);
  dim3 tile(32, 8);
  throughAGrid<<<64, tile>>>(Grid<const float>(a, 1024), Grid<float>(b, 1024));
  Pitched in{reinterpret_cast<char *>(a), 4096};
  Pitched out{reinterpret_cast<char *>(b), 4096};
  throughAPitch<<<64, tile>>>(in, out);
  throughIterators<<<64, 256>>>(a, b);
  throughAProxy<<<64, 256>>>(Proxied{a}, b);
  throughABase<<<64, 256>>>(Strided(a), b);
  throughLambdas<<<64, 256>>>(a, b);
  forEach<<<64, 256>>>(Saxpy{2, a, b}, 1 << 16);
  throughACall<<<64, 256>>>(a, b);
  recursive<<<64, 256>>>(a, b, 3);
  Reader reader;
  TRUTH_CHECK(cudaMemcpyFromSymbol(&reader, chosen, sizeof(reader)));
  throughAPointer<<<64, 256>>>(a, b, reader);
  byTemplate<1024, false><<<64, tile>>>(a, b);
  byTemplate<1024, true><<<64, dim3(16, 16)>>>(a, b);
  return truth::done();
}
