// Three kernels that read the same global element in every iteration of a loop, each
// beside a twin that reads it once.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "repeated-global-read";

// Snapshots of a field are scaled by a factor in memory. 'out' may overlap with
// it, so it has to be read again after each store.
__global__ void scaleAgain(float *out, const float *in, const float *factor,
                           int points, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points)
    return;
  for (int t = 0; t < times; ++t)
    out[t * points + i] = in[t * points + i] * factor[i]; // expect: repeated-global-read // expect: missing-restrict
}

__global__ void scaleOnce(float *out, const float *in, const float *factor,
                          int points, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points)
    return;
  const float mine = factor[i];
  for (int t = 0; t < times; ++t)
    out[t * points + i] = in[t * points + i] * mine; // expect: missing-restrict
}

// The same source as the slow one, with a promise that nothing overlaps.
__global__ void scaleRestrict(float *__restrict__ out,
                              const float *__restrict__ in,
                              const float *__restrict__ factor, int points,
                              int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points)
    return;
  for (int t = 0; t < times; ++t)
    out[t * points + i] = in[t * points + i] * factor[i];
}

// A step of many particles whose fields are arrays behind a structure that lies
// in global memory: the loop reads the pointers again in every iteration.
struct Fields {
  float *x, *v;
  const float *force;
  float step;
};

__global__ void moveThrough(const Fields *fields, int particles, int perThread) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  int all = gridDim.x * blockDim.x;
  for (int k = 0; k < perThread; ++k) { // expect: open-trip-count
    int i = k * all + first;
    if (i < particles) {
      fields->v[i] += fields->step * fields->force[i]; // expect: repeated-global-read
      fields->x[i] += fields->step * fields->v[i];
    }
  }
}

__global__ void moveByValue(Fields fields, int particles, int perThread) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  int all = gridDim.x * blockDim.x;
  for (int k = 0; k < perThread; ++k) { // expect: open-trip-count
    int i = k * all + first;
    if (i < particles) {
      fields.v[i] += fields.step * fields.force[i];
      fields.x[i] += fields.step * fields.v[i];
    }
  }
}

bool compareScales() {
  const int points = 1 << 20, times = 32;
  const std::size_t all = std::size_t(points) * times;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(all, -1, 1));
  twin::DeviceArray<float> factor(twin::randomNumbers<float>(points, 0, 1, 2));
  twin::DeviceArray<float> slow(all), fast(all);
  auto again = [&] {
    scaleAgain<<<points / threads, threads>>>(slow.get(), in.get(),
                                              factor.get(), points, times);
  };
  bool agreed = twin::compare(
      {check, "factor", "a factor for each point, 32 times -> once"}, again,
      slow,
      [&] {
        scaleOnce<<<points / threads, threads>>>(
            fast.get(), in.get(), factor.get(), points, times);
      },
      fast);
  return twin::compare(
             {check, "restrict", "the same, cured by __restrict__ alone"},
             again, slow,
             [&] {
               scaleRestrict<<<points / threads, threads>>>(
                   fast.get(), in.get(), factor.get(), points, times);
             },
             fast) &&
         agreed;
}

bool compareMoves() {
  const int particles = 1 << 23, perThread = 8;
  twin::DeviceArray<float> force(twin::randomNumbers<float>(particles, -1, 1));
  twin::DeviceArray<float> slow(particles), fast(particles), vSlow(particles),
      vFast(particles);
  Fields byPointer{slow.get(), vSlow.get(), force.get(), 0.01f};
  Fields byValue{fast.get(), vFast.get(), force.get(), 0.01f};
  twin::DeviceArray<Fields> fields(std::vector<Fields>{byPointer});
  const int blocks = particles / perThread / threads;
  return twin::compare(
      {check, "structure",
       "fields behind a pointer to a structure -> the structure by value"},
      [&] {
        moveThrough<<<blocks, threads>>>(fields.get(), particles, perThread);
      },
      slow,
      [&] { moveByValue<<<blocks, threads>>>(byValue, particles, perThread); },
      fast);
}

} // namespace

int main() {
  bool agreed = compareScales();
  agreed = compareMoves() && agreed;
  return agreed ? 0 : 1;
}
