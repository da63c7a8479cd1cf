// The block shapes that a source's launches give its kernels.
#include "cost/lanes.h"
#include "launched.h"

namespace warplint {

namespace {

/// The dynamic shared memory of k's only shape: "4096", or "open".
std::string sharedMemory(llvm::StringRef host, bool withToolkit = false) {
  SourceModel model = readText(
      "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n" + host.str(),
      withToolkit);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  std::optional<uint64_t> bytes = model.kernels.front().shapes[0].sharedMemory;
  return bytes ? std::to_string(*bytes) : "open";
}

} // namespace

// Dynamic shared memory limits the blocks that fit in an SM.
TEST(Launches, ReadDynamicSharedMemory) {
  EXPECT_EQ(sharedMemory("void run(float *p) { k<<<1, 64>>>(p); }"), "0");
  EXPECT_EQ(sharedMemory("void run(float *p) { constexpr int n = 32;\n"
                         "k<<<1, 64, 4 * n * sizeof(float)>>>(p); }"),
            "512");
  EXPECT_EQ(sharedMemory("void run(float *p, int n) {\n"
                         "k<<<1, 64, n * sizeof(float)>>>(p); }"),
            "open");
  EXPECT_EQ(sharedMemory("void run(float *p) { k<<<1, 64, 128>>>(p);\n"
                         "k<<<2, 64, 4096>>>(p); k<<<3, 64>>>(p); }"),
            "4096");
  EXPECT_EQ(sharedMemory("void run(float *p, int n) { k<<<1, 64, n>>>(p);\n"
                         "k<<<2, 64, 4096>>>(p); }"),
            "open");
}

// One function launches all kernels: who reads "launched at line 9" wants the
// call that says how many blocks.
TEST(Launches, StandWhereTheKernelIsNamed) {
  const SourceModel model = readText(R"(
template <int Threads, typename K, typename... A>
void inner(K kernel, int blocks, A... args) {
  kernel<<<blocks, Threads>>>(args...);
}
template <typename K> void outer(K kernel, float *p) {
  inner<64>(kernel, 12, p);
}
__global__ void k(float *p) { p[threadIdx.x] = 1; }
void run(float *p) {
  inner<96>(k, 48, p);
  outer(k, p);
  k<<<1, 32>>>(p);
}
)");
  ASSERT_EQ(model.kernels.size(), 1u);
  std::map<uint32_t, unsigned> lines;
  for (const KernelShape &shape : model.kernels[0].shapes)
    lines[shape.shape.x] = shape.place.line;
  EXPECT_EQ(lines,
            (std::map<uint32_t, unsigned>{{96, 11}, {64, 12}, {32, 13}}));
}

// What was evaluated for one block is not evaluated again for the next one, but
// where it depends on what makes the block.
TEST(Launches, HaveTheArgumentsOfTheirOwnBlock) {
  EXPECT_EQ(given("void run(float *p, bool a, bool b) {\n"
                  "int t = 128, n = 6;\n"
                  "if (a) { t = 64; n = 5; }\n"
                  "k<<<1, t>>>(p, n + (b ? 10 : 20)); }"),
            "128(?,26) 128(?,16) 64(?,25) 64(?,15)");
  EXPECT_EQ(given("void run(float *p, bool a, bool b) {\n"
                  "const int t = a ? 64 : 128;\n"
                  "k<<<1, t>>>(p, b ? 10 : 20); }"),
            "128(?,20) 128(?,10) 64(?,20) 64(?,10)");
}

// Of several blocks the ones of the costliest launch come first.
TEST(Launches, FollowFunctionsAroundTheLaunch) {
  EXPECT_EQ(launched("void go(float *p, int t) { k<<<10, t>>>(p); }\n"
                     "void run(float *p) { go(p, 160); go(p, 224); }"),
            "224x1x1 160x1x1");
  EXPECT_EQ(
      launched("void go(float *p, int x, int y) { k<<<1, dim3(x, y)>>>(p); }\n"
               "void run(float *p) { go(p, 8, 32); go(p, 32, 8); }"),
      "32x8x1 8x32x1");
  EXPECT_EQ(launched("dim3 shape(int x) { return dim3(x, 2); }\n"
                     "void run(float *p) { k<<<1, shape(48)>>>(p); }"),
            "48x2x1");
  EXPECT_EQ(launched("template <class F> void with(F f) { f(); }\n"
                     "void run(float *p) { with([&] { k<<<1, 288>>>(p); }); }"),
            "288x1x1");
  EXPECT_EQ(launched("void run(float *p) { auto go = [&](int t) { "
                     "k<<<1, t>>>(p); }; go(64); go(128); }"),
            "128x1x1 64x1x1");
  EXPECT_EQ(launched("template <int B> void go(float *p) { dim3 b(B, 2); "
                     "k<<<4, b>>>(p); }\n"
                     "void run(float *p) { go<32>(p); go<64>(p); }"),
            "64x2x1 32x2x1");
}

/// "4" or "open": the grids of the only shape of `k`.
static std::string grids(llvm::StringRef host) {
  SourceModel model = readText(
      "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n" + host.str());
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  std::string text;
  for (uint64_t blocks : model.kernels.front().shapes[0].grids)
    text += (text.empty() ? "" : " ") + std::to_string(blocks);
  return text.empty() ? "open" : text;
}

// Without this, a grid that a template's argument says is taken for unknown.
TEST(Launches, InstancesSpeakForTheirTemplate) {
  EXPECT_EQ(grids("template <int G> void go(float *p) { k<<<G, 64>>>(p); }\n"
                  "void run(float *p) { go<4>(p); go<6>(p); }"),
            "4 6");
  EXPECT_EQ(grids("template <int G> struct S { static void go(float *p) {\n"
                  "k<<<G, 64>>>(p); } };\n"
                  "void run(float *p) { S<4>::go(p); }"),
            "4");
  EXPECT_EQ(grids("template <int G> void go(float *p) { k<<<G, 64>>>(p); }"),
            "open");
}

TEST(Launches, GridsOfSeveralStreamsAreOpen) {
  EXPECT_EQ(grids("void run(float *p, cudaStream_t *s, int n) {\n"
                  "for (int i = 0; i < n; ++i) k<<<4, 64, 0, s[i]>>>(p); }"),
            "open");
  EXPECT_EQ(grids("void run(float *p, cudaStream_t *s) {\n"
                  "k<<<4, 64, 0, s[0]>>>(p); }"),
            "4");
}

TEST(Launches, ReadTheRuntimesLaunchFunctions) {
  if (!hasToolkit())
    GTEST_SKIP() << "no CUDA toolkit: its launch functions are not read";
  EXPECT_EQ(
      inMain("void *a[] = {&p}; cudaLaunchKernel((const void *)k, dim3(1), "
             "dim3(36, 4), a, 0, 0);",
             true),
      "36x4x1");
  EXPECT_EQ(inMain("cudaLaunchConfig_t c = {}; c.gridDim = 4; "
                   "c.blockDim = dim3(384); cudaLaunchKernelEx(&c, k, p);",
                   true),
            "384x1x1");
  EXPECT_EQ(inMain("cudaLaunchConfig_t c = {0}; c.blockDim = {56, 2, 1}; "
                   "void *a[] = {&p}; cudaLaunchKernelExC(&c, (void *)k, a);",
                   true),
            "56x2x1");
}

TEST(Launches, WithoutALaunchTheKernelsBoundsCount) {
  SourceModel model = readText(R"(
__global__ void __launch_bounds__(192) bounded(float *p) { p[threadIdx.x] = 1; }
#define ROWS 8
__global__ void __block_size__((32, ROWS, 1)) demanded(float *p) { p[threadIdx.x] = 1; }
__global__ void plain(float *p) { p[threadIdx.x] = 1; }
)");
  EXPECT_EQ(shapes(model, "bounded"), "192x1x1");
  EXPECT_EQ(shapes(model, "demanded"), "32x8x1");
  EXPECT_EQ(shapes(model, "plain"), "open");
}

TEST(Launches, ReachKernelsOfOtherSources) {
  SourceModel model = readText(R"(
namespace ns { __global__ void far(float *p, int n); }
void run(float *p) { ns::far<<<1, 640>>>(p, 3); }
)");
  ASSERT_EQ(model.outline.launches.size(), 1u);
  EXPECT_EQ(model.outline.launches[0].kernel, "_ZN2ns3farEPfi");
  EXPECT_EQ(model.outline.launches[0].block[0], 640u);
}

// A size that every launch gives is no unknown.
TEST(Launches, ReadConstantArguments) {
  EXPECT_EQ(given("void run(float *p) { k<<<1, 64>>>(p, 1024); }"),
            "64(?,1024)");
  EXPECT_EQ(given("void run(float *p, int n) { k<<<1, 64>>>(p, n); }"),
            "64(?,?)");
  EXPECT_EQ(
      given("constexpr int w = 33;\n"
            "static void go(float *p, int n) { k<<<1, 64>>>(p, 2 * n); }\n"
            "void run(float *p) { go(p, w); go(p, 7); }"),
      "64(?,66) 64(?,14)");
  EXPECT_EQ(given("void run(float *p, int c, int o) { int n = 1024; "
                  "if (c > 1) n = o; k<<<1, 64>>>(p, n); }"),
            "64(?,1024) 64(?,?)");
  EXPECT_EQ(given("void read(int *); void run(float *p) { int n = 5; read(&n); "
                  "k<<<1, 64>>>(p, n); }"),
            "64(?,?)");
}

// An unknown uniform factor is large only where no launch says otherwise.
TEST(Launches, TheCostliestDecides) {
  auto read = [](llvm::StringRef host) {
    SourceModel model = readText("__global__ void k(float *p, int s) { "
                                 "p[threadIdx.x * s] = 1; }\n" +
                                 host.str());
    const Kernel &kernel = model.kernels.front();
    return costs(kernel, kernel.shapes.front()).front();
  };
  Cost cost = read("void run(float *p) { int s[4] = {1}; "
                   "k<<<1, 64>>>(p, s[0]); }");
  EXPECT_EQ(cost.basis, Basis::Exact);
  EXPECT_EQ(cost.sectors, 4);
  cost = read("void run(float *p) { k<<<1, 64>>>(p, 1); k<<<1, 64>>>(p, 2); "
              "k<<<1, 64>>>(p, 3); k<<<1, 64>>>(p, 8); }");
  EXPECT_EQ(cost.basis, Basis::Assumed);
  EXPECT_EQ(cost.sectors, 32);
  EXPECT_EQ(cost.low, 4);
  cost = read("void run(float *p, int n) { for (int s = 1; s < n; s *= 2) "
              "k<<<1, 64>>>(p, s); }");
  EXPECT_EQ(cost.sectors, 32);
  EXPECT_EQ(cost.low, 4) << "the first launch passes 1";
}

// An elimination has less and less to do: its first launch takes the time, and
// not the last one, with one block and a few elements.
TEST(Launches, TheIterationThatTakesTheTimeDecides) {
  const SourceModel model = readText(
      "__global__ void k(float *m, int n, int s) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x + s + 1;\n"
      "  if (i < n) m[i * n + s] *= 2; }\n"
      "void run(float *m) { for (int s = 0; s < 2047; ++s)\n"
      "  k<<<(2047 - s + 255) / 256, 256>>>(m, 2048, s); }\n");
  const std::vector<Launched> &launches =
      model.kernels.front().shapes.front().launches;
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[0].arguments[2], 0u);
  EXPECT_EQ(launches[0].blocks(), 8u);
  EXPECT_EQ(launches[1].arguments[2], 1023u);
  EXPECT_EQ(launches[2].blocks(), 1u);
}

