// The kernels that pointers lead a launch to.
#include "launched.h"

namespace warplint {

// A loop over variants of a kernel, as programs that compare them have it.
TEST(PassedPointers, FollowPointersToSeveralKernels) {
  const std::string two = "__global__ void l(float *p) { p[threadIdx.x] = 2; }";
  auto both = [&](llvm::StringRef host) {
    return launched(two + host.str()) + " " +
           launched(two + host.str(), false, "l");
  };
  EXPECT_EQ(both("void run(float *p) { void (*f)(float *);\n"
                 "for (int i = 0; i < 2; ++i) {\n"
                 "switch (i) { case 0: f = &k; break; case 1: f = l; }\n"
                 "f<<<1, 96>>>(p); } }"),
            "96x1x1 96x1x1");
  EXPECT_EQ(both("void run(float *p, int i) { void (*f[])(float *) = {k, l};\n"
                 "f[i]<<<1, 48>>>(p); }"),
            "48x1x1 48x1x1");
  EXPECT_EQ(both("void run(float *p, bool b) { auto f = b ? k : l;\n"
                 "f<<<1, 32>>>(p); }"),
            "32x1x1 32x1x1");
  // A table of structures, a member, and a function that chooses: a launch of
  // none of them was seen, and code that it alone executes was shut out. Which
  // of the kernels goes with the block is not known.
  EXPECT_EQ(both("struct Entry { int id; void (*run)(float *); };\n"
                 "Entry entries[] = {{1, k}, {2, l}};\n"
                 "void run(float *p, int i) { entries[i].run<<<1, 80>>>(p); }"),
            "open open");
  EXPECT_EQ(both("struct Entry { int id; void (*run)(float *); };\n"
                 "void run(float *p, int i) { Entry e; e.run = k;\n"
                 "if (i) e.run = l; e.run<<<1, 112>>>(p); }"),
            "open open");
  EXPECT_EQ(both("void (*pick(int i))(float *) { if (i) return k; return l; }\n"
                 "void run(float *p, int i) { pick(i)<<<1, 144>>>(p); }"),
            "open open");
}

TEST(PassedPointers, FollowKernelPointers) {
  EXPECT_EQ(
      launched("void run(float *p) { auto f = &t<float>; f<<<1, 448>>>(p); }",
               false, "t<float>"),
      "448x1x1");
  EXPECT_EQ(
      launched("void any(void (*f)(float *), float *p) { f<<<1, 416>>>(p); }\n"
               "void run(float *p) { any(k, p); }"),
      "416x1x1");
}

} // namespace warplint
