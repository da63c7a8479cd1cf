// Which cache serves a gather: a table of 1 KB is not loaded from DRAM.
#include "cost/gather.h"
#include "cost/loaded_index.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

struct GatherOf : testing::Test {
  /// Returns what the only load with an unknown address reaches.
  GatherReach reach(const std::string &source) {
    model = readText(source);
    for (const ParseError &error : model.outline.errors)
      ADD_FAILURE() << "line " << error.line << ": " << error.text;
    const Kernel &kernel = model.kernels.at(0);
    const KernelShape &shape = kernel.shapes.at(0);
    LoadedIndexes indexes(kernel, shape.shape, shape.launches);
    Frequencies frequencies(kernel, shape);
    const std::vector<Cost> all = costs(kernel, shape);
    for (unsigned i = 0; i < all.size(); ++i)
      if (all[i].basis == Basis::Unknown && all[i].cause)
        return gatherReach(kernel, shape, kernel.accesses[i], indexes,
                           frequencies);
    ADD_FAILURE() << "no gather";
    return {};
  }
  /// What `ask` says of the address of the access to 'x'.
  bool
  ofX(const std::string &source,
      llvm::function_ref<bool(const ExpressionGraph &, ValueId, Warp &)> ask) {
    model = readText(source);
    const Kernel &kernel = model.kernels.at(0);
    const KernelShape &shape = kernel.shapes.at(0);
    Evaluation evaluation(kernel, shape.launches);
    Warp warp(evaluation, shape.shape, 0, 0, 0);
    for (const Access &access : kernel.accesses)
      if (access.object == "x")
        return ask(kernel.graph, access.address, warp);
    ADD_FAILURE() << source;
    return false;
  }
  SourceModel model;
};

const std::string head = "__global__ void k(float *out, const float *x, "
                         "const INDEX *index, int n) {\n"
                         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
std::string with(const std::string &index, const std::string &body) {
  return "#define INDEX " + index + "\n" + head + body + "\n}\n";
}

} // namespace

TEST_F(GatherOf, AnIndexOfFewBitsReachesLittle) {
  EXPECT_EQ(reach(with("unsigned char", "out[i] = x[index[i]];")).bytes, 1024);
  EXPECT_EQ(reach(with("int", "out[i] = x[index[i] & 4095];")).bytes, 16384);
  EXPECT_FALSE(reach(with("unsigned char", "out[i] = x[index[i]];")).isOfBlock);
  EXPECT_TRUE(
      reach(with("unsigned char", "out[i] = x[blockIdx.x * 256 + index[i]];"))
          .isOfBlock);
}

// Nothing says how long 'x' is.
TEST_F(GatherOf, AnyIndexReachesAnything) {
  EXPECT_EQ(reach(with("int", "out[i] = x[index[i]];")).bytes, std::nullopt);
  EXPECT_EQ(
      reach(with("unsigned char", "out[i] = x[i * 256 + index[i]];")).bytes,
      std::nullopt)
      << "a table for each thread";
  EXPECT_EQ(reach(with("unsigned char", "float s = 0; for (int j = 0; j < n; "
                                        "++j) s += x[j * 256 + index[i]];"
                                        "out[i] = s;"))
                .bytes,
            std::nullopt)
      << "a table for each iteration";
}

// A hash table whose size the launch gives.
TEST_F(GatherOf, ADivisorThatTheLaunchGivesLimitsIt) {
  const std::string probe =
      with("unsigned",
           "float s = 0; for (unsigned p = 0; p < 32; ++p) "
           "s += x[(index[i] * 31u + p * p) % unsigned(n)]; out[i] = s;");
  const std::string launch = "void run(float *out, const float *x, const "
                             "unsigned *index, int size) { k<<<1000, 256>>>("
                             "out, x, index, ";
  EXPECT_LE(reach(probe + launch + "4096); }").bytes, 4096 * 4 + 4);
  // A ring buffer.
  const std::string ring =
      with("unsigned", "float s = 0; for (int t = 0; t < 64; ++t) "
                       "s += x[(int(index[i]) + t * 7) % n]; out[i] = s;");
  EXPECT_LE(reach(ring + launch + "4096); }").bytes, 4096 * 4 * 2);
  EXPECT_EQ(reach(probe + launch + "size); }").bytes, std::nullopt);
  EXPECT_EQ(reach(probe).bytes, std::nullopt);
}

