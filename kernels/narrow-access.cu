// Kernels whose threads access neighbouring elements one by one, each beside a twin
// that moves them with one access.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "narrow-access";

// Four bytes of a pixel.
__global__ void greyByBytes(const unsigned char *in, unsigned char *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (in[4 * i] + 2 * in[4 * i + 1] + in[4 * i + 2] + in[4 * i + 3]) / 5; // expect: narrow-access
}

__global__ void greyByPixels(const uchar4 *in, unsigned char *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 p = in[i];
  out[i] = (p.x + 2 * p.y + p.z + p.w) / 5;
}

// Four floats of a quaternion.
__global__ void normByFloats(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += in[4 * i + k] * in[4 * i + k]; // expect: narrow-access
  out[i] = sum;
}

__global__ void normByVectors(const float4 *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = in[i];
  out[i] = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
}

bool compareBytes() {
  const int n = 1 << 26;
  twin::DeviceArray<unsigned char> in(
      twin::randomNumbers<unsigned char>(std::size_t(n) * 4, 0, 256));
  twin::DeviceArray<unsigned char> slow(n), fast(n);
  return twin::compare(
      {check, "bytes", "four bytes of a pixel: one by one -> uchar4"},
      [&] { greyByBytes<<<n / threads, threads>>>(in.get(), slow.get()); },
      slow,
      [&] {
        greyByPixels<<<n / threads, threads>>>(
            reinterpret_cast<const uchar4 *>(in.get()), fast.get());
      },
      fast);
}

bool compareFloats() {
  const int n = 1 << 24;
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(n) * 4, -1, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "floats", "four floats of a quaternion: one by one -> float4",
       1e-6},
      [&] { normByFloats<<<n / threads, threads>>>(in.get(), slow.get()); },
      slow,
      [&] {
        normByVectors<<<n / threads, threads>>>(
            reinterpret_cast<const float4 *>(in.get()), fast.get());
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareBytes();
  agreed = compareFloats() && agreed;
  return agreed ? 0 : 1;
}
