#include "input/toolkit.h"
#include "source/shim.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {
struct Parsed {
  std::vector<std::string> errors;
  std::string ir;
};

class EmitModule : public clang::ASTFrontendAction {
public:
  explicit EmitModule(llvm::LLVMContext &context) : context_(context) {}
  std::unique_ptr<llvm::Module> module;

private:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef file) override {
    auto generator = clang::CreateLLVMCodeGen(compiler, file, context_);
    generator_ = generator.get();
    return generator;
  }
  void EndSourceFileAction() override { module = generator_->ReleaseModule(); }

  llvm::LLVMContext &context_;
  clang::CodeGenerator *generator_ = nullptr;
};
} // namespace

static llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
filesWithShim(llvm::StringRef source) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const ShimFile &file : shimFiles())
    memory->addFile(file.path, 0, llvm::MemoryBuffer::getMemBuffer(file.text));
  memory->addFile("/test.cu", 0, llvm::MemoryBuffer::getMemBufferCopy(source));
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::getRealFileSystem());
  files->pushOverlay(memory);
  return files;
}

/// Device code of a source, as the linter will read it.
static Parsed parse(llvm::StringRef source, const std::string &cudaPath,
                    std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"clang++",
                                    "-resource-dir=" WARPLINT_RESOURCE_DIR,
                                    "-x",
                                    "cuda",
                                    "--cuda-device-only",
                                    "--cuda-gpu-arch=sm_90",
                                    "-std=c++17",
                                    "-Wno-unknown-cuda-version",
                                    "-w",
                                    "-fsyntax-only"};
  std::optional<Toolkit> toolkit;
  if (!cudaPath.empty()) {
    toolkit = ToolkitSearch("").of({});
    words.push_back("--cuda-path=" + cudaPath);
  }
  llvm::append_range(words, shimFlags(toolkit));
  llvm::append_range(words, more);
  words.push_back("/test.cu");
  std::vector<const char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(word.c_str());

  auto files = filesWithShim(source);
  clang::DiagnosticOptions quiet;
  clang::CreateInvocationOptions options;
  options.VFS = files;
  options.Diags = clang::CompilerInstance::createDiagnostics(
      *files, quiet, new clang::IgnoringDiagConsumer);
  std::shared_ptr<clang::CompilerInvocation> invocation =
      clang::createInvocation(arguments, options);
  Parsed result;
  if (!invocation) {
    result.errors.push_back("no invocation");
    return result;
  }
  clang::CompilerInstance compiler(invocation);
  clang::TextDiagnosticBuffer buffer;
  compiler.setVirtualFileSystem(files);
  compiler.createDiagnostics(&buffer, false);
  compiler.createFileManager();
  llvm::LLVMContext context;
  EmitModule action(context);
  compiler.ExecuteAction(action);
  for (auto error = buffer.err_begin(); error != buffer.err_end(); ++error)
    result.errors.push_back(error->second);
  llvm::raw_string_ostream ir(result.ir);
  if (action.module)
    action.module->print(ir, nullptr);
  return result;
}

static std::string cudaPath() {
  auto toolkit = ToolkitSearch("").of({});
  return toolkit ? toolkit->root : "";
}

#define NEEDS_TOOLKIT                                                          \
  std::string cuda = cudaPath();                                               \
  if (cuda.empty())                                                            \
  GTEST_SKIP() << "NO CUDA TOOLKIT: its headers are not read with the shim"

// One row of what nvcc has and Clang lacks each; every one cost a source of a
// public codebase its parse.
TEST(Shim, ProvidesNvccsImplicitIncludes) {
  NEEDS_TOOLKIT;
  EXPECT_THAT(parse(R"(
int host() {
  clock_t now = clock();
  assert(now > 0);
  void *p = malloc(strlen("x"));
  free(p);
  return printf("%f\n", floor(1.5)) + abs(-3);
})",
                    cuda)
                  .errors,
              IsEmpty());
}

// NCCL's device headers ask so, and nvcc has -D__CUDACC__, which is 1.
TEST(Shim, TheMacroOfNvccHasItsValue) {
  const char *source = R"(
#if __CUDACC__
__global__ void kernel(float *p) { p[threadIdx.x] = __CUDACC__; }
#else
#error
#endif
)";
  EXPECT_THAT(parse(source, "").errors, IsEmpty());
  NEEDS_TOOLKIT;
  EXPECT_THAT(parse(source, cuda).errors, IsEmpty());
}

