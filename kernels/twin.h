// Runs a slow and a fast kernel that do the same work, checks that their
// results agree, and prints one line of JSON with the times in microseconds:
// the median of 25 launches, each with a cold L2 cache, taken with events.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace twin {

inline void check(cudaError_t error, const char *file, int line) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(error));
  std::exit(1);
}
#define TWIN_CHECK(call) twin::check((call), __FILE__, __LINE__)

/// Numbers in [low, high) that look random and are the same in every run.
template <class T>
std::vector<T> randomNumbers(std::size_t count, double low, double high,
                             unsigned seed = 1) {
  std::vector<T> numbers(count);
  unsigned state = seed * 2654435761u + 1u;
  for (T &number : numbers) {
    state = state * 1664525u + 1013904223u;
    number = static_cast<T>(low + (high - low) * ((state >> 8) / 16777216.0));
  }
  return numbers;
}

/// Memory on the device that lives as long as this object.
template <class T>
class DeviceArray {
public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    TWIN_CHECK(cudaMalloc(reinterpret_cast<void **>(&data_), bytes()));
    clear();
  }
  explicit DeviceArray(const std::vector<T> &host) : DeviceArray(host.size()) {
    TWIN_CHECK(
        cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(data_); }

  void clear() { TWIN_CHECK(cudaMemset(data_, 0, bytes())); }
  std::vector<T> host() const {
    std::vector<T> copy(count_);
    TWIN_CHECK(
        cudaMemcpy(copy.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return copy;
  }
  T *get() const { return data_; }

private:
  std::size_t bytes() const { return count_ * sizeof(T); }

  T *data_ = nullptr;
  std::size_t count_;
};

/// Returns true if all pairs differ by at most `tolerance`, relative to the
/// larger of the two or to 1. Not-a-number equals nothing.
template <class T>
bool agree(const std::vector<T> &left, const std::vector<T> &right,
           double tolerance) {
  if (left.size() != right.size())
    return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    double a = static_cast<double>(left[i]);
    double b = static_cast<double>(right[i]);
    double scale = std::max({1.0, std::fabs(a), std::fabs(b)});
    if (!(std::fabs(a - b) <= tolerance * scale))
      return false;
  }
  return true;
}

/// The name of one comparison, and its tolerance.
struct Case {
  const char *check;
  const char *name;
  const char *what;
  double tolerance = 0;
};

class Stopwatch {
public:
  Stopwatch() {
    int l2Bytes = 0;
    TWIN_CHECK(
        cudaDeviceGetAttribute(&l2Bytes, cudaDevAttrL2CacheSize, 0));
    flushBytes_ = std::max<std::size_t>(4 * std::size_t(l2Bytes), 64 << 20);
    TWIN_CHECK(cudaMalloc(&flush_, flushBytes_));
    TWIN_CHECK(cudaEventCreate(&begin_));
    TWIN_CHECK(cudaEventCreate(&end_));
  }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;
  ~Stopwatch() {
    cudaEventDestroy(end_);
    cudaEventDestroy(begin_);
    cudaFree(flush_);
  }

  template <class Launch>
  double medianMicroseconds(Launch launch) {
    constexpr int warmUps = 3, launches = 25;
    for (int i = 0; i < warmUps; ++i)
      launch();
    std::vector<float> times(launches);
    for (float &milliseconds : times) {
      // Writing more than the L2 holds leaves nothing of ours in it.
      TWIN_CHECK(cudaMemsetAsync(flush_, 0, flushBytes_));
      TWIN_CHECK(cudaEventRecord(begin_));
      launch();
      TWIN_CHECK(cudaGetLastError());
      TWIN_CHECK(cudaEventRecord(end_));
      TWIN_CHECK(cudaEventSynchronize(end_));
      TWIN_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    }
    std::sort(times.begin(), times.end());
    return 1000.0 * times[launches / 2];
  }

private:
  void *flush_ = nullptr;
  std::size_t flushBytes_ = 0;
  cudaEvent_t begin_, end_;
};

/// Both launches start from cleared results; a kernel may add to its result.
/// Returns whether they agreed.
template <class T, class Slow, class Fast>
bool compare(const Case &c, Slow launchSlow, DeviceArray<T> &slowResult,
             Fast launchFast, DeviceArray<T> &fastResult) {
  slowResult.clear();
  launchSlow();
  TWIN_CHECK(cudaGetLastError());
  fastResult.clear();
  launchFast();
  TWIN_CHECK(cudaGetLastError());
  TWIN_CHECK(cudaDeviceSynchronize());
  bool same = agree(slowResult.host(), fastResult.host(), c.tolerance);

  Stopwatch watch;
  double slow = watch.medianMicroseconds(launchSlow);
  double fast = watch.medianMicroseconds(launchFast);
  cudaDeviceProp device;
  TWIN_CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("{\"check\":\"%s\",\"case\":\"%s\",\"what\":\"%s\","
              "\"device\":\"%s\",\"cuda\":\"%d.%d\",\"slow_us\":%.2f,"
              "\"fast_us\":%.2f,\"speedup\":%.2f,\"agree\":%s}\n",
              c.check, c.name, c.what, device.name, CUDART_VERSION / 1000,
              CUDART_VERSION % 1000 / 10, slow, fast, slow / fast,
              same ? "true" : "false");
  return same;
}

} // namespace twin
