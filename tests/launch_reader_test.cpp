// The block shapes that a source's launches give its kernels.
#include "cost/lanes.h"
#include "read_text.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// "64x1x1 64x4x1", or "open" where nothing is known.
std::string shapes(const SourceModel &model, llvm::StringRef kernel) {
  std::string text;
  for (const Kernel &read : model.kernels)
    if (read.name == kernel)
      for (const KernelShape &shape : read.shapes)
        text += (text.empty() ? "" : " ") +
                (shape.source == ShapeSource::Assumed ? std::string("open")
                                                      : shape.shape.text());
  return text;
}

/// The shapes of `k` when `host` launches it.
std::string launched(llvm::StringRef host, bool withToolkit = false,
                     llvm::StringRef kernel = "k") {
  std::string source = R"(
#include <algorithm>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
template <class T> __global__ void t(T *p) { p[threadIdx.x] = 1; }
#define TX 64
constexpr int threads = 96;
)" + host.str();
  SourceModel model = readText(source, withToolkit);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  return shapes(model, kernel);
}

std::string inMain(llvm::StringRef body, bool withToolkit = false) {
  return launched(("void run(float *p, int n) {\n" + body + "\n}\n").str(),
                  withToolkit);
}

/// "2x1x1(?,1024) ?x1x1(?,7)" of all launches of `k`, in order.
std::string given(llvm::StringRef host) {
  std::string source =
      "__global__ void k(float *p, int n) { p[n] = 1; }\n" + host.str();
  SourceModel model = readText(source);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  std::string text;
  auto number = [](std::optional<uint64_t> value) {
    return value ? std::to_string(*value) : "?";
  };
  for (const Launch &launch : model.outline.launches)
    text += (text.empty() ? "" : " ") + number(launch.block[0]) + "(" +
            number(launch.arguments.at(0)) + "," +
            number(launch.arguments.at(1)) + ")";
  return text;
}

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
  EXPECT_EQ(lines, (std::map<uint32_t, unsigned>{{96, 11}, {64, 12}, {32, 13}}));
}

// A loop over variants of a kernel, as programs that compare them have it.
TEST(Launches, FollowPointersToSeveralKernels) {
  const std::string two = "__global__ void l(float *p) { p[threadIdx.x] = 2; }";
  auto both = [&](llvm::StringRef host) {
    return launched(two + host.str()) + " " +
           launched(two + host.str(), false, "l");
  };
  EXPECT_EQ(both("void run(float *p) { void (*f)(float *);\n"
                 "for (int i = 0; i < 2; ++i) {\n"
                 "switch (i) { case 0: f = &k; break; case 1: f = l; }\n"
                 "f<<<1, 96>>>(p); } }"),
            "96x1x1 96x1x1");
  EXPECT_EQ(both("void run(float *p, int i) { void (*f[])(float *) = {k, l};\n"
                 "f[i]<<<1, 48>>>(p); }"),
            "48x1x1 48x1x1");
  EXPECT_EQ(both("void run(float *p, bool b) { auto f = b ? k : l;\n"
                 "f<<<1, 32>>>(p); }"),
            "32x1x1 32x1x1");
}

TEST(Launches, FollowMemberInitialisers) {
  const std::string settings = "struct S { dim3 block{16, 7}; int grid = 4; };";
  EXPECT_EQ(launched(settings + "void run(float *p) { S s; "
                                "k<<<s.grid, s.block>>>(p); }"),
            "16x7x1");
  EXPECT_EQ(launched(settings + "void run(float *p) { S s{}; "
                                "k<<<s.grid, s.block>>>(p); }"),
            "16x7x1");
  EXPECT_EQ(launched(settings + "void run(float *p, int n) { S s; "
                                "s.block.x = n; k<<<s.grid, s.block>>>(p); }"),
            "open");
  // A constructor may give them something else.
  EXPECT_EQ(launched("struct S { S(int n); dim3 block{16, 7}; };"
                     "void run(float *p) { S s(3); k<<<1, s.block>>>(p); }"),
            "open");
}

// Parameters of a launch that travel in a structure, as ggml's do.
TEST(Launches, FollowConstructorArguments) {
  auto with = [](llvm::StringRef body) {
    return launched((R"(
struct Parameters {
  dim3 blocks, threads; int shared;
  Parameters(const dim3 &b, const dim3 &t, int s)
      : blocks(b), threads(t), shared(s) {)" +
                     body + R"(}
};
template <class K, class... A>
void launch(K kernel, const Parameters &p, A &&...a) {
  kernel<<<p.blocks, p.threads, p.shared>>>(a...);
}
void run(float *p, int n) {
  const dim3 threads(1, 128, 1);
  const Parameters parameters = {dim3(n), threads, 0};
  launch(k, parameters, p);
})")
                        .str());
  };
  EXPECT_EQ(with(""), "1x128x1");
  EXPECT_EQ(with(" threads.x = 2; "), "open") << "it may do anything";
}