// A course's Makefile has -DN=1024, and nvcc reads no header that minds;
// Clang's wrapper reads cuda.h, where N is a parameter.
TEST(Shim, MacrosOfTheCommandBreakNoHeader) {
  const char *source = R"(
#include <cuda_runtime.h>
__global__ void kernel(float *p) { p[threadIdx.x] = N + V; })";
  EXPECT_THAT(parse(source, "",
                    {"-DN=1024", "-DV=1", "-Da=b", "-Dlimit=3", "-Dmode=4",
                     "-Daddress=5"})
                  .errors,
              IsEmpty());
  NEEDS_TOOLKIT;
  EXPECT_THAT(parse(source, cuda, {"-DN=1024", "-DV=1", "-DTILE=8"}).errors,
              IsEmpty());
}

// Generated kernels that are also compiled at run time bring these along; nvcc
// includes neither cuda.h nor stdint.h before a source.
TEST(Shim, ASourceMayDefineTheDriversNames) {
  NEEDS_TOOLKIT;
  EXPECT_THAT(parse(R"(
typedef unsigned long long uint64_t;
typedef struct __align__(64) { uint64_t opaque[16]; } CUtensorMap;
#include <cuda_bf16.h>
__global__ void kernel(uint64_t *p, CUtensorMap map) { p[0] = map.opaque[1]; })",
                    cuda)
                  .errors,
              IsEmpty());
  EXPECT_THAT(parse(R"(
#ifdef CUDA_VERSION
#error
#endif
#include <cuda.h>
#if CUDA_VERSION < 10000
#error
#endif
__global__ void kernel(cuuint64_t *p, CUtensorMap map) { p[0] = map.opaque[1]; })",
                    cuda)
                  .errors,
              IsEmpty());
}

TEST(Shim, ReadsTheToolkitsRandomNumbers) {
  NEEDS_TOOLKIT;
  if (!llvm::sys::fs::exists(cuda + "/include/curand_kernel.h"))
    GTEST_SKIP() << "NO CURAND IN THE TOOLKIT: its header is not read";
  EXPECT_THAT(parse(R"(
#include <curand_kernel.h>
#include <curand_mtgp32_kernel.h>
__global__ void kernel(float *p, curandStateMtgp32 *m) {
  curandState state;
  curand_init(1, threadIdx.x, 0, &state);
  p[threadIdx.x] = curand_uniform(&state) + curand(m + blockIdx.x);
})",
                    cuda, {"-I" + cuda + "/include"})
                  .errors,
              IsEmpty());
}

TEST(Shim, FindsTheHostCompilersOpenMP) {
  if (!llvm::is_contained(shimFlags(std::nullopt), "-idirafter"))
    GTEST_SKIP() << "NO omp.h OF A GCC: sources with OpenMP are not tried";
  EXPECT_THAT(
      parse("#include <omp.h>\nint t = omp_get_max_threads();", "").errors,
      IsEmpty());
}

TEST(Shim, ProvidesMinAndMaxOnTheHost) {
  NEEDS_TOOLKIT;
  EXPECT_THAT(parse(R"(
#include <algorithm>
unsigned long host(size_t n, long m, unsigned u, float f, double d) {
  return min(1, 2) + max(u, 7) + min(n, (size_t)4) + max(n, m) + min(f, d) +
         max(d, 1.0) + min(1ull, 2ll) + max(2ll, 3ll) + max(f, 0.0f) +
         std::min(1, 2);
}
__global__ void kernel(float *p, int n, unsigned u) {
  p[0] = min(n, 3) + max(1.0f, p[1]) + min(u, 2u) + max(1.0, 2.0) + min(n, u);
})",
                    cuda)
                  .errors,
              IsEmpty());
}

// A hint must leave a load and a store, or the access is lost.
TEST(Shim, CacheHintsAreAccesses) {
  NEEDS_TOOLKIT;
  Parsed parsed = parse(R"(
__global__ void kernel(float *f, float4 *v, const int *i) {
  __stcs(f, 1.0f);
  __stcg(v, make_float4(1, 2, 3, 4));
  __stwb(f + 2, 2.0f);
  f[1] = __ldlu(i) + __ldca(i);
})",
                        cuda);
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_THAT(parsed.ir, HasSubstr("store float"));
  EXPECT_THAT(parsed.ir, Not(HasSubstr("declare void @_ZL6__stcs")));
}

