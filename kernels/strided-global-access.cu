// Five kernels in which neighbouring lanes touch memory far apart, each beside
// a twin in which they stand side by side.
#include "twin.h"

namespace {

constexpr int threads = 256;
constexpr int warp = 32;
const char *const check = "strided-global-access";

// One Jacobi step on a row-major grid. Lanes differ in x first: here x is the
// row, and each lane is a whole row away from the next.
__global__ void relaxRowsByX(const float *in, float *out, int rows,
                             int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < 1 || row >= rows - 1 || column < 1 || column >= columns - 1)
    return;
  float north = in[(row - 1) * columns + column]; // expect: strided-global-access
  float south = in[(row + 1) * columns + column]; // expect: strided-global-access
  float west = in[row * columns + column - 1]; // expect: strided-global-access
  float east = in[row * columns + column + 1]; // expect: strided-global-access
  out[row * columns + column] = 0.25f * (north + south + west + east); // expect: strided-global-access
}

// The same with x as the column.
__global__ void relaxColumnsByX(const float *in, float *out, int rows,
                                int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < 1 || row >= rows - 1 || column < 1 || column >= columns - 1)
    return;
  float north = in[(row - 1) * columns + column];
  float south = in[(row + 1) * columns + column];
  float west = in[row * columns + column - 1];
  float east = in[row * columns + column + 1];
  out[row * columns + column] = 0.25f * (north + south + west + east);
}

// Sums of the rows of a row-major matrix, a row for each thread.
__global__ void rowSumByThread(const float *a, float *sum, int rows,
                               int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float s = 0.0f;
  for (int k = 0; k < columns; ++k)
    s += a[row * columns + k]; // expect: strided-global-access
  sum[row] = s;
}

// The same with a row for each warp.
__global__ void rowSumByWarp(const float *a, float *sum, int rows,
                             int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warp;
  int lane = threadIdx.x % warp;
  if (row >= rows)
    return;
  float s = 0.0f;
  for (int k = lane; k < columns; k += warp)
    s += a[row * columns + k];
  for (int distance = warp / 2; distance > 0; distance /= 2)
    s += __shfl_down_sync(0xffffffffu, s, distance);
  if (lane == 0)
    sum[row] = s;
}

// Kinetic energy of particles that are kept as structures of 44 bytes.
struct Particle {
  float mass, charge;
  float x, y, z;
  float vx, vy, vz;
  float ax, ay, az;
};

__global__ void energyOfStructures(const Particle *particle, float *energy,
                                   int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float m = particle[i].mass; // expect: strided-global-access
  float vx = particle[i].vx; // expect: strided-global-access
  float vy = particle[i].vy; // expect: strided-global-access
  float vz = particle[i].vz; // expect: strided-global-access
  energy[i] = 0.5f * m * (vx * vx + vy * vy + vz * vz);
}

// The same with an array for each field.
struct Particles {
  const float *mass, *vx, *vy, *vz;
};

__global__ void energyOfArrays(Particles particle, float *energy, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float m = particle.mass[i];
  float vx = particle.vx[i];
  float vy = particle.vy[i];
  float vz = particle.vz[i];
  energy[i] = 0.5f * m * (vx * vx + vy * vy + vz * vz);
}

// y = a * x + y as one would share it out among processor cores: a contiguous
// chunk for each thread.
__global__ void axpyByChunk(float a, const float *x, float *y, int count) {
  int perThread = count / (gridDim.x * blockDim.x);
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * perThread;
  for (int i = first; i < first + perThread; ++i) {
    float old = y[i]; // expect: strided-global-access
    float add = a * x[i]; // expect: strided-global-access // expect: missing-restrict
    y[i] = old + add; // expect: strided-global-access
  }
}

// The same with the whole grid stepping through the vectors side by side.
__global__ void axpyByGridStride(float a, const float *x, float *y,
                                 int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    float old = y[i];
    float add = a * x[i];
    y[i] = old + add;
  }
}

// Transposition: either the loads or the stores run down a column.
__global__ void transposeDirectly(const float *in, float *out, int rows,
                                  int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) {
    float value = in[row * columns + column];
    out[column * rows + row] = value; // expect: strided-global-access
  }
}

// The same through a tile in shared memory, whose columns cost nothing.
constexpr int tileSize = 32, tileRows = 8;

