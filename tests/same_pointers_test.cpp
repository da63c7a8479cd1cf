// One pointer for two arguments: a cure that promises otherwise breaks code.
#include "model/same_pointers.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// Which of the arguments 'a', 'b', 'c' of `k` are one: "ab", "abc" or "".
std::string same(const std::string &host) {
  const SourceModel model =
      readText("__global__ void k(float *a, const float *b, const float *c, "
               "int n) { a[threadIdx.x] = b[threadIdx.x] + c[n]; }\n" +
               host);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  const Kernel &kernel = model.kernels.at(0);
  auto objectOf = [&](const std::string &name) {
    for (ObjectId id = 0; id < kernel.objects.size(); ++id)
      if (kernel.objects[id].name == name)
        return id;
    ADD_FAILURE() << name;
    return ObjectId(0);
  };
  std::string text;
  for (const char *pair : {"ab", "ac", "bc"})
    if (arePassedAsOne(kernel, objectOf(std::string(1, pair[0])),
                       objectOf(std::string(1, pair[1]))))
      text += (text.empty() ? "" : " ") + std::string(pair);
  return text;
}
std::string inRun(const std::string &body) {
  return same("void run(float *p, float *q, int n, dim3 grid) {\n" + body +
              "\n}\n");
}

} // namespace

TEST(SamePointers, AreSeenThroughVariablesAndFunctions) {
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, p, q, n);"), "ab");
  EXPECT_EQ(
      inRun("float *r = p; const float *s = r; k<<<1, 64>>>(p, q, s, n);"),
      "ac");
  EXPECT_EQ(inRun("k<<<1, 64>>>(p + n, q, p + n, n);"), "ac");
  EXPECT_EQ(inRun("k<<<1, 64>>>((float *)(void *)p, p, q, n);"), "ab");
  EXPECT_EQ(same("struct S { float *x, *y; };\n"
                 "void run(S s, int n) { k<<<1, 64>>>(s.x, s.x, s.y, n); }"),
            "ab");
  EXPECT_EQ(same("static void go(float *to, const float *from, int n) {\n"
                 "  k<<<1, 64>>>(to, from, nullptr, n); }\n"
                 "void run(float *p, int n) { go(p, p, n); }"),
            "ab");
}

TEST(SamePointers, AreSeenInAnyLaunch) {
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, q, q, n); k<<<1, 128>>>(p, p, q, n);"),
            "ab ac bc")
      << "groups of two launches with one argument in common are one";
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, q, p + 1, n); k<<<grid, grid>>>(p, p, q, "
                  "n);"),
            "ab")
      << "a block that is unknown";
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, n ? p : q, nullptr, n);"), "ab");
}

TEST(SamePointers, AreSeenHoweverManyWaysLeadToTheLaunch) {
  std::string grid = "int g = n;\n", calls;
  for (unsigned i = 0; i < 70; ++i) {
    grid += "if (n == " + std::to_string(i) + ") g += n;\n";
    calls += "go(p, " + std::string(i == 50 ? "p" : "q") + ", n);\n";
  }
  EXPECT_EQ(inRun(grid + "k<<<g, 64>>>(p, p, q, n);"), "ab")
      << "a grid that is not evaluated";
  const std::string go = "static void go(float *to, const float *from, int n) "
                         "{\n  k<<<4, 64>>>(to, from, nullptr, n); }\n";
  EXPECT_EQ(same(go + "void run(float *p, float *q, int n) {\n" + calls + "}"),
            "ab");
}

TEST(SamePointers, OthersAreNot) {
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, q, p + n, n);"), "");
  EXPECT_EQ(inRun("k<<<1, 64>>>(p, nullptr, nullptr, n);"), "");
  EXPECT_EQ(same("float *make(int); void run(int n) {\n"
                 "  float *p = make(n), *q = make(n);\n"
                 "  k<<<1, 64>>>(p, q, make(n), n); }"),
            "");
  EXPECT_EQ(same("void run(float **p, int i, int j) {\n"
                 "  k<<<1, 64>>>(p[i], p[j], p[i + 1], j); }"),
            "");
}

} // namespace warplint