TEST(Shim, ReadsNvccsAtomics) {
  NEEDS_TOOLKIT;
  Parsed parsed = parse(R"(
__global__ void kernel(float *f, unsigned long long *q) {
  __nv_atomic_fetch_add(f, 1.0f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(q, 1ull, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_store_n(q, __nv_atomic_load_n(q, __NV_ATOMIC_ACQUIRE), 0);
  unsigned long long old = 1;
  __nv_atomic_compare_exchange_n(q, &old, 2ull, false, __NV_ATOMIC_RELAXED,
                                 __NV_ATOMIC_RELAXED);
})",
                        cuda);
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_THAT(parsed.ir, HasSubstr("atomicrmw fadd"));
  EXPECT_THAT(parsed.ir, HasSubstr("atomicrmw umax"));
  EXPECT_THAT(parsed.ir, HasSubstr("cmpxchg"));
}

TEST(Shim, AcceptsNvccsAttributesAndBuiltins) {
  NEEDS_TOOLKIT;
  EXPECT_THAT(parse(R"(
__managed__ int counter;
__global__ void __launch_bounds__(128) __maxnreg__(32) kernel() {
  register int i = 1;
  atomicAdd(&counter, i);
}
template <class F> bool isDevice(F) {
  return __nv_is_extended_device_lambda_closure_type(F) &&
         !__nv_is_extended_host_device_lambda_closure_type(F);
}
int main() { return isDevice([] __device__ {}); }
)",
                    cuda)
                  .errors,
              IsEmpty());
}

TEST(Shim, ReadsAllFormsOfTextureAndSurfaceFunctions) {
  NEEDS_TOOLKIT;
  for (const char *standard : {"-std=c++11", "-std=c++14", "-std=c++20"}) {
    const Parsed parsed = parse(R"(
__global__ void kernel(cudaTextureObject_t t, cudaSurfaceObject_t s, float *f,
                       float4 *g, uchar4 *b, int n, float2 d, float4 e) {
  f[0] = tex1Dfetch<float>(t, n) + tex1D<float1>(t, 1.0f).x;
  f[1] = tex2DGrad<float>(t, 1.0f, 2.0f, d, d) + tex2DLod<float2>(t, 1, 2, 3).y;
  f[2] = tex3DGrad<float>(t, 1, 2, 3, e, e) + texCubemap<char>(t, 1, 2, 3);
  g[0] = tex2Dgather<float4>(t, 1, 2, n);
  b[0] = tex2DLayered<uchar4>(t, 1, 2, n);
  bool isResident;
  f[3] = tex2D<float>(t, 1, 2, &isResident);
  f[4] = isResident;
  surf2Dread(f + 5, s, n, n);
  f[6] = surf1Dread<longlong2>(s, n).y + surf3Dread<short>(s, n, n, n);
  surf2Dwrite(g[1], s, n, n, cudaBoundaryModeZero);
  surf1Dwrite(b[1], s, n);
}
)",
                                cuda, {standard});
    EXPECT_THAT(parsed.errors, IsEmpty()) << standard;
    const llvm::StringRef ir = parsed.ir;
    EXPECT_EQ(ir.count(" asm \"tex\""), 9u) << standard;
    EXPECT_EQ(ir.count(" asm \"suld\""), 3u) << standard;
    EXPECT_EQ(ir.count(" asm sideeffect \"sust\""), 2u) << standard;
  }
}

