// Five kernels whose lanes want different words of one bank of shared memory,
// each beside a twin that puts the words elsewhere.
#include "twin.h"

namespace {

const char *const check = "shared-bank-conflict";

// Transposition through a tile: a column of 32 words lies in one bank.
constexpr int tileSize = 32, tileRows = 8;

__global__ void transposeByTile(const float *in, float *out, int rows,
                                int columns) {
  __shared__ float tile[tileSize][tileSize];
  int column = blockIdx.x * tileSize + threadIdx.x;
  int row = blockIdx.y * tileSize + threadIdx.y;
  for (int k = 0; k < tileSize; k += tileRows)
    tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * columns + column];
  __syncthreads();
  column = blockIdx.y * tileSize + threadIdx.x;
  row = blockIdx.x * tileSize + threadIdx.y;
  for (int k = 0; k < tileSize; k += tileRows)
    out[(row + k) * rows + column] =
        tile[threadIdx.x][threadIdx.y + k]; // expect: shared-bank-conflict
}

// The same with a column more, which nobody uses.
__global__ void transposeByPaddedTile(const float *in, float *out, int rows,
                                      int columns) {
  __shared__ float tile[tileSize][tileSize + 1];
  int column = blockIdx.x * tileSize + threadIdx.x;
  int row = blockIdx.y * tileSize + threadIdx.y;
  for (int k = 0; k < tileSize; k += tileRows)
    tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * columns + column];
  __syncthreads();
  column = blockIdx.y * tileSize + threadIdx.x;
  row = blockIdx.x * tileSize + threadIdx.y;
  for (int k = 0; k < tileSize; k += tileRows)
    out[(row + k) * rows + column] =
        tile[threadIdx.x][threadIdx.y + k];
}

// Running sums of each piece of 4096 numbers. Numbers come and go side by side;
// in between each thread has 16 in a row.
constexpr int threads = 256, perThread = 16, piece = threads * perThread;

