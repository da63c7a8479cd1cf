// How often the machine executes the instructions of loops.
#include "ir/executions.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// Instructions of one thread, in all iterations of loops whose number is
/// known; other loops have `trips`.
double instructions(const std::string &body, double trips = 1) {
  const SourceModel model = readText(
      "__constant__ float weights[32];\n"
      "__global__ void k(float *out, const float *a, int n, float f) {\n"
      "  __shared__ float s[1024];\n" +
      body + "\n}\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  const Kernel &kernel = model.kernels.at(0);
  double sum = 0;
  for (const Arithmetic &work : kernel.arithmetic) {
    double times = 1;
    for (LoopId loop : work.loops)
      times *= double(kernel.loops[loop].tripCount.value_or(trips));
    sum += work.instructions * times;
  }
  return sum;
}

} // namespace

// A load and a multiply-add are left of each iteration (nvcc 13.0, sm_90):
// counted as the source says, a kernel with bank conflicts looked bound by its
// instructions.
TEST(Executions, AnUnrolledLoopHasNoIndexes) {
  const std::string loop = R"(
  float sum = 0;
  for (int j = -8; j <= 8; ++j)
    sum += weights[8 - j] * s[threadIdx.x + 16 + j];
  out[threadIdx.x] = sum;)";
  EXPECT_LT(instructions(loop), 17 * 2 + 10);
  EXPECT_GE(instructions(loop), 17 * 2);
}

// '4 / 4' is a constant as well.
TEST(Executions, AnIndexMadeOfAnUnrolledCounterCostsNothing) {
  auto loop = [](const std::string &index) {
    return "float sum = 0;\n"
           "for (int k = 0; k < 16; ++k)\n"
           "  sum += s[" +
           index + "] * a[" + index + "];\nout[threadIdx.x] = sum;";
  };
  EXPECT_EQ(instructions(loop("k / 4")), instructions(loop("k")));
}

// So is 512 / (2 * k) of a counter that doubles: with a division in each of its
// steps, a tree reduction looked bound by instructions.
TEST(Executions, ADoubledCounterOfAnUnrolledLoopIsKnown) {
  auto loop = [](const std::string &most) {
    return "for (int k = 1; k < 512; k *= 2) {\n"
           "  if (threadIdx.x < " +
           most +
           ") s[threadIdx.x] += s[threadIdx.x + k];\n"
           "  __syncthreads();\n}\nout[threadIdx.x] = s[0];";
  };
  EXPECT_EQ(instructions(loop("512 / (2 * k)")), instructions(loop("k")));
  EXPECT_GT(instructions(loop("n / (2 * k)")), instructions(loop("k")) + 9 * 5);
}

// A thread's tile of sums looked bound by the loads and stores of its array.
TEST(Executions, AnArrayInRegistersIsNotAccessed) {
  auto sums = [](const std::string &index) {
    return "float sum[4] = {};\n"
           "for (int k = 0; k < 16; ++k)\n"
           "  sum[" +
           index +
           "] += a[k];\n"
           "out[threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];";
  };
  // A load and a sum are left of each iteration.
  EXPECT_LT(instructions(sums("k % 4")), 16 * 2 + 12);
  EXPECT_GE(instructions(sums("k % 4")), 16 * 2);
  EXPECT_GT(instructions(sums("(k + n) & 3")),
            instructions(sums("k % 4")) + 16 * 2);
}

TEST(Executions, APragmaKeepsTheLoop) {
  const std::string loop = R"(
  for (int j = 0; j < 16; ++j)
    sum += s[threadIdx.x + j];
  out[threadIdx.x] = sum;)";
  EXPECT_GT(instructions("float sum = 0;\n#pragma unroll 1\n" + loop),
            instructions("float sum = 0;\n" + loop) + 16 * 2);
}

// Four copies of a body share the step of their pointer and the end.
TEST(Executions, CopiesShareTheirCounter) {
  const std::string loop = R"(
  for (int i = 0; i < n; ++i)
    sum += a[i];
  out[threadIdx.x] = sum;)";
  const double each = instructions("float sum = 0;" + loop, 2) -
                      instructions("float sum = 0;" + loop, 1);
  EXPECT_GE(each, 2);
  EXPECT_LT(each, 4);
  const std::string kept = "float sum = 0;\n#pragma unroll 1\n" + loop;
  EXPECT_GT(instructions(kept, 2) - instructions(kept, 1), each + 2);
}