TEST(Shim, ProvidesNamesThatNewToolkitsRemoved) {
  NEEDS_TOOLKIT;
  EXPECT_THAT(parse(R"(
texture<float, 1, cudaReadModeElementType> one;
texture<float4, cudaTextureType2D> two;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> three;
surface<void, 2> plane;
__global__ void kernel(float *f, int n) {
  f[0] = tex1Dfetch(one, n) + tex2D(two, 1.0f, 2.0f).x + tex2D(three, 1, 2);
  f[1] = __shfl(f[2], 3) + __shfl_down(f[3], 1) + __shfl_xor(n, 1, 16);
  f[2] = __any(n) + __all(n) + __ballot(n);
  float x;
  surf2Dread(&x, plane, 4, 5);
  surf2Dwrite(x, plane, 4, 5);
}
int main() {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  two.filterMode = cudaFilterModeLinear;
  two.addressMode[0] = cudaAddressModeWrap;
  float *d;
  cudaMalloc(&d, 4);
  cudaBindTexture(0, one, d, 4);
  cudaChannelFormatDesc description = cudaCreateChannelDesc<float>();
  cudaArray *array;
  cudaMallocArray(&array, &description, 4, 4);
  cudaBindTextureToArray(two, array, description);
  cudaBindSurfaceToArray(plane, array);
  cudaUnbindTexture(one);
  cudaMemPrefetchAsync(d, 4, 0, 0);
  cudaMemAdvise(d, 4, cudaMemAdviseSetReadMostly, 0);
  kernel<<<1, 1>>>(d, device.clockRate + device.memoryClockRate);
  cudaThreadSynchronize();
  return cudaThreadExit();
})",
                    cuda)
                  .errors,
              IsEmpty());
}

// A post-quantum library rotates 64 bits with the sign of the double that has
// them: none of its 43 kernels was read.
TEST(Shim, FunctionsBehindTheMacrosOfMathAreRead) {
  for (const std::string &toolkit : {std::string(), cudaPath()}) {
    EXPECT_THAT(parse(R"(
__global__ void kernel(double *d, float *f, int *i) {
  i[0] = __signbit(d[0]) + __signbitf(f[0]) + __signbitl(d[1]);
  i[1] = __isnan(d[0]) + __isnanf(f[0]) + __isnanl(d[1]);
  i[2] = __isinf(d[0]) + __isinff(f[0]) + __isinfl(d[1]);
  i[3] = __finite(d[0]) + __finitef(f[0]) + __finitel(d[1]);
}
bool host(double x) { return __builtin_signbit(x); })",
                      toolkit)
                    .errors,
                IsEmpty());
  }
}

// A source may have had to define them.
TEST(Shim, ASourcesOwnFunctionOfTheMathHeaderIsTaken) {
  EXPECT_THAT(parse(R"(
__device__ __forceinline__ int __signbit(double x) { return x < 0; }
__global__ void kernel(double *d, int *i) { *i = __signbit(*d); })",
                    cudaPath())
                  .errors,
              IsEmpty());
}
// Sources of k2 and of many others mark ranges of their host code with NVTX.
TEST(Shim, ProvidesHeadersThatNewToolkitsRenamed) {
  NEEDS_TOOLKIT;
  if (!llvm::sys::fs::exists(cuda + "/include/nvtx3/nvToolsExt.h"))
    GTEST_SKIP() << "NO NVTX IN THE TOOLKIT: its old headers are not read";
  EXPECT_THAT(parse(R"(
#include <nvToolsExt.h>
#include "nvToolsExtCuda.h"
#include "nvToolsExtCudaRt.h"
__global__ void kernel(float *f) { *f = 1; }
void host() {
  nvtxRangePushA("step");
  nvtxRangePop();
})",
                    cuda)
                  .errors,
              IsEmpty());
}

// popsift and ccminer include them, for functions that every source has.
TEST(Shim, ProvidesHeadersThatNewToolkitsLack) {
  NEEDS_TOOLKIT;
  EXPECT_THAT(parse(R"(
#include <cuda_surface_types.h>
#include <cuda_texture_types.h>
#include <surface_functions.h>
#include <texture_fetch_functions.h>
__global__ void kernel(float *f, cudaTextureObject_t t) {
  *f = tex2D<float>(t, 1.0f, 2.0f);
})",
                    cuda)
                  .errors,
              IsEmpty());
}