TEST(Launches, ReadAllFormsOfConstants) {
  EXPECT_EQ(inMain("k<<<1, 128>>>(p);"), "128x1x1");
  EXPECT_EQ(inMain("k<<<n, TX>>>(p); k<<<1, dim3(TX, TX / 16)>>>(p);"),
            "64x1x1 64x4x1");
  EXPECT_EQ(inMain("k<<<1, threads>>>(p);"), "96x1x1");
  EXPECT_EQ(inMain("k<<<1, std::min(512, 1024)>>>(p);"), "512x1x1");
  EXPECT_EQ(inMain("k<<<1, threads > 64 ? threads : 64>>>(p);"), "96x1x1");
  EXPECT_EQ(
      inMain("const int t = 256; int b = (n + t - 1) / t; k<<<b, t>>>(p);"),
      "256x1x1");
}

// Many programs compute their grids in floating point.
TEST(Launches, ReadRoundedQuotients) {
  EXPECT_EQ(inMain("int all = 1000, each = 16; "
                   "k<<<1, (int)ceil((float)all / (float)each)>>>(p);"),
            "63x1x1");
  EXPECT_EQ(inMain("dim3 block(8, 4), grid(1); int all = 1000; grid.x = "
                   "(size_t)(ceil(((float)all) / ((float)block.x))); "
                   "k<<<1, grid>>>(p);"),
            "125x1x1");
  EXPECT_EQ(inMain("double each = 33.5; k<<<1, floor(1000 / each)>>>(p);"),
            "29x1x1");
  EXPECT_EQ(inMain("float all = n; k<<<1, (int)ceil(all / 16)>>>(p);"), "open");
  EXPECT_EQ(inMain("double each = 8; each *= n; k<<<1, (int)each>>>(p);"),
            "open");
  // A comparison of fractions is no comparison of whole numbers.
  EXPECT_EQ(inMain("float part = 0.5f; int t = part > 0.25f ? 64 : 128; "
                   "k<<<1, t>>>(p);"),
            "128x1x1 64x1x1");
}

TEST(Launches, ReadVariablesAtTheLaunch) {
  EXPECT_EQ(inMain("dim3 block(16, 16); k<<<n / 16, block>>>(p);"), "16x16x1");
  EXPECT_EQ(
      inMain("dim3 block; block.x = 32; block.y = 8; k<<<1, block>>>(p);"),
      "32x8x1");
  EXPECT_EQ(inMain("int t; t = 544; k<<<1, t>>>(p); t = 32; k<<<1, t>>>(p);"),
            "544x1x1 32x1x1");
  EXPECT_EQ(inMain("unsigned x = 16, y = 2 * x; dim3 b{x, y}; b.y /= 2; "
                   "k<<<1, b>>>(p);"),
            "16x16x1");
  EXPECT_EQ(inMain("int t = 64; if (n > 3) t = 128; k<<<1, t>>>(p);"),
            "64x1x1 128x1x1");
  // Both dimensions are decided by one branch: two shapes, not four.
  EXPECT_EQ(inMain("int x = 8, y = 32; if (n > 3) { x = 32; y = 8; } "
                   "k<<<1, dim3(x, y)>>>(p);"),
            "8x32x1 32x8x1");
}

TEST(Launches, LeaveRunTimeValuesOpen) {
  EXPECT_EQ(inMain("k<<<1, n>>>(p);"), "open");
  EXPECT_EQ(inMain("for (int t = 1; t <= 1024; ++t) k<<<1, t>>>(p);"), "open");
  EXPECT_EQ(launched("void choose(int *t); void run(float *p) { int t = 64; "
                     "choose(&t); k<<<1, t>>>(p); }"),
            "open");
  EXPECT_EQ(launched("void choose(int &t); void run(float *p) { int t = 64; "
                     "choose(t); k<<<1, t>>>(p); }"),
            "open");
  EXPECT_EQ(launched("int size = 64; void set(int n) { size = n; } "
                     "void run(float *p) { k<<<1, size>>>(p); }"),
            "open");
}

