// Why an expression has no access: what became of its instruction.
#include "covered.h"

using namespace warplint;

namespace {

TEST(InstructionWatch, NamesTheReasonForAMissingAccess) {
  Covered all = coveredIn(R"(
template <bool bias> __device__ float add(float x, const float *b, int i) {
  return bias ? x + b[i] : x;
}
__device__ void twice(float &x) { x *= 2; }
struct Block { static constexpr int width = 16; };
__global__ void reasons(const float *a, const float *b, float *out, int n,
                        const Block *block) {
  static constexpr float table[4] = {1, 2, 3, 4};
  int i = threadIdx.x;
  float own[2] = {a[i], a[i + 1]};
  twice(own[0]);
  float unused = b[0];
  int size = sizeof(b[1]);
  out[i] = add<false>(own[0] + own[1], b, i) + table[n & 3] + table[1] + size +
           block->width;
}
)");
  EXPECT_EQ(all.unexplained, "");
  EXPECT_EQ(all.withoutExpression, "");
  EXPECT_EQ(all.withAccess, 3u); // a[i], a[i + 1], out[i]
  EXPECT_EQ(all.without,
            (std::map<std::string, uint64_t>{
                {"the thread's own memory, which is in registers", 4},
                {"never reached, or its value is never used, as LLVM's passes "
                 "found",
                 1},
                {"in a branch that is never taken", 1},
                {"a constant, known to Clang", 1},
                {"a table of constants, which the compiler keeps", 2}}));
}

} // namespace