// Neighbours of a particle are particles.
TEST_F(GatherOf, WhatEachThreadHasAnElementOfIsAsLongAsTheGrid) {
  const std::string launch = "void run(float *out, const float *x, const int "
                             "*index) { k<<<1000, 256>>>(out, x, "
                             "index, 256000); }";
  EXPECT_EQ(reach(with("int", "out[i] = x[index[i]] - x[i];") + launch).bytes,
            1000 * 256 * 4);
  EXPECT_EQ(
      reach(with("int", "out[i] = x[3 * index[i]] - x[3 * i + 1];") + launch)
          .bytes,
      1000 * 256 * 12);
  const char *others[] = {
      "out[i] = x[index[i]] - x[threadIdx.x];", "out[i] = x[index[i]] - x[0];",
      "out[i] = x[index[i]] - x[blockIdx.x];",
      ("float s = 0; for (int j = i; j < n; j += 4096) s += x[j]; "
       "out[i] = x[index[i]] - s;")};
  for (const char *other : others)
    EXPECT_EQ(reach(with("int", other) + launch).bytes, std::nullopt) << other;
  EXPECT_EQ(reach(with("int", "out[i] = x[index[i]] - x[i];")).bytes,
            std::nullopt)
      << "no launch";
}

// As a table of a checksum has them.
TEST_F(GatherOf, AMaskLimitsWhatTheIterationBeforeLeft) {
  EXPECT_EQ(reach(with("unsigned char",
                       "unsigned sum = ~0u; for (int j = 0; j < n; ++j) "
                       "sum = (sum >> 8) ^ unsigned(x[(sum ^ index[j * 64 + i])"
                       " & 255]); out[i] = sum;"))
                .bytes,
            1024);
}

TEST_F(GatherOf, AVariableReachesItsBytes) {
  EXPECT_EQ(reach("__device__ float table[2048];\n" +
                  with("int", "out[i] = table[index[i]];"))
                .bytes,
            8192);
}

// A sort of a block's tile loads the same elements in each step.
TEST_F(GatherOf, IndexesInSharedMemoryAreAsManyAsItHolds) {
  const std::string sort = "  __shared__ int order[256]; int t = threadIdx.x;\n"
                           "  order[t] = FIRST; __syncthreads();\n"
                           "  for (int k = 1; k < 64; k += 1) {\n"
                           "    float a = x[blockIdx.x * n + order[t]];\n"
                           "    if (a > k) order[t] = MORE; __syncthreads();\n"
                           "    out[i] = a;\n"
                           "  }";
  auto filled = [&](const std::string &first, const std::string &more) {
    return reach("#define FIRST " + first + "\n#define MORE " + more + "\n" +
                 with("int", sort));
  };
  const GatherReach computed = filled("t", "order[255 - t]");
  EXPECT_EQ(computed.bytes, 1024);
  EXPECT_TRUE(computed.isOfBlock);
  EXPECT_EQ(computed.requests, 63);
  const GatherReach loaded = filled("index[i]", "order[255 - t]");
  EXPECT_EQ(loaded.bytes, 256 * 32) << "each may have a sector of its own";
  EXPECT_EQ(loaded.requests, 63);
  const GatherReach again = filled("t", "index[i + k]");
  EXPECT_EQ(again.requests, 1) << "new indexes in each iteration";
}