__global__ void transposeByTile(const float *in, float *out, int rows,
                                int columns) {
  __shared__ float tile[tileSize][tileSize + 1];
  int column = blockIdx.x * tileSize + threadIdx.x;
  int row = blockIdx.y * tileSize + threadIdx.y;
  for (int k = 0; k < tileSize; k += tileRows)
    if (row + k < rows && column < columns)
      tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * columns + column];
  __syncthreads();
  column = blockIdx.y * tileSize + threadIdx.x;
  row = blockIdx.x * tileSize + threadIdx.y;
  for (int k = 0; k < tileSize; k += tileRows)
    if (row + k < columns && column < rows)
      out[(row + k) * rows + column] = tile[threadIdx.x][threadIdx.y + k];
}

int blocksFor(int count) { return (count + threads - 1) / threads; }

bool compareRelaxations() {
  const int n = 4096;
  const std::size_t all = std::size_t(n) * n;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(all, 0, 1));
  twin::DeviceArray<float> slow(all), fast(all);
  return twin::compare(
      {check, "row-against-column", "Jacobi step: x as row -> x as column"},
      [&] {
        relaxRowsByX<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(
            in.get(), slow.get(), n, n);
      },
      slow,
      [&] {
        relaxColumnsByX<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(
            in.get(), fast.get(), n, n);
      },
      fast);
}

bool compareRowSums() {
  const int rows = 1 << 15, columns = 2048;
  twin::DeviceArray<float> a(
      twin::randomNumbers<float>(std::size_t(rows) * columns, 0, 1));
  twin::DeviceArray<float> slow(rows), fast(rows);
  return twin::compare(
      {check, "row-per-thread", "row sums: thread per row -> warp per row",
       1e-4},
      [&] {
        rowSumByThread<<<blocksFor(rows), threads>>>(a.get(), slow.get(), rows,
                                                     columns);
      },
      slow,
      [&] {
        rowSumByWarp<<<blocksFor(rows * warp), threads>>>(
            a.get(), fast.get(), rows, columns);
      },
      fast);
}

bool compareEnergies() {
  const int count = 1 << 22;
  std::vector<float> numbers =
      twin::randomNumbers<float>(std::size_t(count) * 11, -1, 1);
  std::vector<Particle> structures(count);
  std::vector<float> mass(count), vx(count), vy(count), vz(count);
  for (int i = 0; i < count; ++i) {
    const float *f = &numbers[std::size_t(i) * 11];
    structures[i] = {f[0], f[1], f[2], f[3], f[4], f[5],
                     f[6], f[7], f[8], f[9], f[10]};
    mass[i] = structures[i].mass;
    vx[i] = structures[i].vx;
    vy[i] = structures[i].vy;
    vz[i] = structures[i].vz;
  }
  twin::DeviceArray<Particle> particle(structures);
  twin::DeviceArray<float> m(mass), x(vx), y(vy), z(vz);
  twin::DeviceArray<float> slow(count), fast(count);
  return twin::compare(
      {check, "array-of-structures",
       "4 of 11 fields: array of structures -> structure of arrays", 1e-6},
      [&] {
        energyOfStructures<<<blocksFor(count), threads>>>(particle.get(),
                                                          slow.get(), count);
      },
      slow,
      [&] {
        energyOfArrays<<<blocksFor(count), threads>>>(
            Particles{m.get(), x.get(), y.get(), z.get()}, fast.get(), count);
      },
      fast);
}

bool compareAxpy() {
  const int blocks = 1024, count = blocks * threads * 128;
  twin::DeviceArray<float> x(twin::randomNumbers<float>(count, -1, 1));
  twin::DeviceArray<float> slow(count), fast(count);
  return twin::compare(
      {check, "chunk-per-thread", "axpy: chunk per thread -> grid stride",
       1e-6},
      [&] {
        axpyByChunk<<<blocks, threads>>>(2.0f, x.get(), slow.get(), count);
      },
      slow,
      [&] {
        axpyByGridStride<<<blocks, threads>>>(2.0f, x.get(), fast.get(),
                                              count);
      },
      fast);
}

bool compareTranspositions() {
  const int rows = 8192, columns = 4096;
  const std::size_t all = std::size_t(rows) * columns;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(all, -1, 1));
  twin::DeviceArray<float> slow(all), fast(all);
  return twin::compare(
      {check, "transposition", "strided stores -> tile in shared memory"},
      [&] {
        transposeDirectly<<<dim3(columns / 32, rows / 8), dim3(32, 8)>>>(
            in.get(), slow.get(), rows, columns);
      },
      slow,
      [&] {
        transposeByTile<<<dim3(columns / tileSize, rows / tileSize),
                          dim3(tileSize, tileRows)>>>(in.get(), fast.get(),
                                                      rows, columns);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareRelaxations();
  agreed = compareRowSums() && agreed;
  agreed = compareEnergies() && agreed;
  agreed = compareAxpy() && agreed;
  agreed = compareTranspositions() && agreed;
  return agreed ? 0 : 1;
}
