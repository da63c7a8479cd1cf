// Tests what a report says to one thread's loop: shared iterations of a
// recurrence would read what is not yet there, those of a sum would race.
#include "findings/sharing.h"
#include "read_text.h"
#include <gmock/gmock.h>

using testing::HasSubstr;

namespace warplint {

namespace {

std::string adviceFor(const std::string &body) {
  SourceModel model =
      readText("__device__ void fill(int *buffer, int from) {\n"
               "  for (int i = 1; i < 8; ++i) buffer[i] = from * i;\n"
               "  buffer[0] = 1;\n"
               "}\n"
               "__global__ void k(float *x, const float *in, int n) {\n"
               "  int buffer[8] = {8};\n"
               "  unsigned state = n;\n"
               "  __shared__ float part[512];\n"
               "  part[threadIdx.x] = in[threadIdx.x];\n"
               "  __syncthreads();\n"
               "  float sum = 0;\n"
               "  if (threadIdx.x == 0)\n"
               "    for (int i = 1; i < n; ++i)\n      " +
               body + ";\n  x[threadIdx.x] = sum;\n}\n");
  const CostedKernel costs = costed(model.kernels.at(0));
  return sharingAdvice(costs, costs.shapes[0], 0, "threads of the block");
}

} // namespace

TEST(Sharing, ARunningSumIsAScan) {
  EXPECT_THAT(adviceFor("part[i] += part[i - 1]"), HasSubstr("is a scan"));
}

// A generator's state, and a position in a buffer that is filled now and then.
TEST(Sharing, AStateOfTheThreadIsNotShared) {
  EXPECT_THAT(
      adviceFor("x[i] = in[i] * (state = state * 1664525 + 1013904223)"),
      HasSubstr("each iteration needs the one before"));
  EXPECT_THAT(adviceFor("{ if (buffer[0] == 8) { fill(buffer, i); } "
                        "x[i] = buffer[buffer[0]++]; }"),
              HasSubstr("each iteration needs the one before"));
}

TEST(Sharing, ASumIsJoined) {
  EXPECT_THAT(adviceFor("sum += part[i]"),
              HasSubstr("let all threads of the block share the iterations, "
                        "and join"));
  EXPECT_THAT(adviceFor("x[0] += part[i]"), HasSubstr("and join"));
}

// Horner's scheme and a number taken apart: no thread has a part of them.
TEST(Sharing, ARecurrenceIsNoSum) {
  EXPECT_THAT(adviceFor("sum = sum * n + in[i]"),
              HasSubstr("each iteration needs the one before"));
  EXPECT_THAT(adviceFor("x[i] = state % int(in[i]), state /= int(in[i])"),
              HasSubstr("each iteration needs the one before"));
}

TEST(Sharing, ElementsOfTheirOwnAreShared) {
  EXPECT_EQ(adviceFor("x[i] = in[i]"),
            "let all threads of the block share the iterations");
}

TEST(Sharing, WhereDataLeadIsNotKnown) {
  EXPECT_THAT(adviceFor("x[i] = x[int(in[i])]"),
              HasSubstr("if none of them needs what another stores"));
}

} // namespace warplint
