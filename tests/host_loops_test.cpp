// The calls of the host for which each iteration around a launch waits.
#include "host_calls.h"

namespace warplint {

TEST(HostLoops, NameTheCallAndTheLoop) {
  EXPECT_EQ(calls("void run(float *p, int n) {\n"
                  "for (int s = 0; s < n; ++s) {\n"
                  "cudaMalloc(&p, 64); k<<<1, 64>>>(p);\n"
                  "cudaFree(p); } }"),
            "cudaMalloc p 4 in 3, cudaFree p 5 in 3");
  EXPECT_EQ(calls("void run(float *p, int n) {\n"
                  "while (n--) { k<<<1, 64>>>(p);\n"
                  "cudaDeviceSynchronize(); } }"),
            "cudaDeviceSynchronize 4 in 3");
}

TEST(HostLoops, FollowFunctionsAndLambdas) {
  EXPECT_EQ(calls("void launch(float *p) { k<<<1, 64>>>(p); }\n"
                  "void wait() { cudaDeviceSynchronize(); }\n"
                  "void run(float *p, int n) {\n"
                  "for (; n > 0; --n) { launch(p); wait(); } }"),
            "cudaDeviceSynchronize 3 in 5");
  EXPECT_EQ(calls("void run(float *p, int n) {\n"
                  "auto once = [&] { k<<<1, 64>>>(p);\n"
                  "cudaDeviceSynchronize(); };\n"
                  "for (; n > 0; --n) once(); }"),
            "cudaDeviceSynchronize 4 in 5");
}

// A call that only some iterations make is rare.
TEST(HostLoops, LeaveOutWhatConditionsDecide) {
  EXPECT_EQ(calls("void run(float *p, int n) {\n"
                  "for (int s = 0; s < n; ++s) { k<<<1, 64>>>(p);\n"
                  "if (s % 100 == 0) cudaDeviceSynchronize(); } }"),
            "");
  EXPECT_EQ(calls("void run(float *p, int n) {\n"
                  "for (int s = 0; s < n; ++s) if (s % 2) { k<<<1, 64>>>(p);\n"
                  "cudaDeviceSynchronize(); } }"),
            "cudaDeviceSynchronize 4 in 3");
  EXPECT_EQ(calls("void run(float *p, int n) {\n"
                  "for (int s = 0; s < n; ++s) { k<<<1, 64>>>(p);\n"
                  "if (cudaDeviceSynchronize() != cudaSuccess) return; } }"),
            "cudaDeviceSynchronize 4 in 3");
}

// Without its header, a library's call may send what the device computed.
TEST(HostLoops, LeaveOutWaitsBesideCallsThatAreNotDeclared) {
  const SourceModel model =
      readText("__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"
               "void run(float *p, int n) {\n"
               "for (int s = 0; s < n; ++s) { k<<<1, 64>>>(p);\n"
               "cudaDeviceSynchronize(); sendAll(p, n, WORLD); } }");
  EXPECT_FALSE(model.outline.errors.empty());
  EXPECT_TRUE(model.kernels.at(0).hostCalls.empty());
}

TEST(HostLoops, LeaveOutLoopsOfAFewIterations) {
  EXPECT_EQ(calls("void run(float *p) {\n"
                  "for (int s = 0; s < 3; ++s) { k<<<1, 64>>>(p);\n"
                  "cudaDeviceSynchronize(); } }"),
            "");
  EXPECT_EQ(calls("void run(float *p) {\n"
                  "for (int s = 0; s < 100; ++s) { k<<<1, 64>>>(p);\n"
                  "cudaDeviceSynchronize(); } }"),
            "cudaDeviceSynchronize 4 in 3");
}

} // namespace warplint
