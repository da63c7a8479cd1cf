// What conditions around a launch say of what it passes.
#include "launched.h"

namespace warplint {

// A size that the host code keeps small is not assumed large: `if (d <= 2)`.
TEST(ValueBounds, ConditionsAroundALaunchBoundWhatItPasses) {
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

// CTranslate2's median filter throws unless its width is odd: "width = 2" was
// told of a launch that the host refuses.
TEST(ValueBounds, AnEndThatTheHostRefusesIsNotPassed) {
  EXPECT_EQ(given("void run(float *p, int d) { if (d <= 1) return; "
                  "if ((d & 1) == 0) throw 1; if (d > 130) throw 2; "
                  "k<<<1, 64>>>(p, d); }"),
            "64(?,129) 64(?,3)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d > 2 && d < 19 && "
                  "d % 4 == 0) k<<<1, 64>>>(p, d); }"),
            "64(?,16) 64(?,4)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d % 2 || d > 9) return; "
                  "k<<<1, 64>>>(p, d); }"),
            "64(?,8) 64(?,2)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d > 100 || d < 3 || "
                  "(d & (d - 1)) != 0) return; k<<<1, 64>>>(p, d); }"),
            "64(?,64) 64(?,4)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d > 4 && d < 8 && "
                  "d % 4 == 0) k<<<1, 64>>>(p, d); }"),
            "64(?,?)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d > 9 || d == 1 || "
                  "d % 3 == 0) return; k<<<1, 64>>>(p, d); }"),
            "64(?,8) 64(?,2)");
  EXPECT_EQ(given("void run(float *p, int d) { if (d > 9 || d % 2 != 0 || "
                  "d % 3 != 2) return; k<<<1, 64>>>(p, d); }"),
            "64(?,8) 64(?,2)");
}

// What rests on an end is marked: the host may pass what is between.
TEST(ValueBounds, AnEndIsMarkedAsOne) {
  auto ends = [](llvm::StringRef body) {
    const SourceModel model = readText(
        ("struct Size { int w, h; };\n"
         "__global__ void k(float *p, int a, int b, Size s) { p[a] = b; }\n"
         "void run(float *p, int n) {\n" +
         body + "\n}\n")
            .str());
    return model.outline.launches.at(0).ends;
  };
  using Ends = std::vector<uint64_t>;
  EXPECT_EQ(ends("if (n <= 9) k<<<1, 64>>>(p, 3, n * n, {1, 2});"), Ends{2});
  EXPECT_EQ(ends("if (n <= 9) k<<<1, 64>>>(p, n, n, {1, 2});"), (Ends{1, 2}));
  EXPECT_EQ(ends("if (n == 9) k<<<1, 64>>>(p, n, 4, {1, 2});"), Ends());
  EXPECT_EQ(ends("if (n <= 9) k<<<1, 64>>>(p, 3, 4, {n, 2});"), (Ends{4, 5}));
}

// "Blocks of 1 thread" would be a false alarm of a bound of 128. The bound is
// no fact: a branch for blocks of 64 threads was silent.
TEST(ValueBounds, ABlockThatIsBoundedFromAboveIsTheLargestOrAnyOther) {
  EXPECT_EQ(given("void run(float *p, int t) { if (t <= 128) "
                  "k<<<1, t>>>(p, 3); }"),
            "128(?,3) ?(?,3)");
  EXPECT_EQ(given("void run(float *p, int t) { if (t <= 128 && t >= 32) "
                  "k<<<1, t>>>(p, 3); }"),
            "128(?,3) 32(?,3) ?(?,3)");
}

// Powers of two: there is no block of 31 threads.
TEST(ValueBounds, ABlockThatIsAMinimumIsTheBoundOrAnyOther) {
  for (const char *least : {"t < 32 ? t : 32", "t <= 32 ? t : 32",
                            "32 > t ? t : 32", "min(t, 32)", "min(32, t)"})
    EXPECT_EQ(
        given("int min(int, int); "
              "void run(float *p, int e) { const int t = 1 << e; const int "
              "w = " +
              std::string(least) + "; k<<<1, w>>>(p, 3); }"),
        "32(?,3) ?(?,3)")
        << least;
  // The greater of the two, and two values of a condition.
  EXPECT_EQ(given("void run(float *p, int t) { "
                  "k<<<1, t > 32 ? 64 : 32>>>(p, 3); }"),
            "32(?,3) 64(?,3)");
}

// ByteTransformer's `if (block.x < 32) block.x = 32;` was told as a launch of
// 32 threads, though its hidden sizes are 768 and more.
TEST(ValueBounds, TheLeastSizeThatTheHostAllowsIsNotTheSizeOfALaunch) {
  for (const char *raise : {"if (t < 32) t = 32;", "if (32 > t) { t = 32; }",
                            "if (t <= 32) t = 32;"})
    EXPECT_EQ(given("void run(float *p, int t) { " + std::string(raise) +
                    " k<<<1, t>>>(p, t); }"),
              "?(?,?)")
        << raise;
  EXPECT_EQ(given("struct Size { unsigned x, y; }; "
                  "void run(float *p, int t) { Size s = {(unsigned)t, 1}; "
                  "if (s.x < 32) s.x = 32; k<<<1, s.x>>>(p, 3); }"),
            "?(?,3)");
  EXPECT_EQ(given("void run(float *p) { int t = 8; if (t < 32) t = 32; "
                  "k<<<1, t>>>(p, 3); }"),
            "32(?,3)")
      << "a known size";
  EXPECT_EQ(given("void run(float *p, int t) { if (t > 32) t = 32; "
                  "k<<<1, t>>>(p, 3); }"),
            "?(?,3) 32(?,3)")
      << "the greatest size is that of all larger ones";
}

// "48 blocks" would be a false alarm where a condition says that the rest of
// the grid fills the GPU.
TEST(ValueBounds, AGridIsNotWhatAConditionAboutItSays) {
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

TEST(ValueBounds, ConditionsThatDoNotHoldAtTheLaunchBoundNothing) {
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

} // namespace warplint
