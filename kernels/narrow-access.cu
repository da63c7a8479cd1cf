// Kernels whose threads access neighbouring bytes one by one, each beside a twin
// that moves them with one access. The bytes come from the caches again and again,
// so requests and instructions take the time.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "narrow-access";

// The least distance of each descriptor to others. Descriptors are stored by groups
// of four bytes, one group of all of them after the other.
__global__ void nearestByBytes(const unsigned char *own,
                               const unsigned char *other, int *out, int count,
                               int groups, int shifts) {
  int i = blockIdx.x * threads + threadIdx.x;
  int least = 1 << 30;
  for (int s = 0; s < shifts; ++s) {
    int at = (i + 32 * s) & (count - 1), sum = 0;
    for (int g = 0; g < groups; ++g)
      for (int k = 0; k < 4; ++k)
        sum += abs(own[(g * count + i) * 4 + k] - // expect: narrow-access
                   other[(g * count + at) * 4 + k]); // expect: narrow-access
    least = min(least, sum);
  }
  out[i] = least;
}

__device__ int apart(uchar4 a, uchar4 b) {
  return abs(a.x - b.x) + abs(a.y - b.y) + abs(a.z - b.z) + abs(a.w - b.w);
}

__global__ void nearestByVectors(const uchar4 *own, const uchar4 *other,
                                 int *out, int count, int groups, int shifts) {
  int i = blockIdx.x * threads + threadIdx.x;
  int least = 1 << 30;
  for (int s = 0; s < shifts; ++s) {
    int at = (i + 32 * s) & (count - 1), sum = 0;
    for (int g = 0; g < groups; ++g) // expect: open-trip-count
      sum += apart(own[g * count + i], other[g * count + at]);
    least = min(least, sum);
  }
  out[i] = least;
}

bool compareBytes() {
  const int count = 1 << 18, groups = 16, shifts = 64;
  const std::size_t bytes = std::size_t(count) * groups * 4;
  twin::DeviceArray<unsigned char> own(
      twin::randomNumbers<unsigned char>(bytes, 0, 256)),
      other(twin::randomNumbers<unsigned char>(bytes, 0, 256, 2));
  twin::DeviceArray<int> slow(count), fast(count);
  return twin::compare(
      {check, "bytes", "four bytes of a descriptor: one by one -> uchar4"},
      [&] {
        nearestByBytes<<<count / threads, threads>>>(
            own.get(), other.get(), slow.get(), count, groups, shifts);
      },
      slow,
      [&] {
        nearestByVectors<<<count / threads, threads>>>(
            reinterpret_cast<const uchar4 *>(own.get()),
            reinterpret_cast<const uchar4 *>(other.get()), fast.get(), count,
            groups, shifts);
      },
      fast);
}

} // namespace

int main() { return compareBytes() ? 0 : 1; }
