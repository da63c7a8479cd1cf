// The numbers that expressions of host code give a launch.
#include "launched.h"

namespace warplint {

TEST(ShapeEvaluator, FollowMemberInitialisers) {
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

// A transpose takes its block sideways where the matrix is tall: the launches
// of its two instances had each other's blocks as well.
TEST(ShapeEvaluator, AFlagHasOneValueWhereverItIsAsked) {
  const std::string block = "bool tall = n > 64;\n"
                            "dim3 b(tall ? 8 : 32, tall ? 32 : 8);\n";
  EXPECT_EQ(inMain(block + "if (tall) k<<<n, b>>>(p);"), "8x32x1");
  EXPECT_EQ(inMain(block + "if (!tall) k<<<n, b>>>(p);"), "32x8x1");
  EXPECT_EQ(inMain(block + "if (tall) return; k<<<n, b>>>(p);"), "32x8x1");
  EXPECT_EQ(inMain(block + "k<<<n, b>>>(p);"), "32x8x1 8x32x1");
}

// A function that returns grid and block together, as wrappers of launches do.
TEST(ShapeEvaluator, FollowStructuredBindings) {
  const auto with = [](const std::string &body, const std::string &change = "") {
    return launched("#include <utility>\n"
                    "struct Shape { dim3 grid, block; };\n"
                    "Shape make(int n) { return {dim3(n / 64), dim3(64)}; }\n"
                    "void run(float *p, int n) { " +
                    body + change + " k<<<g, b>>>(p); }");
  };
  EXPECT_EQ(with("auto [g, b] = std::make_pair(dim3(n / 96), dim3(96));"),
            "96x1x1");
  EXPECT_EQ(with("const auto [g, b] = std::pair<int, dim3>(n, dim3(32, 4));"),
            "32x4x1");
  EXPECT_EQ(with("auto [g, b] = Shape{dim3(n), dim3(16, 8)};"), "16x8x1");
  EXPECT_EQ(with("auto [g, b] = make(n);"), "64x1x1");
  // What a program changes afterwards is not what it began with.
  EXPECT_EQ(with("auto [g, b] = make(n);", "b.y = 2;"), "64x2x1");
  EXPECT_EQ(with("auto [g, b] = make(n);", "b = dim3(n);"), "open");
  EXPECT_EQ(with("Shape s = make(n); auto &[g, b] = s;", "s.block.x = n;"),
            "open");
}

// Parameters of a launch that travel in a structure, as ggml's do.
TEST(ShapeEvaluator, FollowConstructorArguments) {
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
  EXPECT_EQ(with(" threads.x = 2; "), "2x128x1");
  EXPECT_EQ(with(" if (s) return; threads.x = 2; "), "open");
  EXPECT_EQ(with(" threads.x = *new int; "), "open");
}

// A persistent kernel's grid: a block for each SM of a large GPU, or as many
// threads as that holds.
TEST(ShapeEvaluator, TakeTheSmsOfALargeGpu) {
  const std::string device =
      "cudaDeviceProp d; cudaGetDeviceProperties(&d, 0);";
  for (bool withToolkit : {false, true})
    EXPECT_EQ(
        inMain(device + "k<<<1, d.multiProcessorCount>>>(p);", withToolkit),
        "132x1x1");
  EXPECT_EQ(inMain(device + "const int sms = 2 * d.multiProcessorCount; "
                            "k<<<1, sms>>>(p);"),
            "264x1x1");
  EXPECT_EQ(inMain(device + "k<<<1, d.maxThreadsPerMultiProcessor * "
                            "d.multiProcessorCount / 512>>>(p);"),
            "528x1x1");
  EXPECT_EQ(inMain(device + "k<<<1, d.l2CacheSize>>>(p);"), "open");
  const std::string ask = "int sms = 1; cudaDeviceGetAttribute(&sms, ";
  for (bool withToolkit : {false, true})
    EXPECT_EQ(inMain(ask + "cudaDevAttrMultiProcessorCount, 0); "
                           "k<<<1, sms * 4>>>(p);",
                     withToolkit),
              "528x1x1");
  EXPECT_EQ(inMain(ask + "cudaDevAttrWarpSize, 0); k<<<1, sms * 8>>>(p);"),
            "256x1x1");
  EXPECT_EQ(inMain(ask + "cudaDevAttrL2CacheSize, 0); k<<<1, sms>>>(p);"),
            "open");
}

// nvbench stamps the time on each SM:
// 'NVBENCH_CUDA_CALL(cudaDeviceGetAttribute( &num_sms, ...))' was not followed,
// and blocks of one thread were told of.
TEST(ShapeEvaluator, FollowWhatMacrosThatCheckForErrorsCall) {
  const auto checked = [](const std::string &end) {
    return inMain("int sms = 1; do { cudaError_t e = cudaDeviceGetAttribute("
                  "&sms, cudaDevAttrMultiProcessorCount, 0); if (e != "
                  "cudaSuccess) return 1; } while (" +
                  end + "); k<<<1, sms * 4>>>(p);");
  };
  EXPECT_EQ(checked("0"), "528x1x1");
  EXPECT_EQ(checked("false"), "528x1x1");
  EXPECT_EQ(checked("n"), "open") << "a loop";
  EXPECT_EQ(inMain("int b = 1; do { if (n) break; b = 64; } while (0); "
                   "k<<<1, b>>>(p);"),
            "open");
  EXPECT_EQ(inMain("int b = 1; do { b = 64; } while (0); k<<<1, b>>>(p);"),
            "64x1x1");
}

// The size was unknown, and a block of one row not found.
TEST(ShapeEvaluator, AnAssignmentsValueIsWhatItAssigns) {
  EXPECT_EQ(inMain("dim3 b; b.y = b.z = 1; b.x = 96; k<<<1, b>>>(p);"),
            "96x1x1");
  EXPECT_EQ(inMain("dim3 a, b; a = b = dim3(8, 4); k<<<1, a>>>(p);"), "8x4x1");
}

TEST(ShapeEvaluator, ReadAllFormsOfConstants) {
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
TEST(ShapeEvaluator, ReadRoundedQuotients) {
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

// A tensor's strides.
TEST(ShapeEvaluator, ReadElementsOfConstantArrays) {
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

// Structures of launch parameters are computed member from member: each is
// followed once, not once for each way that leads to it.
TEST(ShapeEvaluator, VariablesMadeFromVariablesAreFollowedOnce) {
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
TEST(ShapeEvaluator, AFunctionIsFollowedForEachOfItsCalls) {
  EXPECT_EQ(given("int twice(int n) { return n * 2; }\n"
                  "int more(int n) { return twice(n) + twice(n + 1); }\n"
                  "void run(float *p) { k<<<1, 64>>>(p, more(1) + more(10)); "
                  "}"),
            "64(?,48)");
}

/// The launches, each once: of a method, Clang visits each instance twice.
static std::string distinct(const std::string &host) {
  llvm::SmallVector<llvm::StringRef> each, kept;
  const std::string all = given(host);
  llvm::StringRef(all).split(each, ' ');
  for (llvm::StringRef one : each)
    if (!llvm::is_contained(kept, one))
      kept.push_back(one);
  return llvm::join(kept, " ");
}

/// What launches of `Launcher::run` give, with these members, of the object
/// `go` that `made` declares.
static std::string launcher(const std::string &members, const std::string &made,
                            const std::string &before = "") {
  return distinct(before + R"(
struct Launcher {
  )" + members +
                  R"(
  template <class K, class... A> void run(K kernel, dim3 grid, A... a) {
    kernel<<<grid, block>>>(a...);
  }
};
void all(float *p, int n) { )" +
                  made + R"( go.run(k, 4, p, 7); }
)");
}

// Projects launch all kernels through an object that holds the block.
TEST(ShapeEvaluator, AMemberOfTheObjectIsTheBlock) {
  EXPECT_EQ(launcher("int s; dim3 block;", "Launcher go{0, dim3(12, 12)};"),
            "12(?,7)");
  EXPECT_EQ(launcher("dim3 block{12, 12};", "Launcher go;"), "12(?,7)");
  EXPECT_EQ(launcher("dim3 block; explicit Launcher(int t) : block(t, 2) {}",
                     "Launcher go(12);"),
            "12(?,7)");
  EXPECT_EQ(launcher("dim3 block; Launcher(int t) { block = dim3(t / 2); }",
                     "Launcher go(24);"),
            "12(?,7)");
  EXPECT_EQ(launcher("dim3 block; Launcher(int t) : Launcher(t, 2) {} "
                     "Launcher(int x, int y) : block(x, y) {}",
                     "Launcher go(12);"),
            "12(?,7)");
  EXPECT_EQ(launcher("static const dim3 block;", "Launcher go;"), "?(?,7)");
  EXPECT_EQ(launcher("static inline const dim3 block{12, 12};", "Launcher go;"),
            "12(?,7)");
  EXPECT_EQ(launcher("dim3 block;", "Launcher go; go.block = n;"), "?(?,7)");
  EXPECT_EQ(launcher("dim3 block; explicit Launcher(int t) : block(t) {}",
                     "Launcher go(n);"),
            "?(?,7)");
}

TEST(ShapeEvaluator, TheCallsObjectDecides) {
  const std::string object = R"(
struct Launcher {
  dim3 block;
  template <class K, class... A>
  void operator()(K kernel, int grid, A... a) { kernel<<<grid, block>>>(a...); }
};
)";
  EXPECT_EQ(distinct(object + "void all(float *p) { Launcher go{dim3(12, 12)}, "
                              "wide{64}; go(k, 4, p, 7); wide(k, 4, p, 8); }"),
            "12(?,7) 64(?,8)");
  EXPECT_EQ(distinct(object + "static Launcher go{96};\n"
                              "void all(float *p) { go(k, 4, p, 7); }"),
            "96(?,7)");
  EXPECT_EQ(distinct(object + "static Launcher go{96};\n"
                              "void set(int t) { go.block.x = t; }\n"
                              "void all(float *p) { go(k, 4, p, 7); }"),
            "?(?,7)");
  EXPECT_EQ(distinct(object + "struct Solver { Launcher go_{48}; float *p_; "
                              "void step(int n) { go_(k, 4, p_, n); } };\n"
                              "void all(float *p) { Solver s; "
                              "for (int i = 0; i < 9; ++i) s.step(7); }"),
            "48(?,7)");
  EXPECT_EQ(distinct(object + "void on(Launcher *go, float *p) { "
                              "(*go)(k, 4, p, 7); }\n"
                              "void all(float *p) { Launcher go{32}; "
                              "on(&go, p); }"),
            "32(?,7)");
}

TEST(ShapeEvaluator, MembersOfABaseAreFound) {
  const std::string base = R"(
struct Settings { dim3 block; int grid = 4; };
)";
  EXPECT_EQ(distinct(base + "struct Go : Settings { void run(float *p) { "
                            "k<<<grid, block>>>(p, 7); } };\n"
                            "void all(float *p) { Go go{{dim3(12, 12)}}; "
                            "go.run(p); }"),
            "12(?,7)");
  EXPECT_EQ(distinct("struct Base { dim3 block; Base(int t) : block(t) {} "
                     "void run(float *p) { k<<<4, block>>>(p, 7); } };\n"
                     "struct Go : Base { Go(int t) : Base(2 * t) {} };\n"
                     "void all(float *p) { Go go(6); go.run(p); }"),
            "12(?,7)");
}

} // namespace warplint
