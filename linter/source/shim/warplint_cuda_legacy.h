// Declares what CUDA 12 and 13 have removed, so that an older source still says
// what it does with memory. Host functions are only declared: nothing here is run.
#ifndef WARPLINT_CUDA_LEGACY_H
#define WARPLINT_CUDA_LEGACY_H
#pragma GCC system_header // what a kernel calls here stands at the call
#if defined(__CUDA__) && defined(__clang__) &&                                 \
    defined(WARPLINT_CUDA_VERSION) && WARPLINT_CUDA_VERSION >= 12000

extern "C" {
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *);
cudaError_t cudaThreadSetLimit(enum cudaLimit, size_t);
cudaError_t cudaThreadGetLimit(size_t *, enum cudaLimit);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaSetupArgument(const void *, size_t, size_t);
cudaError_t cudaProfilerInitialize(const char *, const char *, int);
}
template <class __Function> cudaError_t cudaLaunch(__Function *);
template <class T> cudaError_t cudaSetupArgument(T, size_t);

struct cudaLaunchParams {
  void *func;
  dim3 gridDim;
  dim3 blockDim;
  void **args;
  size_t sharedMem;
  cudaStream_t __stream;
};
cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams *, unsigned,
                                                   unsigned = 0);

#if WARPLINT_CUDA_VERSION >= 13000
// A device was a number until it became a cudaMemLocation.
cudaError_t cudaMemAdvise(const void *, size_t, enum cudaMemoryAdvise, int);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
// The edges of a graph had no data. Kokkos to 4.6 adds them so.
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *,
                                     const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t, const cudaGraphNode_t *,
                                        const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *, cudaGraph_t,
                             const cudaGraphNode_t *, size_t,
                             cudaGraphNodeParams *);
#endif

// The fields of a texture reference were set by name.
struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
template <class T, int __dimensions = cudaTextureType1D,
          enum cudaTextureReadMode __mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  texture(int = 0, enum cudaTextureFilterMode = cudaFilterModePoint,
          enum cudaTextureAddressMode = cudaAddressModeClamp) {}
  texture(int, enum cudaTextureFilterMode, enum cudaTextureAddressMode,
          struct cudaChannelFormatDesc) {}
};

// A normalised read gives floats of as many components.
template <class T, enum cudaTextureReadMode __mode>
struct warplint_texel {
  using type = T;
};
#define WARPLINT_TEXEL(from, to)                                               \
  template <> struct warplint_texel<from, cudaReadModeNormalizedFloat> {       \
    using type = to;                                                           \
  };
WARPLINT_TEXEL(char, float)
WARPLINT_TEXEL(signed char, float)
WARPLINT_TEXEL(unsigned char, float)
WARPLINT_TEXEL(short, float)
WARPLINT_TEXEL(unsigned short, float)
WARPLINT_TEXEL(char2, float2)
WARPLINT_TEXEL(uchar2, float2)
WARPLINT_TEXEL(short2, float2)
WARPLINT_TEXEL(ushort2, float2)
WARPLINT_TEXEL(char4, float4)
WARPLINT_TEXEL(uchar4, float4)
WARPLINT_TEXEL(short4, float4)
WARPLINT_TEXEL(ushort4, float4)
#undef WARPLINT_TEXEL

#define WARPLINT_TEXTURE                                                       \
  template <class T, int __dimensions, enum cudaTextureReadMode __mode>
#define WARPLINT_FETCH                                                         \
  WARPLINT_TEXTURE __device__ typename warplint_texel<T, __mode>::type
#define WARPLINT_REFERENCE const texture<T, __dimensions, __mode> &
WARPLINT_FETCH tex1Dfetch(WARPLINT_REFERENCE, int);
WARPLINT_FETCH tex1D(WARPLINT_REFERENCE, float);
WARPLINT_FETCH tex2D(WARPLINT_REFERENCE, float, float);
WARPLINT_FETCH tex3D(WARPLINT_REFERENCE, float, float, float);
WARPLINT_FETCH texCubemap(WARPLINT_REFERENCE, float, float, float);
WARPLINT_FETCH tex1DLayered(WARPLINT_REFERENCE, float, int);
WARPLINT_FETCH tex2DLayered(WARPLINT_REFERENCE, float, float, int);
WARPLINT_FETCH tex1DLod(WARPLINT_REFERENCE, float, float);
WARPLINT_FETCH tex2DLod(WARPLINT_REFERENCE, float, float, float);
WARPLINT_FETCH tex3DLod(WARPLINT_REFERENCE, float, float, float, float);