// Other sources may say what a parameter is; who they call is the outermost
// function that this source does not call itself.
TEST(Launches, TellWhichArgumentsAreOfACaller) {
  auto read = [](llvm::StringRef host) {
    SourceModel model = readText(
        "__global__ void k(float *p, int s, int t) { p[threadIdx.x] = 1; }\n" +
        host.str());
    const std::optional<FromCaller> &from =
        model.outline.launches.front().fromCaller;
    if (!from)
      return std::string("none");
    std::string shown =
        from->function + "/" + std::to_string(from->parameters) + ":";
    for (const auto &parameter : from->arguments)
      shown += parameter ? std::to_string(*parameter) : "-";
    return shown + (from->isWhole ? "" : "?");
  };
  EXPECT_EQ(read("namespace a { void run(int s, float *p) { int t = s;\n"
                 "k<<<1, 64>>>(p, t, 1); } }"),
            "run/2:-0");
  EXPECT_EQ(read("void go(float *p, int n) { k<<<1, 64>>>(p, 3, n); }\n"
                 "extern \"C\" void run(size_t n, float *p) { go(p, n); }"),
            "run/2:--0");
  EXPECT_EQ(read("template <int N> void run(float *p, int n) {\n"
                 "k<<<1, 64>>>(p, N, n); }\n"
                 "template void run<3>(float *, int);"),
            "run/2:--1");
  EXPECT_EQ(read("void run(float *p, int n, int m) {\n"
                 "k<<<1, 64>>>(p, n + 1, m); }"),
            "run/3:--2?");
  // Its own code decides, changes it, or keeps other sources from calling it.
  EXPECT_EQ(read("void go(float *p, int n) { k<<<1, 64>>>(p, 3, n); }\n"
                 "void run(float *p) { go(p, 4); }"),
            "none");
  EXPECT_EQ(read("void run(float *p, int n) { n = n * 2 + (p != 0);\n"
                 "k<<<1, 64>>>(p, 3, n); }"),
            "none");
  EXPECT_EQ(read("static void run(float *p, int n) { k<<<1, 64>>>(p, 3, n); }"),
            "none");
  EXPECT_EQ(read("struct A { void run(float *p, int n) {\n"
                 "k<<<1, 64>>>(p, 3, n); } };"),
            "none");
  EXPECT_EQ(read("int main(int n, char **) { k<<<1, 64>>>(0, 3, n); }"),
            "none");
}

} // namespace warplint
