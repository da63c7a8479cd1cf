// Shared by the programs of this folder, beside twin.h: compares a device's
// result with the host's, and times what is still in L2.
#pragma once
#include "twin.h"

namespace program {

/// Says how the device's result compares with the host's. Returns whether they
/// agree; see twin::agree.
template <class T>
bool verify(const char *name, const twin::DeviceArray<T> &device,
            const std::vector<T> &host, double tolerance) {
  TWIN_CHECK(cudaGetLastError());
  TWIN_CHECK(cudaDeviceSynchronize());
  bool same = twin::agree(device.host(), host, tolerance);
  std::printf("%s: %s\n", name, same ? "agrees with the host" : "DIFFERS");
  return same;
}

/// The least of a few launches behind each other.
template <class Launch> float leastMicroseconds(Launch launch) {
  cudaEvent_t begin, end;
  TWIN_CHECK(cudaEventCreate(&begin));
  TWIN_CHECK(cudaEventCreate(&end));
  launch();
  float least = 1e9f;
  for (int i = 0; i < 7; ++i) {
    TWIN_CHECK(cudaEventRecord(begin));
    launch();
    TWIN_CHECK(cudaEventRecord(end));
    TWIN_CHECK(cudaEventSynchronize(end));
    float milliseconds;
    TWIN_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    least = std::min(least, milliseconds * 1e3f);
  }
  cudaEventDestroy(end);
  cudaEventDestroy(begin);
  return least;
}

} // namespace program