WARPLINT_TEXTURE cudaError_t cudaBindTexture(size_t *, WARPLINT_REFERENCE,
                                             const void *, size_t = ~size_t(0));
WARPLINT_TEXTURE cudaError_t cudaBindTexture(size_t *, WARPLINT_REFERENCE,
                                             const void *,
                                             const cudaChannelFormatDesc &,
                                             size_t = ~size_t(0));
WARPLINT_TEXTURE cudaError_t cudaBindTexture2D(size_t *, WARPLINT_REFERENCE,
                                               const void *, size_t, size_t,
                                               size_t);
WARPLINT_TEXTURE cudaError_t cudaBindTexture2D(size_t *, WARPLINT_REFERENCE,
                                               const void *,
                                               const cudaChannelFormatDesc &,
                                               size_t, size_t, size_t);
WARPLINT_TEXTURE cudaError_t cudaBindTextureToArray(WARPLINT_REFERENCE,
                                                    cudaArray_const_t);
WARPLINT_TEXTURE cudaError_t cudaBindTextureToArray(
    WARPLINT_REFERENCE, cudaArray_const_t, const cudaChannelFormatDesc &);
WARPLINT_TEXTURE
cudaError_t cudaBindTextureToMipmappedArray(WARPLINT_REFERENCE,
                                            cudaMipmappedArray_const_t);
WARPLINT_TEXTURE cudaError_t cudaUnbindTexture(WARPLINT_REFERENCE);
WARPLINT_TEXTURE cudaError_t cudaGetTextureAlignmentOffset(size_t *,
                                                           WARPLINT_REFERENCE);
#undef WARPLINT_REFERENCE
#undef WARPLINT_FETCH
#undef WARPLINT_TEXTURE
cudaError_t cudaBindTexture(size_t *, const textureReference *, const void *,
                            const cudaChannelFormatDesc *, size_t = ~size_t(0));
cudaError_t cudaBindTexture2D(size_t *, const textureReference *, const void *,
                              const cudaChannelFormatDesc *, size_t, size_t,
                              size_t);
cudaError_t cudaBindTextureToArray(const textureReference *, cudaArray_const_t,
                                   const cudaChannelFormatDesc *);
cudaError_t cudaUnbindTexture(const textureReference *);
cudaError_t cudaGetTextureReference(const textureReference **, const void *);

struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};
template <class T, int __dimensions = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface;
template <int __dimensions>
struct __attribute__((device_builtin_surface_type))
surface<void, __dimensions> : surfaceReference {
  surface() {}
};
#define WARPLINT_SURFACE template <class T, int __dimensions> __device__
#define WARPLINT_REFERENCE const surface<void, __dimensions> &
WARPLINT_SURFACE T
surf1Dread(WARPLINT_REFERENCE, int,
           enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
WARPLINT_SURFACE T
surf2Dread(WARPLINT_REFERENCE, int, int,
           enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
WARPLINT_SURFACE T
surf3Dread(WARPLINT_REFERENCE, int, int, int,
           enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
WARPLINT_SURFACE void
surf1Dread(T *, WARPLINT_REFERENCE, int,
           enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
WARPLINT_SURFACE void
surf2Dread(T *, WARPLINT_REFERENCE, int, int,
           enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
WARPLINT_SURFACE void
surf3Dread(T *, WARPLINT_REFERENCE, int, int, int,
           enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
WARPLINT_SURFACE void
surf1Dwrite(T, WARPLINT_REFERENCE, int,
            enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
WARPLINT_SURFACE void
surf2Dwrite(T, WARPLINT_REFERENCE, int, int,
            enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
WARPLINT_SURFACE void
surf3Dwrite(T, WARPLINT_REFERENCE, int, int, int,
            enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
WARPLINT_SURFACE void
surf2DLayeredwrite(T, WARPLINT_REFERENCE, int, int, int,
                   enum cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
#undef WARPLINT_SURFACE
#undef WARPLINT_REFERENCE
template <class T, int __dimensions>
cudaError_t cudaBindSurfaceToArray(const surface<T, __dimensions> &,
                                   cudaArray_const_t);
template <class T, int __dimensions>
cudaError_t cudaBindSurfaceToArray(const surface<T, __dimensions> &,
                                   cudaArray_const_t,
                                   const cudaChannelFormatDesc &);

// __shfl, __any, __all and __ballot without a mask are in Clang's own headers,
// for every machine.

#endif
#endif
