// What the programs of this folder share beside twin.h: the comparison of a
// device's result with what the host computed.
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
