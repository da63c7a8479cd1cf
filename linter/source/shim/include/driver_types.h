// Stands before the toolkit's driver_types.h, to give cudaDeviceProp back the
// fields that CUDA 13 has taken from it.
#ifndef WARPLINT_DRIVER_TYPES_H
#define WARPLINT_DRIVER_TYPES_H
#if defined(WARPLINT_CUDA_VERSION) && WARPLINT_CUDA_VERSION >= 13000 &&        \
    defined(__cplusplus)
#define cudaDeviceProp warplint_cudaDeviceProp
#include_next <driver_types.h>
#undef cudaDeviceProp
struct cudaDeviceProp : warplint_cudaDeviceProp {
  int clockRate;
  int memoryClockRate;
  int computeMode;
  int deviceOverlap;
  int kernelExecTimeoutEnabled;
  int maxTexture1DLinear;
  int singleToDoublePrecisionPerfRatio;
  int cooperativeMultiDeviceLaunch;
};
#else
#include_next <driver_types.h>
#endif
#endif
