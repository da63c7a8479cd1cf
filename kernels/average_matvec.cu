// For each of N sets: the average of M vectors of length L, then the product
// of one L x L matrix with that average. Two solvers: one block that goes
// through all sets, and one block for each set.
#include "program.h"

namespace {

constexpr int setCount = 64; // N
constexpr int vectorCount = 128; // M
constexpr int vectorLength = 256; // L

// Vectors are stored component by component: v[set][component][vector]. The
// loop over the vectors makes each lane walk through its own M numbers.
template <class T, int N, int M, int L>
__global__ void solveInOneBlock(const T *__restrict__ v,
                                const T *__restrict__ A, T *__restrict__ y) {
  __shared__ T partial[L];
  size_t component = threadIdx.x;
  for (int set = 0; set < N; ++set) {
    T average = 0;
    for (int m = 0; m < M; ++m)
      average += v[set * M * L + component * M + m]; // expect: strided-global-access
    average /= M;

    for (int row = 0; row < L; ++row) {
      partial[component] = A[row * L + component] * average;
      for (unsigned half = blockDim.x / 2; half > 0; half /= 2) { // expect: shared-tree-reduction
        __syncthreads();
        if (component < half)
          partial[component] += partial[component + half];
      }
      if (component == 0)
        y[row * N + set] = partial[0];
    }
  }
}

template <class T, int N, int M, int L>
__global__ void solveInBlockPerSet(const T *__restrict__ v,
                                   const T *__restrict__ A,
                                   T *__restrict__ y) {
  __shared__ T partial[L];
  size_t component = threadIdx.x;
  size_t set = blockIdx.x;

  T average = 0;
  for (int m = 0; m < M; ++m)
    average += v[set * M * L + component * M + m]; // expect: strided-global-access
  average /= M;

  for (int row = 0; row < L; ++row) {
    partial[component] = A[row * L + component] * average;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) { // expect: shared-tree-reduction
      __syncthreads();
      if (component < half)
        partial[component] += partial[component + half];
    }
    if (component == 0)
      y[row * N + set] = partial[0];
  }
}

template <class T, int N, int M, int L>
std::vector<T> solveOnHost(const std::vector<T> &v, const std::vector<T> &A) {
  std::vector<T> y(std::size_t(L) * N), average(L);
  for (int set = 0; set < N; ++set) {
    for (int i = 0; i < L; ++i) {
      T sum = 0;
      for (int m = 0; m < M; ++m)
        sum += v[(std::size_t(set) * L + i) * M + m];
      average[i] = sum / M;
    }
    for (int row = 0; row < L; ++row) {
      T sum = 0;
      for (int i = 0; i < L; ++i)
        sum += A[std::size_t(row) * L + i] * average[i];
      y[std::size_t(row) * N + set] = sum;
    }
  }
  return y;
}

/// Ones and twos, placed at random.
std::vector<double> onesAndTwos(std::size_t count, unsigned seed) {
  std::vector<double> numbers =
      twin::randomNumbers<double>(count, 1, 3, seed);
  for (double &number : numbers)
    number = std::floor(number);
  return numbers;
}

} // namespace

int main() {
  constexpr int N = setCount, M = vectorCount, L = vectorLength;
  std::vector<double> v = onesAndTwos(std::size_t(N) * M * L, 1);
  std::vector<double> A = onesAndTwos(std::size_t(L) * L, 2);
  std::vector<double> expected = solveOnHost<double, N, M, L>(v, A);

  twin::DeviceArray<double> dV(v), dA(A), dY(expected.size());
  solveInOneBlock<double, N, M, L> // expect: small-grid
      <<<1, vectorLength>>>(dV.get(), dA.get(), dY.get());
  bool right = program::verify("one block", dY, expected, 1e-12);

  dY.clear();
  solveInBlockPerSet<double, N, M, L> // expect: small-grid
      <<<setCount, vectorLength>>>(dV.get(), dA.get(), dY.get());
  right = program::verify("a block for each set", dY, expected, 1e-12) && right;
  return right ? 0 : 1;
}
