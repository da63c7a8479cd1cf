// Tests what a report quotes of a computation: 'x / 3.0' is found in the
// source, and its operands are what a fix changes.
#include "read_text.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>

namespace warplint {
namespace {

/// "x / y: x, y" for each computation of the kernel's body that has a text.
std::vector<std::string> written(const std::string &body) {
  const SourceModel model =
      readText("__device__ float twice(float v, int n) { return n * v; }\n"
               "__global__ void k(float *p, float x, double d, int i) {\n" +
               body + "\n}\n");
  EXPECT_EQ(model.kernels.size(), 1u);
  std::vector<std::string> result;
  for (const Kernel &kernel : model.kernels)
    for (const Written &each : kernel.written)
      if (each.place.line == 3 && (!each.text.empty() || each.isCast))
        result.push_back(each.text + ": " + llvm::join(each.operands, ", ") +
                         (each.isCast ? " cast" : ""));
  return result;
}

using testing::Contains;

TEST(WrittenOperations, AreThoseOfEachSpelling) {
  EXPECT_THAT(written("p[i] = x / (p[0] + 1);"),
              Contains("x / (p[0] + 1): x, p[0] + 1"));
  EXPECT_THAT(written("p[i] = -p[0];"), Contains("-p[0]: p[0]"));
  EXPECT_THAT(written("p[i] = int(p[0]);"), Contains("int(p[0]): p[0]"));
  EXPECT_THAT(written("p[i] = sqrtf(p[0]);"), Contains("sqrtf(p[0]): p[0]"));
}

// An operand's text is where a fix writes: of 'a + b + c' the outer sum is at
// another operator than the inner one.
TEST(WrittenOperations, OfASumEachOperatorHasItsOwn) {
  const auto found = written("p[i] = x * p[1] - p[2] / x;");
  EXPECT_THAT(found, Contains("x * p[1]: x, p[1]"));
  EXPECT_THAT(found, Contains("p[2] / x: p[2], x"));
}

// A double that the user asked for is no oversight.
TEST(WrittenOperations, ACastToDoubleIsKnown) {
  EXPECT_THAT(written("p[i] = p[0] * static_cast<double>(p[1]);"),
              Contains(testing::EndsWith(" cast")));
  EXPECT_THAT(written("p[i] = p[0] * d;"),
              testing::Not(Contains(testing::EndsWith(" cast"))));
}

} // namespace
} // namespace warplint
