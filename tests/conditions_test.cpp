// Bounds in memory are data, and those in arguments are sizes.
#include "cost/conditions.h"
#include "frequency_of.h"
#include "model_builder.h"

using namespace warplint;

using ConditionsOf = FrequencyOf;

// 'break' on data ends a long loop early, and a short one hardly.
TEST_F(ConditionsOf, DataMayEndALoopBeforeItsCounterDoes) {
  const std::string loop = "  for (int j = 0; j < n; ++j) {\n"
                           "    if (out[j] == 7)\n"
                           "      break;\n"
                           "    out[threadIdx.x + j * 256] = j;\n"
                           "  }\n"
                           "}\n";
  const auto found =
      stores("__global__ void k(int *out, int n) {\n" + loop + launched);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].perWarp, TripCounts::dataLength);
  const auto few = stores("__global__ void k(int *out, int n) {\n" + loop +
                          "int main() { k<<<64, 256>>>(0, 9); }\n");
  ASSERT_EQ(few.size(), 1u);
  EXPECT_DOUBLE_EQ(few[0].perWarp, 9);
}

TEST_F(ConditionsOf, ASearchGoesOnUntilDataEndIt) {
  const auto found = stores("__global__ void k(int *out, int n) {\n"
                            "  __shared__ int found;\n"
                            "  found = 0;\n"
                            "  __syncthreads();\n"
                            "  while (!found) {\n"
                            "    out[threadIdx.x] += 1;\n"
                            "    __syncthreads();\n"
                            "    if (out[threadIdx.x] == n) found = 1;\n"
                            "    __syncthreads();\n"
                            "  }\n"
                            "}\n" +
                            launched);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_DOUBLE_EQ(found[1].perWarp, TripCounts::dataLength);
}

TEST_F(ConditionsOf, AMemberOfAnArgumentIsNoData) {
  auto trips = [&](const std::string &size) {
    const auto found =
        stores("struct Span { int *p; int n; };\n"
               "__global__ void k(Span s, int n, int *out) {\n"
               "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < " +
               size +
               "; i += gridDim.x * blockDim.x)\n"
               "    out[i] = s.p[i];\n"
               "}\n"
               "void f(int *p, int n) { k<<<256, 256>>>({p, n}, n, p); }\n");
    return found.size() == 1 ? found[0].perWarp : 0;
  };
  EXPECT_GT(trips("n"), TripCounts::gridTrips);
  EXPECT_EQ(trips("s.n"), trips("n"));
  EXPECT_LT(trips("s.p[0]"), trips("n"));
}

// A variable that is false but on one path holds where that path's does.
TEST(Conditions, AreThoseOfTheOnlyPathThatMayHold) {
  ModelBuilder kernel;
  ExpressionGraph &graph = kernel.graph;
  const ValueId a = kernel.flag("a"), b = kernel.flag("b");
  auto joined = [&](ValueId otherwise) {
    std::vector<ValueId> conditions;
    addConditions(graph,
                  graph.make(Op::Join, 1, {graph.negated(a), otherwise, a, b}),
                  conditions);
    return conditions;
  };
  EXPECT_EQ(joined(graph.never()), (std::vector{a, b}));
  EXPECT_EQ(joined(kernel.flag("c")).size(), 1u);
}