TEST(Launches, FollowFunctionsAroundTheLaunch) {
  EXPECT_EQ(launched("void go(float *p, int t) { k<<<10, t>>>(p); }\n"
                     "void run(float *p) { go(p, 160); go(p, 224); }"),
            "160x1x1 224x1x1");
  EXPECT_EQ(
      launched("void go(float *p, int x, int y) { k<<<1, dim3(x, y)>>>(p); }\n"
               "void run(float *p) { go(p, 8, 32); go(p, 32, 8); }"),
      "8x32x1 32x8x1");
  EXPECT_EQ(launched("dim3 shape(int x) { return dim3(x, 2); }\n"
                     "void run(float *p) { k<<<1, shape(48)>>>(p); }"),
            "48x2x1");
  EXPECT_EQ(launched("template <class F> void with(F f) { f(); }\n"
                     "void run(float *p) { with([&] { k<<<1, 288>>>(p); }); }"),
            "288x1x1");
  EXPECT_EQ(launched("void run(float *p) { auto go = [&](int t) { "
                     "k<<<1, t>>>(p); }; go(64); go(128); }"),
            "64x1x1 128x1x1");
  EXPECT_EQ(launched("template <int B> void go(float *p) { dim3 b(B, 2); "
                     "k<<<4, b>>>(p); }\n"
                     "void run(float *p) { go<32>(p); go<64>(p); }"),
            "32x2x1 64x2x1");
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

TEST(Launches, FollowKernelPointers) {
  EXPECT_EQ(
      launched("void run(float *p) { auto f = &t<float>; f<<<1, 448>>>(p); }",
               false, "t<float>"),
      "448x1x1");
  EXPECT_EQ(
      launched("void any(void (*f)(float *), float *p) { f<<<1, 416>>>(p); }\n"
               "void run(float *p) { any(k, p); }"),
      "416x1x1");
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

TEST(Launches, FollowALoopOverSizes) {
  EXPECT_EQ(given("void run(float *p) { for (int b = 64; b <= 256; b *= 2) "
                  "k<<<1, b>>>(p, b); }"),
            "64(?,64) 128(?,128) 256(?,256)");
  EXPECT_EQ(given("void run(float *p) { for (int n = 3; n < 9; n += 2) "
                  "k<<<1, 64>>>(p, n); }"),
            "64(?,3) 64(?,5) 64(?,7)");
  EXPECT_EQ(given("void run(float *p, int m) { for (int b = 64; b <= m; ++b) "
                  "k<<<1, b>>>(p, b); }"),
            "?(?,?) ?(?,64)");
  EXPECT_EQ(given("void run(float *p) { for (int b = 64; b <= 256; b *= 2) { "
                  "if (p) b += 3; k<<<1, b>>>(p, 1); } }"),
            "?(?,1)");
}

// A size that the host code keeps small is not assumed large: `if (d <= 2)`.
TEST(Launches, ConditionsAroundALaunchBoundWhatItPasses) {
  EXPECT_EQ(given("void run(float *p, int d) { if (d <= 2) "
                  "k<<<1, 64>>>(p, d); }"),
            "64(?,2) 64(?,1)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d == 3) "
                  "k<<<1, 64>>>(p, d); }"),
            "64(?,3)");
  EXPECT_EQ(given("void run(float *p, int d) { if (p && 4 > d && d > 2) "
                  "{ p += d; k<<<1, 64>>>(p, 2 * d); } }"),
            "64(?,6)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d > 2) return; "
                  "k<<<1, 64>>>(p, d); }"),
            "64(?,2) 64(?,1)");
  EXPECT_EQ(given("void go(float *p, int n) { k<<<1, 64>>>(p, n); }\n"
                  "void run(float *p, int d) { if (d <= 1) go(p, d); }"),
            "64(?,1)")
      << "handed through a host function";
  EXPECT_EQ(given("void run(float *p, int d) { if (d > 2) ; else "
                  "k<<<1, 64>>>(p, d); }"),
            "64(?,2) 64(?,1)");
}

// "Blocks of 1 thread" would be a false alarm of a bound of 128.
TEST(Launches, ABlockThatIsBoundedFromAboveIsTheLargest) {
  EXPECT_EQ(given("void run(float *p, int t) { if (t <= 128) "
                  "k<<<1, t>>>(p, 3); }"),
            "128(?,3)");
  EXPECT_EQ(given("void run(float *p, int t) { if (t <= 128 && t >= 32) "
                  "k<<<1, t>>>(p, 3); }"),
            "128(?,3) 32(?,3)");
}

// Powers of two: there is no block of 31 threads.
TEST(Launches, ABlockThatIsAMinimumIsTheBound) {
  for (const char *least :
       {"t < 32 ? t : 32", "t <= 32 ? t : 32", "32 > t ? t : 32"})
    EXPECT_EQ(
        given("void run(float *p, int e) { const int t = 1 << e; const int "
              "w = " +
              std::string(least) + "; k<<<1, w>>>(p, 3); }"),
        "32(?,3)")
        << least;
  // The greater of the two, and two values of a condition.
  EXPECT_EQ(given("void run(float *p, int t) { "
                  "k<<<1, t > 32 ? 64 : 32>>>(p, 3); }"),
            "32(?,3) 64(?,3)");
}

