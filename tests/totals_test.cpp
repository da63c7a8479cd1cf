// Tests what a thread and a launch read and write in all.
#include "read_text.h"
#include "report/totals.h"
#include <gmock/gmock.h>

using testing::HasSubstr;

namespace warplint {

namespace {

TotalsRow totalsOf(llvm::StringRef source) {
  const SourceModel model = readText(source);
  if (model.kernels.empty()) {
    ADD_FAILURE() << "no kernel";
    return {};
  }
  return totalsRows(model.kernels.front()).front();
}

} // namespace

// The count of the first of the documents that the checks come from.
TEST(Totals, CountReadsAndWritesOfAThread) {
  const TotalsRow slow = totalsOf(R"(
__global__ void k(float *a, const float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int n = 0; n < 10; ++n) {
    a[i] += b[i - 1];
    a[i] += b[i];
    a[i] += b[i + 1];
  }
}
void run(float *a, float *b) { k<<<16, 256>>>(a, b); })");
  EXPECT_EQ(slow.global.reads, 60);
  EXPECT_EQ(slow.global.writes, 30);
  EXPECT_EQ(slow.operations, 30);
  EXPECT_LT(slow.global.readsLeft, 60); // the sum is still in a register

  const TotalsRow fast = totalsOf(R"(
__global__ void k(float *a, const float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int n = 0; n < 10; ++n) {
    sum += b[i - 1];
    sum += b[i];
    sum += b[i + 1];
  }
  a[i] += sum;
}
void run(float *a, float *b) { k<<<16, 256>>>(a, b); })");
  EXPECT_EQ(fast.global.reads, 31);
  EXPECT_EQ(fast.global.writes, 1);
}

TEST(Totals, CountRequestsOfALaunch) {
  const TotalsRow row = totalsOf(R"(
__global__ void k(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = 2 * from[i];
}
void run(float *to, float *from) { k<<<16, 256>>>(to, from); })");
  ASSERT_TRUE(row.warps);
  EXPECT_EQ(*row.warps, 16 * 8);
  EXPECT_EQ(row.global.requests, 2 * 16 * 8);
  EXPECT_EQ(row.global.sectors, 4 * 2 * 16 * 8);
  EXPECT_EQ(row.global.bytes, 8);
}

// Exercise 4 of the fifth document: a quarter of an operation for each byte.
TEST(Totals, GiveTheOperationsForEachByte) {
  const TotalsRow row = totalsOf(R"(
__global__ void k(const float *m, const float *n, float *p, int width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < width; ++k)
    sum += m[row * width + k] * n[k * width + column];
  p[row * width + column] = sum;
}
void run(float *m, float *n, float *p, int width) {
  k<<<dim3(64, 64), dim3(16, 16)>>>(m, n, p, width);
})");
  ASSERT_TRUE(row.intensity());
  EXPECT_NEAR(*row.intensity(), 0.25, 0.005);
  EXPECT_EQ(row.assumed, std::vector<std::string>{"width"});
}

TEST(Totals, PrintTablesForPeopleAndPrograms) {
  const TotalsRow row = totalsOf(R"(
__global__ void k(float *to, const float *from) {
  to[threadIdx.x] = 2 * from[threadIdx.x];
}
void run(float *to, float *from) { k<<<1, 32>>>(to, from); })");
  std::string text, csv, json;
  llvm::raw_string_ostream textOut(text), csvOut(csv), jsonOut(json);
  printTotalsTable({row}, "/", textOut);
  printTotalsCsv({row}, "/", csvOut);
  printTotalsJson({row}, jsonOut);
  EXPECT_THAT(text, HasSubstr("  from    global      1     1       0"));
  EXPECT_THAT(csv, HasSubstr(",from,global,1,1,0,0,4,1,4,1,0.12"));
  EXPECT_THAT(json, HasSubstr("\"operationsPerByte\": 0.125"));
}

} // namespace warplint
