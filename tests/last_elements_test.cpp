// What is done for the last elements of a size costs next to nothing, however
// large the size is.
#include "cost/frequency.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The most that a warp executes a store of the kernel k(out, n), and how often
/// the warps of a block do on average.
Frequency storesOf(const std::string &body, const std::string &size = "int") {
  const SourceModel model = readText(
      "__global__ void k(int *out, " + size + " n) {\n" + body +
      "}\nvoid run(int *out, int n) { k<<<n, 256>>>(out, n); }\n");
  EXPECT_EQ(model.kernels.size(), 1u);
  for (const Kernel &kernel : model.kernels)
    for (const Access &access : kernel.accesses)
      if (access.operation == Operation::Store)
        return Frequencies(kernel, kernel.shapes[0])
            .of(access.loops, access.guard);
  return {};
}

const std::string row = "  int *line = out + blockIdx.x * n;\n"
                        "  int at = threadIdx.x * 8;\n";

} // namespace

// A block that steps through a row by vectors has one thread that handles the
// elements behind the last vector, once.
TEST(LastElements, OfARowAreOfOneWarpOfEachBlock) {
  for (const char *rest :
       {"    int left = n - at;\n"
        "    if (left >= 8) sum += line[at];\n"
        "    else for (int j = 0; j < left; ++j) line[at + j] = sum;\n",
        "    if (at + 8 <= n) sum += line[at];\n"
        "    else for (int j = at; j < n; ++j) line[j] = sum;\n"}) {
    const Frequency found = storesOf(
        row + "  int sum = 0;\n  for (; at < n; at += 2048) {\n" + rest +
        "  }\n");
    EXPECT_LE(found.longest, 8) << rest;
    EXPECT_LE(found.perWarp, 1) << rest;
    EXPECT_GT(found.perWarp, 0) << rest;
  }
}

// TransformerEngine stores the last elements one by one, and for others as well
// where the address is odd: a function with two ways to its store.
TEST(LastElements, SeveralWaysLeadToThem) {
  const std::string begin = row + "  for (; at < n; at += 2048) {\n"
                                  "    int left = n - at;\n";
  const std::string stores =
      "      for (int j = 0; j < 8; ++j)\n"
      "        if (j < left) line[at + j] = at;\n"
      "  }\n";
  const Frequency found =
      storesOf(begin + "    if (at + 8 > n)\n"
                       "      if (left < 4 || (size_t)line % 32)\n" +
               stores);
  EXPECT_LE(found.longest, 8);
  EXPECT_GT(found.perWarp, 0);
  EXPECT_LE(found.perWarp, 1);
  // One of the ways is for all elements.
  EXPECT_GT(
      storesOf(begin + "    if (at + 8 > n || (size_t)line % 32)\n" + stores)
          .perWarp,
      1);
}

// The number of elements that are left, cut to a thread's share, is below that
// share at the end of a row alone. A share that a tile limits says nothing.
TEST(LastElements, AreLeftOfAThreadsShare) {
  const std::string begin =
      "  int *line = out + blockIdx.x * n;\n"
      "  for (int i = threadIdx.x * 8; i < n; i += 2048) {\n";
  const std::string stores = "      for (int j = 0; j < left; ++j)\n"
                             "        line[i + j] = i;\n"
                             "  }\n";
  for (const char *left :
       {"min(8, min(i + 7, n - 1) - i + 1)", "i + 8 <= n ? 8 : n - i",
        "min(8, i < n ? n - i : 0)"}) {
    const Frequency found = storesOf(begin + "    int left = " + left +
                                     ";\n    if (left < 8)\n" + stores);
    EXPECT_LE(found.longest, 8) << left;
    EXPECT_LE(found.perWarp, 1) << left;
    EXPECT_GT(found.perWarp, 0) << left;
  }
  EXPECT_GT(storesOf(begin +
                     "    int left = min(n - i, 16 - int(threadIdx.x % "
                     "16));\n    if (left < 8)\n" +
                     stores)
                .perWarp,
            1);
}

// One block waits for them, and not each that an SM executes in its turn.
TEST(LastElements, OfTheGridKeepOneBlockWaiting) {
  const Frequency found =
      storesOf("  size_t at = (blockIdx.x * (size_t)256 + threadIdx.x) * 8;\n"
               "  if (n - at < 8)\n"
               "    for (size_t j = at; j < n; ++j) out[j] = 1;\n",
               "size_t");
  EXPECT_LE(found.longest, 8);
  EXPECT_LE(found.blocks, 0.01);
  EXPECT_LE(found.perWarp, 0.01);
}

// Each round of the loop around it has last elements of its own.
TEST(LastElements, AreHandledAgainInEachRoundAroundThem) {
  const Frequency found = storesOf(row + R"(
#pragma unroll 1
  for (int round = 0; round < 10; ++round)
    for (int i = at; i < n; i += 2048)
      if (n - i < 8)
        for (int j = i; j < n; ++j) line[j] = round;
)");
  EXPECT_LE(found.longest, 80);
  EXPECT_GE(found.longest, 10);
}

// causal-conv1d adds states to the last element of a sequence alone, where its
// filter has two taps: a share of 78 % for what one thread of a row does.
TEST(LastElements, MayBeTheLastOneAlone) {
  for (const char *condition :
       {"at >= n - 1 && at < n", "at + 1 >= n && at < n", "!(at < n - 1)"}) {
    const Frequency found =
        storesOf("  int at = blockIdx.x * 256 + threadIdx.x;\n  if (" +
                 std::string(condition) + ") out[at] = 1;\n");
    EXPECT_LE(found.blocks, 0.01) << condition;
    EXPECT_LE(found.perWarp, 0.01) << condition;
  }
}

TEST(LastElements, AreNotThoseOfAnyOtherComparison) {
  EXPECT_EQ(storesOf(row + "  if (at < n) line[at] = 1;\n").longest, 1);
  const Frequency found = storesOf(
      row + "  for (; at < n; at += 2048) if (at >= 8) line[at] = 1;\n");
  EXPECT_GT(found.perWarp, 1);
}

// The guards of a long chain of 'else if' have all conditions before them in
// common: to look at them again for each access takes the square of their
// number.
TEST(LastElements, EachConditionIsLookedAtOnce) {
  auto looksOf = [](unsigned branches) {
    std::string body = "  int at = out[threadIdx.x];\n";
    for (unsigned i = 0; i < branches; ++i)
      body += std::string(i ? "  else " : "  ") + "if (at < " +
              std::to_string(3 * i) + " && n > " + std::to_string(i) +
              ") out[at * " + std::to_string(i + 1) + "] = 1;\n";
    const SourceModel model =
        readText("__global__ void k(int *out, int n) {\n" + body + "}\n");
    const Kernel &kernel = model.kernels.at(0);
    FindLastElements find(kernel);
    for (const Access &access : kernel.accesses)
      find(access.loops, access.guard);
    return find.looks();
  };
  const size_t few = looksOf(20), many = looksOf(80);
  EXPECT_GT(few, 20u);
  EXPECT_LE(many, 5 * few); // the square: 16
}