// "48 blocks" would be a false alarm where a condition says that the rest of
// the grid fills the GPU.
TEST(Launches, AGridIsNotWhatAConditionAboutItSays) {
  auto grid = [](llvm::StringRef body) {
    SourceModel model =
        readText(("__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"
                  "void run(float *p, int n, int y) {\n" +
                  body + "\n}\n")
                     .str());
    return model.outline.launches.at(0).grid[1];
  };
  EXPECT_EQ(grid("if (y == 1) k<<<dim3(48, y), 64>>>(p);"), std::nullopt);
  EXPECT_EQ(grid("if (y <= 4) k<<<dim3(48, y), 64>>>(p);"), std::nullopt);
  EXPECT_EQ(grid("if (n == 1) k<<<dim3(48, 2), 64>>>(p);"), 2u);
}

TEST(Launches, ConditionsThatDoNotHoldAtTheLaunchBoundNothing) {
  EXPECT_EQ(given("void run(float *p, int d) { if (d <= 2) { d = *p; "
                  "k<<<1, 64>>>(p, d); } }"),
            "64(?,?)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d <= 2 || p) "
                  "k<<<1, 64>>>(p, d); }"),
            "64(?,?)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d <= 2) p += 1; "
                  "k<<<1, 64>>>(p, d); }"),
            "64(?,?)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d >= 2) "
                  "k<<<1, 64>>>(p, d); }"),
            "64(?,?)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d <= 100000) "
                  "k<<<1, 64>>>(p, d); }"),
            "64(?,?)")
      << "which is no small size";
}

// A tensor's strides.
TEST(Launches, ReadElementsOfConstantArrays) {
  EXPECT_EQ(
      given("void run(float *p) { int strides[4] = {1}; "
            "k<<<1, 64>>>(p, strides[0]); k<<<2, 64>>>(p, strides[3]); }"),
      "64(?,1) 64(?,0)");
  EXPECT_EQ(given("static const int sizes[] = {8, 16};\n"
                  "void run(float *p) { k<<<1, 64>>>(p, sizes[1]); }"),
            "64(?,16)");
  EXPECT_EQ(given("struct T { int stride; };\n"
                  "void run(float *p) { T t = {1}; k<<<1, 64>>>(p, t.stride); "
                  "}"),
            "64(?,1)");
  EXPECT_EQ(given("void run(float *p, int i) { int strides[4] = {1}; "
                  "strides[i] = 7; k<<<1, 64>>>(p, strides[0]); }"),
            "64(?,?)");
  EXPECT_EQ(given("void fill(int *);\nvoid run(float *p) { int sizes[2] = {1}; "
                  "fill(sizes); k<<<1, 64>>>(p, sizes[0]); }"),
            "64(?,?)");
}

// The extremes of many sizes count: the largest stride is the worst.
TEST(Launches, AnArgumentOfALongLoopHasItsExtremes) {
  EXPECT_EQ(given("void run(float *p) { for (int s = 1; s < 4096; s *= 2) "
                  "k<<<1, 64>>>(p, s); }"),
            "64(?,2048) 64(?,1) 64(?,64)");
  EXPECT_EQ(given("void run(float *p, int n) { for (int s = 1; s < n; s *= 2) "
                  "k<<<1, 64>>>(p, s); }"),
            "64(?,?) 64(?,1)");
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

// Structures of launch parameters are computed member from member: each is
// followed once, not once for each way that leads to it.
TEST(Launches, VariablesMadeFromVariablesAreFollowedOnce) {
  std::string host = "void run(float *p, int n) { int v0 = n + n;\n";
  for (int i = 1; i < 17; ++i) {
    const std::string of = "v" + std::to_string(i - 1);
    host += "int v" + std::to_string(i) + " = " + of + " + " + of + ";\n";
  }
  EXPECT_EQ(given(host + "k<<<64, 64>>>(p, v16); }\n"
                         "void all(float *p) { run(p, 1); run(p, 3); }"),
            "64(?,131072) 64(?,393216)");
}

// What a function returns differs by call.
TEST(Launches, AFunctionIsFollowedForEachOfItsCalls) {
  EXPECT_EQ(given("int twice(int n) { return n * 2; }\n"
                  "int more(int n) { return twice(n) + twice(n + 1); }\n"
                  "void run(float *p) { k<<<1, 64>>>(p, more(1) + more(10)); "
                  "}"),
            "64(?,48)");
}

} // namespace warplint
