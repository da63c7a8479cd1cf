// Two kernels over arrays whose layout suits another index than the one that
// neighbouring lanes differ in, each beside its twin in the other layout.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "layout-against-index";

struct LayoutLeft {
  __host__ __device__ static std::size_t at(int i, int j, int rows, int) {
    return i + std::size_t(j) * rows;
  }
};
struct LayoutRight {
  __host__ __device__ static std::size_t at(int i, int j, int, int columns) {
    return std::size_t(i) * columns + j;
  }
};

// A kernel's view of a Kokkos::View with two indexes.
template <class T, class Layout> struct View {
  using array_layout = Layout;
  T *data;
  int rows, columns;
  __device__ T &operator()(int i, int j) const {
    return data[Layout::at(i, j, rows, columns)];
  }
};

// The sum of a row for each thread.
template <class Layout>
__global__ void rowSums(View<const float, Layout> a, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a.rows)
    return;
  float s = 0;
  for (int j = 0; j < a.columns; ++j)
    s += a(i, j); // expect: layout-against-index
  sum[i] = s;
}

// A cell from its neighbours, the first index along x as in an MDRangePolicy.
// Stores to the result, which is the same for both.
template <class Layout>
__global__ void relax(View<const float, Layout> a, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= a.rows - 1 || j < 1 || j >= a.columns - 1)
    return;
  out[i + j * a.rows] =
      0.25f * (a(i - 1, j) + // expect: layout-against-index
               a(i + 1, j) + // expect: layout-against-index
               a(i, j - 1) + // expect: layout-against-index
               a(i, j + 1)); // expect: layout-against-index
}

/// The same numbers in both layouts.
struct Both {
  Both(int rows, int columns)
      : rows(rows), columns(columns), right(numbers(rows, columns, false)),
        left(numbers(rows, columns, true)) {}

  static std::vector<float> numbers(int rows, int columns, bool isLeft) {
    std::vector<float> random =
        twin::randomNumbers<float>(std::size_t(rows) * columns, 0, 1);
    if (!isLeft)
      return random;
    std::vector<float> turned(random.size());
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        turned[LayoutLeft::at(i, j, rows, columns)] =
            random[LayoutRight::at(i, j, rows, columns)];
    return turned;
  }
  View<const float, LayoutRight> slow() const {
    return {right.get(), rows, columns};
  }
  View<const float, LayoutLeft> fast() const {
    return {left.get(), rows, columns};
  }

  int rows, columns;
  twin::DeviceArray<float> right, left;
};

bool sums() {
  const Both a(10000, 10000);
  twin::DeviceArray<float> slow(a.rows), fast(a.rows);
  const int blocks = (a.rows + threads - 1) / threads;
  return twin::compare(
      {check, "row-sums",
       "sums of the rows of 10000x10000: LayoutRight -> LayoutLeft"},
      [&] { rowSums<<<blocks, threads>>>(a.slow(), slow.get()); }, slow, // expect: small-grid
      [&] { rowSums<<<blocks, threads>>>(a.fast(), fast.get()); }, fast); // expect: small-grid
}

bool cells() {
  const Both a(8192, 8192);
  twin::DeviceArray<float> slow(std::size_t(a.rows) * a.columns),
      fast(std::size_t(a.rows) * a.columns);
  const dim3 block(32, 8), grid(a.rows / 32, a.columns / 8);
  return twin::compare(
      {check, "stencil",
       "four neighbours in 8192x8192, tiles of 32x8: LayoutRight -> "
       "LayoutLeft"},
      [&] { relax<<<grid, block>>>(a.slow(), slow.get()); }, slow,
      [&] { relax<<<grid, block>>>(a.fast(), fast.get()); }, fast);
}

} // namespace

int main() { return sums() && cells() ? 0 : 1; }
