// Kernels whose pointers lead to memory of their own, whatever they do with it.
#include "cost/own_memory.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// Which kernels have memory of their own, in the order of the text: "10".
std::string own(const std::string &text) {
  const SourceModel model = readText(text);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  std::string found;
  for (const Kernel &kernel : model.kernels)
    found += kernel.hasOwnMemory ? '1' : '0';
  return found;
}

const std::string allocations = "  float *p, *q;\n"
                                "  cudaMalloc((void **)&p, n);\n"
                                "  cudaMalloc((void **)&q, n);\n";

std::string withBody(const std::string &body,
                     const std::string &launches = "k<<<1, 64>>>(p, q, n);") {
  return own("__device__ float table[9];\n"
             "struct Node { float *next; };\n"
             "static __global__ void k(float *a, const float *b, int n) {\n" +
             body + "}\nvoid run(float *given, int n) {\n" + allocations +
             launches + "}\n");
}

TEST(OwnMemory, EachAccessGoesThroughAnArgumentWithItsOwn) {
  EXPECT_EQ(withBody("a[threadIdx.x] = b[n];"), "1");
  EXPECT_EQ(withBody("__shared__ float s[64]; s[threadIdx.x] = b[n];\n"
                     "a[threadIdx.x] = s[n];"),
            "1");
  EXPECT_EQ(withBody("float *c = a + n; c[threadIdx.x] = b[n];"), "1");
}

TEST(OwnMemory, APointerFromMemoryMayLeadAnywhere) {
  EXPECT_EQ(withBody("((Node *)a)->next[threadIdx.x] = b[n];"), "0");
  EXPECT_EQ(withBody("const float *c = n ? a : b; a[threadIdx.x] = c[n];"),
            "0");
  EXPECT_EQ(withBody("a[threadIdx.x] = b[n] + table[n];"), "0");
}

/// What is allocated for the table of a kernel, in bytes.
uint64_t allocated(const std::string &launches) {
  const SourceModel model =
      readText("static __global__ void k(float *out, const float *table) {\n"
               "  out[threadIdx.x] = table[threadIdx.x % 26];\n"
               "}\n"
               "void run(float *given, int n) {\n"
               "  float *out, *table, *other;\n"
               "  cudaMalloc(&out, n);\n"
               "  cudaMalloc(&table, 26 * sizeof(float));\n"
               "  cudaMalloc(&other, 400);\n" +
               launches + "}\n");
  for (const Object &object : model.kernels.at(0).objects)
    if (object.name == "table")
      return object.allocated;
  return ~uint64_t(0);
}

TEST(OwnMemory, TheLaunchesSayHowLargeATableIs) {
  EXPECT_EQ(allocated("k<<<1, 64>>>(out, table);\n"), 104u);
  EXPECT_EQ(allocated("k<<<1, 64>>>(out, table);\n"
                      "k<<<1, 64>>>(out, other);\n"),
            400u);
  EXPECT_EQ(allocated("k<<<1, 64>>>(out, table);\n"
                      "k<<<1, 64>>>(out, given);\n"),
            0u);
  EXPECT_EQ(allocated("k<<<1, 64>>>(table, out);\n"), 0u);
}

TEST(OwnMemory, EachLaunchDecides) {
  EXPECT_EQ(withBody("a[threadIdx.x] = b[n];", ""), "0");
  EXPECT_EQ(withBody("a[threadIdx.x] = b[n];",
                     "k<<<1, 64>>>(p, q, n); k<<<1, 64>>>(q, p, n);"),
            "1");
  EXPECT_EQ(withBody("a[threadIdx.x] = b[n];",
                     "k<<<1, 64>>>(p, q, n); k<<<1, 64>>>(p, p, n);"),
            "0");
  EXPECT_EQ(withBody("a[threadIdx.x] = b[n];",
                     "k<<<1, 64>>>(p, q, n); k<<<2, 64>>>(given, q, n);"),
            "0");
}

// An edit of the template's text changes all of its instances.
TEST(OwnMemory, AnInstanceDecidesForAllOfItsTemplate) {
  const std::string text =
      "template <typename T> __global__ void k(T *a, const T *b, int n) {\n"
      "  a[threadIdx.x] = b[n]; }\n"
      "void run(int *given, int n) {\n" +
      allocations;
  EXPECT_EQ(own(text + "k<<<1, 64>>>(p, q, n); }\n"), "1");
  EXPECT_EQ(own(text + "k<<<1, 64>>>(p, q, n);\n"
                       "k<<<1, 64>>>(given, given, n); }\n"),
            "00");
}

} // namespace

} // namespace warplint