TEST(Executions, WhatStaysTheSameIsComputedBeforeTheLoop) {
  auto each = [](const std::string &term) {
    const std::string loop = "float sum = 0; for (int i = 0; i < n; ++i)"
                             " sum += a[i] * " +
                             term + "; out[threadIdx.x] = sum;";
    return instructions(loop, 2) - instructions(loop, 1);
  };
  EXPECT_EQ(each("(f * f / 3.0f)"), each("f"));
  EXPECT_GT(each("(a[i] / f)"), each("f") + 5);
}

// A value that is more than an index is computed in each iteration.
TEST(Executions, WhatServesMoreThanAddressesCounts) {
  auto each = [](const std::string &term) {
    const std::string loop = "float sum = 0; for (int i = 0; i < n; ++i)"
                             " sum += " +
                             term + "; out[threadIdx.x] = sum;";
    return instructions(loop, 2) - instructions(loop, 1);
  };
  EXPECT_GT(each("a[i] + (i * n)"), each("a[i]") + 1);
  EXPECT_GT(each("a[i % 7 * n]"), each("a[i * n]") + 2);
}

// Nine values in order of size: nvcc leaves 52 minima and maxima of 30
// exchanges, and no loop. Counted with its loops, a median of an image looked
// bound by instructions, at three times what an H200 takes.
TEST(Executions, LoopsOverTheRestOfAnArrayAreUnrolled) {
  const std::string exchange = R"(
  float v[9];
  for (int i = 0; i < 9; ++i)
    v[i] = a[i * 1024 + threadIdx.x];
  for (int i = 0; i < 5; ++i)
    for (int j = i + 1; j < 9; ++j) {
      float least = fminf(v[i], v[j]);
      v[j] = fmaxf(v[i], v[j]);
      v[i] = least;
    }
  out[threadIdx.x] = v[4];)";
  EXPECT_LE(instructions(exchange, 6), 95);
  // The length of the loop around decides, and nobody knows it.
  const std::string open = R"(
  float v[9];
  for (int i = 0; i < 9; ++i)
    v[i] = a[i * 1024 + threadIdx.x];
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < 9; ++j) {
      float least = fminf(v[i], v[j]);
      v[j] = fmaxf(v[i], v[j]);
      v[i] = least;
    }
  out[threadIdx.x] = v[4];)";
  EXPECT_GT(instructions(open, 6), 200);
}

// nvcc 13.0 leaves both loops where the outer one has eight iterations or more
// (144 to 200 instructions), and where a pragma keeps it.
TEST(Executions, LongLoopsAroundTriangularOnesStay) {
  auto pairs = [](const std::string &pragma, int outer) {
    return instructions("  float sum = 0;\n" + pragma +
                            "  for (int i = 0; i < " + std::to_string(outer) +
                            "; ++i)\n"
                            "    for (int j = i + 1; j < 9; ++j)\n"
                            "      sum = sum * f + 1;\n"
                            "  out[threadIdx.x] = sum;\n",
                        5) /
           outer;
  };
  EXPECT_GT(pairs("", 8), 1.5 * pairs("", 7));
  EXPECT_GT(pairs("#pragma unroll 1\n", 7), 1.5 * pairs("", 7));
  // One that is asked for goes further.
  EXPECT_LT(pairs("#pragma unroll\n", 8), 1.1 * pairs("", 7));
}

// The columns of a window are clamped once for all of its rows.
TEST(Executions, WhatRowsShareIsComputedBeforeTheirLoop) {
  auto window = [](const std::string &column) {
    return "float sum = 0;\n"
           "for (int y = 0; y < 5; ++y)\n"
           "  for (int x = 0; x < 5; ++x)\n"
           "    sum += a[y * n + " +
           column + "];\nout[threadIdx.x] = sum;";
  };
  const double plain = instructions(window("x")),
               clamped = instructions(window("min(max(x + n, 0), 99)")),
               ofBoth = instructions(window("min(max(x + y * n, 0), 99)"));
  EXPECT_LE(clamped, plain + 5 * 3 + 25 * 2);
  EXPECT_GE(ofBoth, plain + 25 * 2);
}

// A median of nine bytes looked three times as long as it is.
TEST(Executions, AnArrayInRegistersIsNotAccessedOutsideOfLoops) {
  EXPECT_EQ(instructions("float v[2];\n"
                         "v[0] = a[0];\n"
                         "v[1] = a[1];\n"
                         "float t = fminf(v[0], v[1]);\n"
                         "v[1] = fmaxf(v[0], v[1]);\n"
                         "v[0] = t;\n"
                         "out[0] = v[0];\n"
                         "out[1] = v[1];"),
            6);
}

} // namespace warplint