// The rest needs no toolkit, and must not find one.
TEST(Shim, ReadsAKernelWithoutAToolkit) {
  Parsed parsed = parse(R"(
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
__constant__ float coefficients[16];
struct Particles { float *x; int n; };
__global__ void __launch_bounds__(256, 2)
    kernel(Particles p, const float *__restrict__ in, float4 *v, int *bins) {
  __shared__ float tile[256];
  extern __shared__ float more[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = __ldg(in + i) + __ldg(v + i).x + coefficients[i & 15];
  __syncthreads();
  float w = tile[255 - threadIdx.x] + __shfl_down_sync(~0u, tile[0], 16);
  atomicAdd(&bins[i & 7], 1);
  atomicCAS(bins, 1, 2);
  atomicCAS_system(bins, 1, 2);
  atomicExch_block(bins, 3);
  atomicAdd(p.x, w);
  p.x[i] = sinf(w) + sqrtf(w) + fmaf(w, w, w) + __expf(w) + powf(w, 2) +
           max(w, 0.0f) + min(i, p.n) + std::sqrt(w) + rsqrtf(w) + fabs(w);
  v[i] = make_float4(w, w, w, w);
  more[threadIdx.x] = __int_as_float(i) + __popc(i) + __ballot_sync(~0u, i);
  dim3 block = blockDim;
  for (int j = i; j < p.n; j += gridDim.x * block.x)
    p.x[j] *= 2;
  if (i == 0)
    printf("%d\n", i);
}
template <int N> __global__ void instance(float *a) {
  float local[N];
  for (int i = 0; i < N; ++i)
    local[i] = a[i];
  a[threadIdx.x] = local[(int)a[0]];
}
int main() {
  std::vector<float> host(1024);
  float *d;
  if (cudaMalloc(&d, 4096) != cudaSuccess || cudaMalloc((void **)&d, 4))
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaMemcpy(d, host.data(), 4096, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(coefficients, host.data(), 64);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventRecord(event, stream);
  kernel<<<dim3(8, 2), 256, 1024, stream>>>({d, 1024}, d, (float4 *)d, (int *)d);
  instance<8><<<(1024 + 255) / 256, 256>>>(d);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  auto lambda = [=] __device__(int i) { return d[i]; };
  (void)lambda;
  return cudaDeviceSynchronize() + cudaFree(d);
})",
                        "");
  EXPECT_THAT(parsed.errors, IsEmpty());
  // The address reader relies on these.
  for (const char *name :
       {"llvm.nvvm.read.ptx.sreg.tid.x", "llvm.nvvm.read.ptx.sreg.ctaid.x",
        "llvm.nvvm.read.ptx.sreg.ntid.x", "llvm.nvvm.read.ptx.sreg.nctaid.x",
        "barrier.cta.sync", "llvm.nvvm.shfl.sync.down", "atomicrmw add",
        "atomicrmw fadd", "cmpxchg", "addrspace(3)", "addrspace(4)",
        "@_Z8instanceILi8EEvPf"})
    EXPECT_THAT(parsed.ir, HasSubstr(name));
}

TEST(Shim, ReadsCooperativeGroupsWithoutAToolkit) {
  Parsed parsed = parse(R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(float *out, float x) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  x += tile.shfl_down(x, 16);
  cg::sync(tile);
  block.sync();
  out[cg::this_grid().thread_rank()] = x + tile.meta_group_rank();
})",
                        "");
  EXPECT_THAT(parsed.errors, IsEmpty());
  EXPECT_THAT(parsed.ir, HasSubstr("llvm.nvvm.read.ptx.sreg.tid.x"));
}

// Vector types whose alignment differs would read as other widths.
TEST(Shim, VectorTypesAreAlignedAsNvccs) {
  const char *check = R"(
#define SAME(type, size, align)                                                \
  static_assert(sizeof(type) == size && alignof(type) == align, #type);
SAME(char2, 2, 2) SAME(uchar3, 3, 1) SAME(char4, 4, 4) SAME(short2, 4, 4)
SAME(ushort4, 8, 8) SAME(int2, 8, 8) SAME(int3, 12, 4) SAME(uint4, 16, 16)
SAME(float2, 8, 8) SAME(float3, 12, 4) SAME(float4, 16, 16)
SAME(double2, 16, 16) SAME(double3, 24, 8) SAME(long2, 16, 16)
SAME(longlong2, 16, 16) SAME(ulonglong4, 32, 16) SAME(double4, 32, 16)
SAME(dim3, 12, 4) SAME(uint3, 12, 4))";
  EXPECT_THAT(parse(check, "").errors, IsEmpty());
  NEEDS_TOOLKIT;
  EXPECT_THAT(parse(check, cuda).errors, IsEmpty());
}
