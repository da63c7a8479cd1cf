// The costs of whole kernels, as 'warplint cost' prints them.
#include "read_text.h"
#include "report/kernel_costs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

const char *source = R"(
__global__ void scale(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k)
    y[i + k * 1024] = x[i + k * 1024] * 0.1;
}
)";

std::vector<KernelCostRow> rowsOf(const std::string &text) {
  SourceModel model = readText(text);
  EXPECT_EQ(model.kernels.size(), 1u);
  return model.kernels.empty() ? std::vector<KernelCostRow>()
                               : kernelCostRows(model.kernels[0], 90);
}

std::vector<KernelCostRow> launched() {
  return rowsOf(std::string(source) +
                "void run(float *y, float *x) { scale<<<64, 128>>>(y, x, 8); "
                "}\n");
}

std::string table(const std::vector<KernelCostRow> &rows) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printKernelCostTable(rows, "", out);
  return text;
}

} // namespace

TEST(KernelCosts, ALaunchGivesItsWarpsAndATime) {
  const auto rows = launched();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].shape.shape.text(), "128x1x1");
  EXPECT_EQ(rows[0].warps, 256);
  ASSERT_TRUE(rows[0].microseconds);
  EXPECT_GT(*rows[0].microseconds, 0);
  EXPECT_TRUE(rows[0].assumed.empty()) << "the launch gives 'n'";
  EXPECT_THAT(table(rows), HasSubstr("scale, blocks of 128x1x1, "));
  EXPECT_THAT(table(rows), HasSubstr("sm_90: bound by "));
}

// A function of another source may take more than all that is counted: a time
// without it must not look like the kernel's.
TEST(KernelCosts, WhatIsNotCountedIsNamed) {
  const auto rows =
      rowsOf("__device__ double elsewhere(double x);\n"
             "__global__ void k(double *y) {\n"
             "  y[threadIdx.x] = elsewhere(y[threadIdx.x]);\n"
             "}\n"
             "void run(double *y) { k<<<64, 128>>>(y); }\n");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_THAT(table(rows), HasSubstr("  not counted: 'elsewhere'"));
  EXPECT_THAT(table(launched()), Not(HasSubstr("not counted")));
}

// A number that rests on a guess must not look like one that does not.
TEST(KernelCosts, WithoutALaunchTheGuessIsNamedAndThereIsNoTime) {
  const auto rows = rowsOf(source);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_FALSE(rows[0].warps);
  EXPECT_FALSE(rows[0].microseconds);
  EXPECT_THAT(table(rows), HasSubstr("; no launch gives its grid"));
  EXPECT_THAT(table(rows), HasSubstr("taken to be large: n"));
  EXPECT_THAT(table(launched()), Not(HasSubstr("taken to be large")));
}

// One product in double, and two conversions, in each of eight iterations.
TEST(KernelCosts, ARowHasWhatAWarpExecutes) {
  const auto rows = launched();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].demand.doubles, 8);
  EXPECT_EQ(rows[0].demand.special, 16);
  EXPECT_GT(rows[0].demand.instructions, 8 * 3);
}

TEST(KernelCosts, CsvHasAsManyFieldsAsItsHead) {
  auto rows = launched();
  ASSERT_EQ(rows.size(), 1u);
  rows[0].kernel = "k<float, 4>";
  rows[0].microseconds.reset();
  rows[0].warps.reset();
  rows[0].assumed = {"n", "m"};
  std::string text;
  llvm::raw_string_ostream out(text);
  printKernelCostCsv(rows, "", out);
  const auto [head, row] = llvm::StringRef(text).rtrim().split('\n');
  EXPECT_THAT(row.str(), HasSubstr(",\"k<float, 4>\",128x1x1,sm_90,,"));
  EXPECT_TRUE(row.ends_with(",\"n, m\",")) << "and nothing is not counted";
  // The two quoted fields have one comma each.
  EXPECT_EQ(row.count(','), head.count(',') + 2);
}

TEST(KernelCosts, JsonSaysNullForWhatIsNotKnown) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printKernelCostJson(rowsOf(source), out);
  auto json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &row = *(*json->getAsArray())[0].getAsObject();
  EXPECT_TRUE(row.get("microseconds")->getAsNull());
  EXPECT_TRUE(row.get("warps")->getAsNull());
  EXPECT_EQ(row.getObject("perWarp")->getNumber("fp64").value_or(0) > 0, true);
  EXPECT_EQ(row.getArray("assumed")->size(), 1u);
}
