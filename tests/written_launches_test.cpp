// A launch that is not found leaves a kernel without a shape.
#include "source/written_launches.h"
#include "input_folder.h"
#include "read_text.h"
#include "report/accesses.h"
#include <gmock/gmock.h>
#include <map>

namespace warplint {

// Bodies of a library's that no kernel of the user's can be in are not parsed:
// nothing that is said of the user's may change by it.
TEST(WrittenLaunches, HostBodiesOfLibrariesGiveNoLaunches) {
  InputFolder folder;
  folder.write("lib/library.h", R"(#pragma once
template <class F> __global__ void each(F f) { f(threadIdx.x); }
template <class F> void launchEach(F f) { each<<<4, 256>>>(f); }
__global__ void fill(float *p) { p[threadIdx.x] = 0; }
inline void hostOnly(float *p) {
  fill<<<1, 32>>>(p);
#ifdef BROKEN
  unheardOf(p);
#endif
}
inline int folded() { return 3; }
constexpr int known() { return 5; }
inline auto deduced() { return 7.0f; }
__host__ __device__ inline int both(int i) { return 2 * i; }
struct Box {
  Box(float *p) : p_(p) {}
  float *p_;
};
)");
  const std::string source = R"(#include <library.h>
static_assert(sizeof(deduced()) == 4, "");
__global__ void k(float *out, Box in) {
  out[both(threadIdx.x)] = in.p_[known() * threadIdx.x];
}
void run(float *out, float *in) {
  k<<<2, 128 + known()>>>(out, Box(in));
  launchEach([=] __device__(int i) { out[i * 32] = in[i]; });
}
)";
  auto said = [&](const char *flag, const char *macro = "-DWHOLE") {
    SourceModel model = readText(
        source, false, {flag, folder / "lib", macro, "--extended-lambda"});
    EXPECT_TRUE(model.outline.errors.empty())
        << model.outline.errors.front().text;
    std::string text;
    llvm::raw_string_ostream out(text);
    for (const Kernel &kernel : model.kernels)
      for (const AccessRow &row : accessRows(kernel))
        if (llvm::sys::path::filename(row.access.place.file) == "source.cu")
          out << (kernel.name == "k" ? row.shape.shape.text() : "") << ' '
              << row.access.text << ' ' << costText(row) << '\n';
    return text;
  };
  const std::string asLibrary = said("-isystem");
  EXPECT_EQ(asLibrary, said("-I"));
  EXPECT_EQ(asLibrary, said("-isystem", "-DBROKEN"));
  EXPECT_THAT(asLibrary, testing::HasSubstr("133x1x1"));
  EXPECT_THAT(asLibrary, testing::HasSubstr("out[i * 32] 32 sectors"));
}

// The members of the standard library's class templates are not read; callables
// passed to the library are assumed to be called.
TEST(WrittenLaunches, LaunchesInLambdasForTheStandardLibraryAreFound) {
  SourceModel model = readText(R"(
#include <algorithm>
#include <functional>
#include <memory>
#include <thread>
#include <vector>
template <class T> __global__ void grow(T *p) { p[threadIdx.x * 2] += 1; }
template <class T> struct Field {
  explicit Field(int n) : n_(n) { grow<<<1, 32>>>((T *)nullptr); }
  int n_;
};
struct Each {
  template <class T> void operator()(T x) { grow<<<1, 64>>>(x); }
};
void run(std::vector<double *> &doubles, std::vector<float *> &floats,
         std::vector<int *> &integers) {
  std::for_each(doubles.begin(), doubles.end(),
                [](auto p) { grow<<<1, 128>>>(p); });
  std::for_each(floats.begin(), floats.end(), Each());
  std::function<void(short *)> later = [](auto p) { grow<<<1, 256>>>(p); };
  std::thread([&](auto p) { grow<<<1, 512>>>(p); }, (char *)nullptr).join();
  std::vector<Field<long>> fields;
  fields.emplace_back(3);
  auto one = std::make_unique<Field<unsigned>>(4);
}
)");
  EXPECT_TRUE(model.outline.errors.empty())
      << model.outline.errors.front().text;
  std::map<std::string, std::string> shapes;
  for (const Kernel &kernel : model.kernels)
    shapes[kernel.name] = kernel.shapes.at(0).shape.text();
  const std::map<std::string, std::string> expected = {
      {"grow<double>", "128x1x1"}, {"grow<float>", "64x1x1"},
      {"grow<short>", "256x1x1"},  {"grow<char>", "512x1x1"},
      {"grow<long>", "32x1x1"},    {"grow<unsigned int>", "32x1x1"}};
  EXPECT_EQ(shapes, expected);
}

// What hands the kernel on is not seen here: any kernel of that type that is
// named may be launched, with anything.
TEST(WrittenLaunches, AnUnknownKernelIsAnyThatIsNamed) {
  const SourceModel model = readText(R"(
using Kernel = void (*)(float *, int);
Kernel lookup(Kernel);
__global__ void k(float *p, int n) { p[threadIdx.x] = n; }
__global__ void unnamed(float *p, int n) { p[threadIdx.x] = n; }
__global__ void other(float *p) { p[threadIdx.x] = 1; }
void (*named)(float *) = other;
__global__ void asked(float *p, int n) { p[threadIdx.x] = n; }
void run(float *p, int n) {
  cudaFuncSetCacheConfig(asked, cudaFuncCachePreferL1);
  lookup(k)<<<4, 96>>>(p, n);
  unnamed<<<4, 64>>>(p, n);
}
)");
  std::map<std::string, std::string> launches;
  for (const Kernel &kernel : model.kernels)
    for (const KernelShape &shape : kernel.shapes)
      launches[kernel.name] +=
          shape.shape.text() + ":" + std::to_string(shape.place.line);
  EXPECT_EQ(launches,
            (std::map<std::string, std::string>{{"k", "256x1x1:11"},
                                                {"other", "256x1x1:0"},
                                                {"asked", "256x1x1:0"},
                                                {"unnamed", "64x1x1:12"}}));
}

} // namespace warplint
