// Which calls of the host wait for the device, or make it wait.
#include "host_calls.h"

using namespace warplint;

namespace {

TEST(HostCalls, LeaveOutWhatTheHostNeeds) {
  EXPECT_EQ(calls("void run(float *p, int *flag) {\n"
                  "do { k<<<1, 64>>>(p); cudaDeviceSynchronize(); }\n"
                  "while (*flag); }"),
            "");
  EXPECT_EQ(
      calls("void run(float *p, int *from) { int more = 1;\n"
            "while (more) { k<<<1, 64>>>(p);\n"
            "cudaMemcpy(&more, from, sizeof more, cudaMemcpyDeviceToHost);"
            "} }"),
      "");
  EXPECT_EQ(calls("double now();\n"
                  "void run(float *p, int n) {\n"
                  "for (; n > 0; --n) { double begin = now();\n"
                  "k<<<1, 64>>>(p); cudaDeviceSynchronize(); } }"),
            "");
}

TEST(HostCalls, ReadKokkos) {
  NEEDS_REAL_KOKKOS();
  EXPECT_EQ(calls("#include <Kokkos_Core.hpp>\n"
                  "void run(Kokkos::View<float *> a, Kokkos::View<float *> b,\n"
                  "         int n, int steps) {\n"
                  "  for (int s = 0; s < steps; ++s) {\n"
                  "    Kokkos::View<float *> tmp(\"tmp\", n);\n"
                  "    Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) {\n"
                  "      tmp(i) = a(i); });\n"
                  "    Kokkos::deep_copy(b, tmp);\n"
                  "    Kokkos::deep_copy(Kokkos::Cuda(), a, b);\n"
                  "  }\n"
                  "}\n",
                  kokkosCudaFlags(), /*withToolkit=*/true),
            "Kokkos::View tmp 6 in 5, Kokkos::deep_copy b 9 in 5");
  // Memory of the host, a number for the host, and what the host reads.
  EXPECT_EQ(
      calls("#include <Kokkos_Core.hpp>\n"
            "void run(Kokkos::View<float *> a, Kokkos::View<float> sum,\n"
            "         int n, int steps) {\n"
            "  auto seen = Kokkos::create_mirror_view(a);\n"
            "  for (int s = 0; s < steps; ++s) {\n"
            "    Kokkos::View<float *, Kokkos::HostSpace> tmp(\"tmp\", n);\n"
            "    float number;\n"
            "    Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) {\n"
            "      a(i) = i; });\n"
            "    Kokkos::deep_copy(number, sum);\n"
            "    Kokkos::deep_copy(tmp, seen);\n"
            "    Kokkos::fence();\n"
            "    tmp(0) = seen(1);\n"
            "  }\n"
            "}\n",
            kokkosCudaFlags(), /*withToolkit=*/true),
      "");
  EXPECT_EQ(calls("#include <Kokkos_Core.hpp>\n"
                  "void run(Kokkos::View<float *> a, int n, int steps) {\n"
                  "  auto seen = Kokkos::create_mirror_view(a);\n"
                  "  for (int s = 0; s < steps; ++s) {\n"
                  "    Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) {\n"
                  "      a(i) = i; });\n"
                  "    Kokkos::deep_copy(seen, a);\n"
                  "    Kokkos::fence();\n"
                  "  }\n"
                  "}\n",
                  kokkosCudaFlags(), /*withToolkit=*/true),
            "Kokkos::deep_copy seen 8 in 5, Kokkos::fence 9 in 5");
}

// The stream is empty for nothing only if nothing was copied in it.
TEST(HostCalls, WaitForStreams) {
  EXPECT_EQ(calls("void run(float *p, int n, cudaStream_t s) {\n"
                  "for (; n > 0; --n) { k<<<1, 64, 0, s>>>(p);\n"
                  "cudaStreamSynchronize(s); } }"),
            "cudaStreamSynchronize 4 in 3");
  EXPECT_EQ(calls("void run(float *p, float *h, int n, cudaStream_t s) {\n"
                  "for (; n > 0; --n) { k<<<1, 64, 0, s>>>(p);\n"
                  "cudaMemcpyAsync(h, p, 64, cudaMemcpyDeviceToHost, s);\n"
                  "cudaStreamSynchronize(s); } }"),
            "");
}

// A copy that the host works with in the same iteration cannot come later.
TEST(HostCalls, LeaveOutCopiesThatTheHostReads) {
  auto copied = [](llvm::StringRef then) {
    return calls(("void use(int *h) { h[0] = 1; }\n"
                  "void run(float *p, int *h, int *d, int n, int m) {\n"
                  "for (; n > 0; --n) { k<<<1, 64>>>(p);\n"
                  "cudaMemcpy(h + n, d, m, cudaMemcpyDeviceToHost);\n" +
                  then + "} }")
                     .str());
  };
  EXPECT_EQ(copied(""), "cudaMemcpy h + n 5 in 4");
  EXPECT_EQ(copied("for (int i = 0; i < m; ++i) m += h[i];"), "");
  EXPECT_EQ(copied("use(h);"), "");
}

// The host computes what each iteration copies: there is no other time.
TEST(HostCalls, LeaveOutCopiesOfWhatTheHostComputes) {
  auto copied = [](llvm::StringRef before) {
    return calls(("struct Means { int *means; };\n"
                  "void run(float *p, Means h, Means d, int n, int m) {\n"
                  "for (; n > 0; --n) {\n" +
                  before +
                  "\ncudaMemcpy(d.means, h.means, m, cudaMemcpyHostToDevice);\n"
                  "k<<<1, 64>>>(p); } }")
                     .str());
  };
  EXPECT_EQ(copied(""), "cudaMemcpy d.means 6 in 4");
  EXPECT_EQ(copied("for (int i = 0; i < m; ++i) h.means[i] /= n;"), "");
}

// The norm of a power iteration: the data go to the host and come back.
TEST(HostCalls, DataThatTheHostGivesBackCouldStay) {
  EXPECT_EQ(calls("void run(float *x, float *y, float *h, int n, int m) {\n"
                  "for (; n > 0; --n) { k<<<1, 64>>>(y);\n"
                  "cudaMemcpy(h, y, m, cudaMemcpyDeviceToHost);\n"
                  "for (int i = 1; i < m; ++i) h[i] /= h[0];\n"
                  "cudaMemcpy(x, h, m, cudaMemcpyHostToDevice); } }"),
            "cudaMemcpy x 6 in 3");
}

} // namespace
