// Shared by the programs of this folder, beside twin.h: compares a device's
// result with the host's.
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

} // namespace program