// The sum over all threads of the block before this one.
__device__ float sumBefore(float mine) {
  __shared__ float ofWarp[threads / 32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float upToMe = mine;
  for (int distance = 1; distance < 32; distance *= 2) {
    float other = __shfl_up_sync(0xffffffffu, upToMe, distance);
    if (lane >= distance)
      upToMe += other;
  }
  if (lane == 31)
    ofWarp[warp] = upToMe;
  __syncthreads();
  float before = 0.0f;
  for (int w = 0; w < warp; ++w)
    before += ofWarp[w];
  return before + upToMe - mine;
}

__global__ void scan(const float *in, float *out) {
  __shared__ float number[piece];
  for (int i = threadIdx.x; i < piece; i += threads)
    number[i] = in[blockIdx.x * piece + i];
  __syncthreads();
  int first = threadIdx.x * perThread;
  float sum = 0.0f;
  for (int k = 0; k < perThread; ++k)
    sum += number[first + k]; // expect: shared-bank-conflict
  float running = sumBefore(sum);
  for (int k = 0; k < perThread; ++k) {
    running += number[first + k]; // expect: shared-bank-conflict
    number[first + k] = running; // expect: shared-bank-conflict
  }
  __syncthreads();
  for (int i = threadIdx.x; i < piece; i += threads)
    out[blockIdx.x * piece + i] = number[i];
}

// The same with a word left out after each 32.
__device__ int padded(int i) { return i + i / 32; }

__global__ void scanPadded(const float *in, float *out) {
  __shared__ float number[piece + piece / 32];
  for (int i = threadIdx.x; i < piece; i += threads)
    number[padded(i)] = in[blockIdx.x * piece + i];
  __syncthreads();
  int first = threadIdx.x * perThread;
  float sum = 0.0f;
  for (int k = 0; k < perThread; ++k)
    sum += number[padded(first + k)];
  float running = sumBefore(sum);
  for (int k = 0; k < perThread; ++k) {
    running += number[padded(first + k)];
    number[padded(first + k)] = running;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < piece; i += threads)
    out[blockIdx.x * piece + i] = number[padded(i)];
}

// Sums of a block's numbers by a tree, whose strides grow.
__global__ void sumWithGrowingStrides(const float *in, float *out) {
  __shared__ float partial[threads];
  int t = threadIdx.x;
  partial[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (int stride = 1; stride < threads; stride *= 2) { // expect: shared-tree-reduction
    int i = 2 * stride * t;
    if (i < threads)
      partial[i] += partial[i + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = partial[0];
}

// The same with strides that shrink: the threads that work stay side by side.
__global__ void sumWithShrinkingStrides(const float *in, float *out) {
  __shared__ float partial[threads];
  int t = threadIdx.x;
  partial[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (int stride = threads / 2; stride > 0; stride /= 2) { // expect: shared-tree-reduction
    if (t < stride)
      partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = partial[0];
}

// A times the transpose of B, both as rows, in tiles of 16 by 16: lanes run
// down the columns of B's tile, eight words to a bank.
constexpr int square = 16;

__global__ void multiplyByTransposed(const float *A, const float *B, float *C,
                                     int n) {
  __shared__ float a[square][square], b[square][square];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * square + y, firstOfB = blockIdx.x * square;
  float sum = 0.0f;
  for (int first = 0; first < n; first += square) {
    a[y][x] = A[row * n + first + x]; // expect: fine-grained-tile
    b[y][x] = B[(firstOfB + y) * n + first + x];
    __syncthreads();
    for (int k = 0; k < square; ++k)
      sum += a[y][k] * b[x][k]; // expect: shared-bank-conflict
    __syncthreads();
  }
  C[row * n + firstOfB + x] = sum;
}

// The same with a column more: of each warp's store, two words share a bank.
__global__ void multiplyPadded(const float *A, const float *B, float *C,
                               int n) {
  __shared__ float a[square][square], b[square][square + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * square + y, firstOfB = blockIdx.x * square;
  float sum = 0.0f;
  for (int first = 0; first < n; first += square) {
    a[y][x] = A[row * n + first + x]; // expect: fine-grained-tile
    b[y][x] = B[(firstOfB + y) * n + first + x]; // expect: shared-bank-conflict
    __syncthreads();
    for (int k = 0; k < square; ++k)
      sum += a[y][k] * b[x][k];
    __syncthreads();
  }
  C[row * n + firstOfB + x] = sum;
}

// The same with column c of row r at c ^ r: no word more, and no conflict.
__global__ void multiplySwizzled(const float *A, const float *B, float *C,
                                 int n) {
  __shared__ float a[square][square], b[square][square];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * square + y, firstOfB = blockIdx.x * square;
  float sum = 0.0f;
  for (int first = 0; first < n; first += square) {
    a[y][x] = A[row * n + first + x]; // expect: fine-grained-tile
    b[y][x ^ y] = B[(firstOfB + y) * n + first + x];
    __syncthreads();
    for (int k = 0; k < square; ++k)
      sum += a[y][k] * b[x][k ^ x];
    __syncthreads();
  }
  C[row * n + firstOfB + x] = sum;
}

bool compareTranspositions() {
  const int rows = 8192, columns = 4096;
  const std::size_t all = std::size_t(rows) * columns;
  const dim3 grid(columns / tileSize, rows / tileSize);
  twin::DeviceArray<float> in(twin::randomNumbers<float>(all, -1, 1));
  twin::DeviceArray<float> slow(all), fast(all);
  return twin::compare(
      {check, "transposition", "tile [32][32] -> [32][33]"},
      [&] {
        transposeByTile<<<grid, dim3(tileSize, tileRows)>>>(
            in.get(), slow.get(), rows, columns);
      },
      slow,
      [&] {
        transposeByPaddedTile<<<grid, dim3(tileSize, tileRows)>>>(
            in.get(), fast.get(), rows, columns);
      },
      fast);
}

bool compareScans() {
  const int blocks = 1 << 13, count = blocks * piece;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(count, 0, 1));
  twin::DeviceArray<float> slow(count), fast(count);
  return twin::compare(
      {check, "scan", "running sums, 16 per thread: stride 16 -> a word left out after each 32"},
      [&] { scan<<<blocks, threads>>>(in.get(), slow.get()); }, slow,
      [&] { scanPadded<<<blocks, threads>>>(in.get(), fast.get()); }, fast);
}

bool compareReductions() {
  const int blocks = 1 << 17;
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(blocks) * threads, 0, 1));
  twin::DeviceArray<float> slow(blocks), fast(blocks);
  return twin::compare(
      {check, "reduction", "block sums: growing strides -> shrinking strides",
       1e-5},
      [&] { sumWithGrowingStrides<<<blocks, threads>>>(in.get(), slow.get()); },
      slow,
      [&] {
        sumWithShrinkingStrides<<<blocks, threads>>>(in.get(), fast.get());
      },
      fast);
}

template <class Launch>
bool compareProducts(const char *name, const char *what, Launch launchFast) {
  const int n = 1024;
  const std::size_t all = std::size_t(n) * n;
  twin::DeviceArray<float> A(twin::randomNumbers<float>(all, -1, 1, 1));
  twin::DeviceArray<float> B(twin::randomNumbers<float>(all, -1, 1, 2));
  twin::DeviceArray<float> slow(all), fast(all);
  const dim3 grid(n / square, n / square);
  return twin::compare(
      {check, name, what},
      [&] {
        multiplyByTransposed<<<grid, dim3(square, square)>>>(
            A.get(), B.get(), slow.get(), n);
      },
      slow, [&] { launchFast(grid, A.get(), B.get(), fast.get(), n); }, fast);
}

} // namespace

int main() {
  bool agreed = compareTranspositions();
  agreed = compareScans() && agreed;
  agreed = compareReductions() && agreed;
  agreed =
      compareProducts(
          "square-tile", "product of 1024x1024: tile [16][16] -> [16][17]",
          [](dim3 grid, const float *A, const float *B, float *C, int n) {
            multiplyPadded<<<grid, dim3(square, square)>>>(A, B, C, n);
          }) &&
      agreed;
  agreed =
      compareProducts(
          "swizzled-tile", "the same: column c of row r at c ^ r",
          [](dim3 grid, const float *A, const float *B, float *C, int n) {
            multiplySwizzled<<<grid, dim3(square, square)>>>(A, B, C, n);
          }) &&
      agreed;
  return agreed ? 0 : 1;
}
