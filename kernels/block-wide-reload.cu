// Kernels whose warps load the same elements in a loop, each beside a twin that
// keeps a tile of them in shared memory.
#include "twin.h"

namespace {

const char *const check = "block-wide-reload";

template <int Tile>
__global__ void productByGlobal(const float *a, const float *b, float *c,
                                int n) {
  int column = blockIdx.x * Tile + threadIdx.x;
  int row = blockIdx.y * Tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column]; // expect: block-wide-reload
  c[row * n + column] = sum;
}

template <int Tile>
__global__ void productByShared(const float *a, const float *b, float *c,
                                int n) {
  __shared__ float as[Tile][Tile], bs[Tile][Tile];
  int column = blockIdx.x * Tile + threadIdx.x;
  int row = blockIdx.y * Tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x]; // expect: fine-grained-tile
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < Tile; ++j)
      sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// A convolution of one pixel: the threads along y compute other channels of the
// same pixels.
constexpr int pixelsOfBlock = 32, outputsOfBlock = 16;

__global__ void channelsByGlobal(const float *image, const float *weight,
                                 float *out, int pixels, int channels) {
  int p = blockIdx.x * pixelsOfBlock + threadIdx.x;
  int k = blockIdx.y * outputsOfBlock + threadIdx.y;
  float sum = 0;
  for (int c = 0; c < channels; ++c)
    sum += weight[k * channels + c] * image[c * pixels + p]; // expect: block-wide-reload
  out[k * pixels + p] = sum;
}

__global__ void channelsByShared(const float *image, const float *weight,
                                 float *out, int pixels, int channels) {
  __shared__ float weights[outputsOfBlock][pixelsOfBlock];
  __shared__ float part[pixelsOfBlock][pixelsOfBlock];
  int p = blockIdx.x * pixelsOfBlock + threadIdx.x;
  int k = blockIdx.y * outputsOfBlock + threadIdx.y;
  float sum = 0;
  for (int c = 0; c < channels; c += pixelsOfBlock) {
    weights[threadIdx.y][threadIdx.x] = weight[k * channels + c + threadIdx.x]; // expect: fine-grained-tile
    for (int row = threadIdx.y; row < pixelsOfBlock; row += outputsOfBlock)
      part[row][threadIdx.x] = image[(c + row) * pixels + p];
    __syncthreads();
    for (int j = 0; j < pixelsOfBlock; ++j)
      sum += weights[threadIdx.y][j] * part[j][threadIdx.x];
    __syncthreads();
  }
  out[k * pixels + p] = sum;
}

bool compareProducts() {
  constexpr int tile = 32, n = 2048;
  twin::DeviceArray<float> a(twin::randomNumbers<float>(n * n, -1, 1)),
      b(twin::randomNumbers<float>(n * n, -1, 1, 2));
  twin::DeviceArray<float> slow(n * n), fast(n * n);
  const dim3 grid(n / tile, n / tile), block(tile, tile);
  return twin::compare(
      {check, "product", "product of matrices: from global -> tiles of 32x32",
       1e-4},
      [&] {
        productByGlobal<tile><<<grid, block>>>(a.get(), b.get(), slow.get(), n);
      },
      slow,
      [&] {
        productByShared<tile><<<grid, block>>>(a.get(), b.get(), fast.get(), n);
      },
      fast);
}

bool compareChannels() {
  const int pixels = 1 << 14, channels = 256, outputs = 256;
  twin::DeviceArray<float> image(twin::randomNumbers<float>(
      std::size_t(pixels) * channels, -1, 1)),
      weight(twin::randomNumbers<float>(outputs * channels, -1, 1, 2));
  const std::size_t results = std::size_t(pixels) * outputs;
  twin::DeviceArray<float> slow(results), fast(results);
  const dim3 grid(pixels / pixelsOfBlock, outputs / outputsOfBlock),
      block(pixelsOfBlock, outputsOfBlock);
  return twin::compare(
      {check, "channels", "16 channels of 32 pixels: from global -> shared",
       1e-4},
      [&] {
        channelsByGlobal<<<grid, block>>>(image.get(), weight.get(), slow.get(),
                                          pixels, channels);
      },
      slow,
      [&] {
        channelsByShared<<<grid, block>>>(image.get(), weight.get(), fast.get(),
                                          pixels, channels);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareProducts();
  agreed = compareChannels() && agreed;
  return agreed ? 0 : 1;
}