// A back projection reads neighbours in neighbouring lanes, whatever the angle
// is: 32 sectors for each request took 19 times what it takes on an H100.
TEST_F(GatherOf, ASampleIsNearItsNeighbours) {
  auto isSample = [&](const std::string &position) {
    return ofX("__global__ void k(float *out, const float *x,\n"
               "                  const float2 *angle, const float *own) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  out[i] = x[int(" +
                   position + ")];\n}\n",
               isOfSample);
  };
  EXPECT_TRUE(isSample("i * 0.7f"));
  EXPECT_TRUE(isSample("i * angle[blockIdx.y].x + angle[blockIdx.y].y"));
  EXPECT_FALSE(isSample("i * own[i]"));
  // An image that a flow moves: 8.8 times the sectors that an H200 counts.
  EXPECT_TRUE(isSample("floorf((i + 0.5f) * 0.7f + own[i] * out[0])"));
  EXPECT_FALSE(isSample("own[i]")) << "a particle may be anywhere";
  EXPECT_FALSE(isSample("i * own[i] + own[i + 1]"));
}

// Sparse rows, one for each thread: L1 serves what follows the first element.
TEST_F(GatherOf, RowsLieOneAfterTheOther) {
  auto isRow = [&](const std::string &end) {
    return ofX("__global__ void k(float *out, const float *x,\n"
               "                  const int *begin, const int *index) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  float sum = 0;\n"
               "  for (int k = begin[i]; k < " +
                   end + "; ++k)\n    sum += x[k];\n  out[i] = sum;\n}\n",
               [&](const ExpressionGraph &graph, ValueId address, Warp &warp) {
                 return isOfRow(graph, address,
                                rowBegins(model.kernels.at(0), warp), warp);
               });
  };
  EXPECT_TRUE(isRow("begin[i + 1]"));
  EXPECT_FALSE(isRow("index[i]"));
}

// Keys of 64 bytes, one for each thread, of which data say the length: the last
// word is in the sectors that the loop before it has loaded, and keys that were
// transposed took 0.92 times as long, not 0.55 (H200).
TEST_F(GatherOf, WhatFollowsALoopIsInTheRowThatItWalked) {
  auto steps = [&](const std::string &begin, const std::string &body) {
    model = readText("__global__ void k(float *out, const float *x,\n"
                     "                  const int *index) {\n"
                     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                     "  int left = index[i];\n"
                     "  float sum = 0;\n"
                     "  const float *p = x + " +
                     begin +
                     ";\n"
                     "  while (left > 2) {\n" +
                     body +
                     "    p += 2; left -= 2;\n"
                     "  }\n"
                     "  out[i] = sum + *p;\n"
                     "}\n");
    std::vector<double> found;
    for (const Access &access : model.kernels.at(0).accesses)
      if (const auto step = stepOfWalkedRow(model.kernels.at(0), access))
        found.push_back(*step);
    return found;
  };
  EXPECT_EQ(steps("i * 16", "sum += *p;"), std::vector{8.0});
  EXPECT_TRUE(steps("i * 16", "").empty()) << "nothing has loaded the row";
  EXPECT_TRUE(steps("index[i + 1]", "sum += *p;").empty())
      << "data say where it begins";
}

TEST(GatherCost, CachesServeWhatFits) {
  CacheUsers users;
  users.requests = 10;
  users.warpsPerBlock = 8;
  users.residentWarps = 48;
  users.warpsPerSm = 256;
  users.multiprocessors = 132;
  const GatherCost anything = gatherCost({}, users);
  EXPECT_EQ(anything.inL2, 1);
  EXPECT_EQ(anything.inDram, 1);
  EXPECT_NEAR(anything.wavefronts, 32 / 3.0, 0.1);
  const GatherCost table = gatherCost({1024.0}, users);
  EXPECT_LT(table.inL2, 0.01);
  EXPECT_LT(table.wavefronts, 3);
  const GatherCost inL2 = gatherCost({4e6}, users);
  EXPECT_EQ(inL2.inL2, 1) << "more than L1 holds";
  EXPECT_LT(inL2.inDram, 0.02);
  EXPECT_EQ(gatherCost({1e9}, users).inDram, 1);
  // Each block has its own: L1 holds those of the resident blocks.
  EXPECT_NEAR(gatherCost({8192.0, true, 64}, users).inL2, 256 / (32.0 * 64 * 8),
              1e-6);
  EXPECT_EQ(gatherCost({65536.0, true, 64}, users).inL2, 1);
}

} // namespace warplint
