// Which arguments of a launch lead to allocations that nothing else leads to.
#include "read_text.h"
#include "source/own_pointers.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

const std::string kernel =
    "static __global__ void k(float *a, const float *b, int n) {\n"
    "  a[threadIdx.x] = b[n]; }\n";

/// The positions of the own arguments of the first launch, "01".
std::string positions(const std::string &text) {
  const SourceModel model = readText(text);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  std::string found;
  for (const OwnMemory &own : model.outline.launches.at(0).ownMemory)
    found += std::to_string(own.argument);
  return found;
}

const std::string allocations = "  float *p, *q = nullptr;\n"
                                "  cudaMalloc((void **)&p, n);\n"
                                "  cudaMallocManaged((void **)(&q), n);\n";

std::string inRun(const std::string &body) {
  return positions(kernel + "void run(float *given, int n) {\n" + allocations +
                   body + "\n}\n");
}

TEST(OwnPointers, AnAllocationOfTheFunctionIsItsOwn) {
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, q, n);"), "01");
  EXPECT_EQ(inRun("k<<<1, 64>>>((float *)(void *)p, q, n); cudaFree(p);"),
            "01");
  EXPECT_EQ(inRun("float *r = p; r[0] = q[1]; k<<<1, 64>>>(p, q, n);"), "01")
      << "a copy is no argument";
}

TEST(OwnPointers, WhatMayLeadElsewhereIsNot) {
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, p, n);"), "");
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, q + 1, n);"), "0");
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, given, n);"), "0");
  EXPECT_EQ(inRun("float *r = p; k<<<1, 64>>>(r, q, n);"), "1");
  EXPECT_EQ(inRun("q = p; k<<<1, 64>>>(p, q, n);"), "0");
  EXPECT_EQ(inRun("if (n) q = p + 1; k<<<1, 64>>>(p, q, n);"), "0");
  EXPECT_EQ(inRun("++q; k<<<1, 64>>>(p, q, n);"), "0");
  EXPECT_EQ(inRun("float *&r = q; r = p; k<<<1, 64>>>(p, q, n);"), "0");
  EXPECT_EQ(inRun("float **r = &q; *r = p; k<<<1, 64>>>(p, q, n);"), "0");
  EXPECT_EQ(inRun("auto set = [&] { q = p; }; set(); k<<<1, 64>>>(p, q, n);"),
            "")
      << "what a lambda has by reference is not followed";
  EXPECT_EQ(positions("void swap(float *&, float *&);\n" + kernel +
                      "void run(int n) {\n" + allocations +
                      "  for (;;) { k<<<1, 64>>>(p, q, n); swap(p, q); } }\n"),
            "");
}

// A grid with more alternatives than are tried leaves a launch unread.
TEST(OwnPointers, ALaunchThatIsNotEvaluatedCounts) {
  std::string branches = "int blocks = 1;\n";
  for (unsigned i = 0; i < 80; ++i)
    branches += "if (n > given[" + std::to_string(i) + "]) ++blocks;\n";
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, q, n);\n" + branches +
                  "k<<<blocks, 64>>>(p, p, n);"),
            "");
}

/// The bytes behind the first launch's own arguments: "104 0".
std::string bytes(const std::string &body) {
  const SourceModel model =
      readText(kernel + "void run(float *given, int n) {\n" + body + "}\n");
  std::string found;
  for (const OwnMemory &own : model.outline.launches.at(0).ownMemory)
    found += (found.empty() ? "" : " ") + std::to_string(own.bytes);
  return found;
}

TEST(OwnPointers, AnAllocationSaysHowLargeItIs) {
  EXPECT_EQ(bytes("float table[26]; float *p, *q;\n"
                  "cudaMalloc((void **)&p, sizeof(table));\n"
                  "cudaMalloc((void **)&q, n * sizeof(float));\n"
                  "k<<<1, 64>>>(p, q, n);\n"),
            "104 0");
  EXPECT_EQ(bytes("int rows = 8; float *p, *q;\n"
                  "cudaMalloc(&p, 4 * rows);\n"
                  "cudaMalloc(&q, 64);\n"
                  "k<<<1, 64>>>(p, q, n);\n"),
            "32 64");
}

TEST(OwnPointers, TheLargestAllocationOfAllLaunchesCounts) {
  EXPECT_EQ(bytes("float *p, *q, *r;\n"
                  "cudaMalloc(&p, 32);\n"
                  "cudaMalloc(&q, 64);\n"
                  "cudaMalloc(&r, 128);\n"
                  "k<<<1, 64>>>(p, q, n);\n"
                  "k<<<1, 64>>>(r, q, n);\n"),
            "128 64");
  EXPECT_EQ(bytes("float *p, *q, *r;\n"
                  "cudaMalloc(&p, 32);\n"
                  "cudaMalloc(&q, 64);\n"
                  "cudaMalloc(&r, n);\n"
                  "k<<<1, 64>>>(p, q, n);\n"
                  "k<<<1, 64>>>(r, q, n);\n"),
            "0 64");
}

TEST(OwnPointers, ALaunchThatIsNotSeenLeavesNone) {
  const std::string run = "void run(float *given, int n) {\n" + allocations +
                          "  k<<<1, 64>>>(p, q, n); }\n";
  const std::string open = kernel.substr(7); // without 'static'
  EXPECT_EQ(positions(open + run), "");
  EXPECT_EQ(positions(open + run + "int main() { run(0, 1); }\n"), "01")
      << "the program's own source";
  EXPECT_EQ(positions("#line 1 \"k.h\"\n" + open + run), "");
  EXPECT_EQ(positions(kernel + run + "void *other() { return (void *)k; }\n"),
            "");
  EXPECT_EQ(positions("template <int> " + open + "void run(int n) {\n" +
                      allocations + "  k<2><<<1, 64>>>(p, q, n); }\n"),
            "01")
      << "a template can be launched where its text is";
}

} // namespace

} // namespace warplint
