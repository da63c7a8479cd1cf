// Values of 8 and 16 bits that loops extend.
#include "cost/narrow_values.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// The extensions of all narrow values of a kernel with this loop's body, which
/// changes 'v'.
unsigned extensionsOf(llvm::StringRef type, llvm::StringRef body) {
  const std::string source =
      ("__global__ void k(" + type + " *p, int n, " + type + " step) {\n  " +
       type + " v = p[threadIdx.x];\n  for (int k = 0; k < n; ++k) {\n" + body +
       "\n  }\n  p[threadIdx.x] = v;\n}\n")
          .str();
  SourceModel model = readText(source);
  EXPECT_EQ(model.kernels.size(), 1u) << source;
  unsigned extensions = 0;
  for (const Kernel &kernel : model.kernels)
    for (const NarrowValue &value : narrowValues(kernel))
      extensions += value.extensions.size();
  return extensions;
}

// LLVM writes '>>' of what is not negative as a logical shift.
TEST(NarrowValues, AShiftToTheRightNeedsTheUpperBits) {
  EXPECT_EQ(extensionsOf("unsigned char", "v = v >> 1;"), 1u);
  EXPECT_EQ(extensionsOf("short", "v = v >> 1;"), 1u);
  EXPECT_EQ(extensionsOf("unsigned char", "v = v << 1;"), 0u);
}

TEST(NarrowValues, SumsPassTheNeedOn) {
  EXPECT_EQ(extensionsOf("short", "v = (v + step) >> 1;"), 1u);
  EXPECT_EQ(extensionsOf("unsigned short", "v = (v * 40503u) >> 7;"), 1u);
  EXPECT_EQ(extensionsOf("short", "v = v * 5 + step;"), 0u);
}

// A signed counter must not wrap, so the compiler widens it; what is multiplied
// may wrap.
TEST(NarrowValues, OnlyACounterIsWidened) {
  EXPECT_EQ(extensionsOf("short", "v += step; if (v > 100) break;"), 0u);
  EXPECT_GT(extensionsOf("short", "v = v * 5 + 1; if (v < 0) v = -v;"), 0u);
}

// As an int, what may wrap has to be cut off; a counter is an int as it is.
TEST(NarrowValues, OnlyACounterNeverWraps) {
  const auto counters = [](const std::string &loop) {
    const SourceModel model =
        readText("__global__ void k(unsigned char *p, unsigned char n) {\n"
                 "  unsigned char v = p[threadIdx.x];\n  float sum = 0;\n  " +
                 loop + "\n  p[threadIdx.x] = v + sum;\n}\n");
    std::string text;
    for (const Kernel &kernel : model.kernels)
      for (const NarrowValue &value : narrowValues(kernel))
        text += value.isCounter ? "counter " : "value ";
    return text;
  };
  EXPECT_EQ(counters("for (unsigned char k = 0; k < n; ++k) sum += k;"),
            "counter ");
  EXPECT_EQ(counters("for (int k = 0; k < n; ++k) v = v << 5 | v >> 3;"),
            "value ");
}

// 'd' lives for one iteration, but has to be cut off all the same; what fits
// is not.
TEST(NarrowValues, ATemporaryIsExtendedWhereItMayNotFit) {
  EXPECT_EQ(extensionsOf("short",
                         "short d = p[k] - step; if (d < 0) d = -d; n -= d;"),
            1u);
  EXPECT_EQ(
      extensionsOf("unsigned char",
                   "unsigned char d = (p[k] + step) >> 1; if (d > 7) n--;"),
      0u);
  EXPECT_EQ(extensionsOf("unsigned char",
                         "unsigned char d = p[k] % 6 + 1; if (d > 4) n--;"),
            0u);
  EXPECT_EQ(extensionsOf("unsigned char",
                         "unsigned char d = p[k] * step; if (d > 4) n--;"),
            1u);
}

// The extensions of the inner loop are executed more often than those around
// it.
TEST(NarrowValues, AnExtensionIsAnOperationOfItsLoop) {
  const SourceModel model =
      readText("__global__ void k(unsigned *p, int n) {\n"
               "  unsigned short s = p[threadIdx.x];\n  unsigned sum = 0;\n"
               "  for (int k = 0; k < n; ++k)\n"
               "    for (int j = 0; j < 64; ++j) {\n"
               "      s = s * 5 + 1;\n      sum += s >> 3;\n    }\n"
               "  p[threadIdx.x] = sum;\n}\n");
  const Kernel &kernel = model.kernels.at(0);
  size_t inBoth = 0;
  for (const NarrowValue &value : narrowValues(kernel))
    for (unsigned extension : value.extensions)
      inBoth += kernel.loopsOf(kernel.operations[extension]).size() == 2;
  EXPECT_GE(inBoth, 1u);
}

TEST(NarrowValues, AMaskNeedsNoExtension) {
  EXPECT_EQ(extensionsOf("unsigned char", "v = (v & 15) * 3 + (v ^ step);"),
            0u);
}

} // namespace

} // namespace warplint
