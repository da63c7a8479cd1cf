// Three kernels whose addresses come from loaded data, each beside a twin that
// does the same with the data in another order.
#include "twin.h"
#include <numeric>

namespace {

constexpr int threads = 256;
constexpr int entries = 16; // in each row of the matrix
const char *const check = "scattered-global-access";

// A sparse matrix by columns of its rows' entries (ELLPACK) times a vector. How
// far apart the lanes read x is up to the numbering of the unknowns.
__global__ void multiply(const int *column, const float *value, const float *x,
                         float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < entries; ++k)
    sum += value[k * rows + row] * x[column[k * rows + row]]; // expect: scattered-global-access
  y[row] = sum;
}

// Sorting by a permutation, from where things are.
__global__ void scatter(const float *in, const int *to, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[to[i]] = in[i]; // expect: scattered-global-access
}

// The same from where they go.
__global__ void gather(const float *in, const int *from, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[from[i]]; // expect: scattered-global-access
}

// Distances to a neighbour whose coordinates lie in three arrays.
__global__ void distanceInArrays(const int *neighbour, const float *x,
                                 const float *y, const float *z, float *out,
                                 int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int j = neighbour[i];
  float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i]; // expect: scattered-global-access
  out[i] = sqrtf(dx * dx + dy * dy + dz * dz);
}

// The same with the coordinates of a point side by side: one sector for each
// lane, not three.
__global__ void distanceInStructures(const int *neighbour, const float4 *point,
                                     float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 there = point[neighbour[i]], here = point[i]; // expect: scattered-global-access
  float dx = there.x - here.x, dy = there.y - here.y, dz = there.z - here.z;
  out[i] = sqrtf(dx * dx + dy * dy + dz * dz);
}

int blocksFor(int count) { return (count + threads - 1) / threads; }

std::vector<int> permutation(int n) {
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<double> random = twin::randomNumbers<double>(n, 0, 1, 5);
  for (int i = n - 1; i > 0; --i)
    std::swap(numbers[i], numbers[static_cast<int>(random[i] * (i + 1))]);
  return numbers;
}

bool compareNumberings() {
  const int rows = 1 << 22;
  const std::size_t all = std::size_t(rows) * entries;
  std::vector<int> number = permutation(rows), near(all), far(all);
  std::vector<float> x = twin::randomNumbers<float>(rows, -1, 1), renumbered(rows);
  for (int row = 0; row < rows; ++row) {
    renumbered[number[row]] = x[row];
    for (int k = 0; k < entries; ++k) {
      int column = (row + 7 * k) % rows;
      near[std::size_t(k) * rows + row] = column;
      far[std::size_t(k) * rows + row] = number[column];
    }
  }
  twin::DeviceArray<int> nearColumns(near), farColumns(far);
  twin::DeviceArray<float> value(twin::randomNumbers<float>(all, -1, 1));
  twin::DeviceArray<float> nearX(x), farX(renumbered);
  twin::DeviceArray<float> slow(rows), fast(rows);
  return twin::compare(
      {check, "numbering", "sparse matrix: unknowns in random order -> neighbours side by side"},
      [&] {
        multiply<<<blocksFor(rows), threads>>>(farColumns.get(), value.get(),
                                               farX.get(), slow.get(), rows);
      },
      slow,
      [&] {
        multiply<<<blocksFor(rows), threads>>>(nearColumns.get(), value.get(),
                                               nearX.get(), fast.get(), rows);
      },
      fast);
}

bool comparePermutations() {
  const int n = 1 << 25;
  std::vector<int> to = permutation(n), from(n);
  for (int i = 0; i < n; ++i)
    from[to[i]] = i;
  twin::DeviceArray<int> there(to), back(from);
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, -1, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "permutation", "random permutation: scatter -> gather"},
      [&] {
        scatter<<<blocksFor(n), threads>>>(in.get(), there.get(), slow.get(),
                                           n);
      },
      slow,
      [&] {
        gather<<<blocksFor(n), threads>>>(in.get(), back.get(), fast.get(), n);
      },
      fast);
}

bool compareStructures() {
  const int n = 1 << 24;
  std::vector<float> x = twin::randomNumbers<float>(n, -1, 1, 6);
  std::vector<float> y = twin::randomNumbers<float>(n, -1, 1, 7);
  std::vector<float> z = twin::randomNumbers<float>(n, -1, 1, 8);
  std::vector<float4> points(n);
  for (int i = 0; i < n; ++i)
    points[i] = {x[i], y[i], z[i], 0};
  twin::DeviceArray<int> neighbour(permutation(n));
  twin::DeviceArray<float> xs(x), ys(y), zs(z);
  twin::DeviceArray<float4> point(points);
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "structure", "random neighbour, 3 coordinates: three arrays -> float4", 1e-6},
      [&] {
        distanceInArrays<<<blocksFor(n), threads>>>(
            neighbour.get(), xs.get(), ys.get(), zs.get(), slow.get(), n);
      },
      slow,
      [&] {
        distanceInStructures<<<blocksFor(n), threads>>>(
            neighbour.get(), point.get(), fast.get(), n);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareNumberings();
  agreed = comparePermutations() && agreed;
  agreed = compareStructures() && agreed;
  return agreed ? 0 : 1;
}
