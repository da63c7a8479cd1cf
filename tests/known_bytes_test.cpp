// Sizes that a launch passes in structures, from the source to the iterations
// that they bound, in the source's model and in the compiled code's.
#include "cost/frequency.h"
#include "model/argument_bytes.h"
#include "program_runs.h"
#include "read_text.h"
#include "source/known_bytes.h"

using testing::HasSubstr;

namespace warplint {

namespace {

/// A kernel that takes a pointer and a structure, and what precedes `run`.
constexpr const char *kernel = R"(
struct Size { int width, height; };
struct Params {
  float *out;
  bool flag;
  short step;
  int n;
  long long total;
  Size size;
};
__global__ void k(float *p, Params prm) {
  for (int i = 0; i < prm.n; ++i) p[i * 32 + threadIdx.x] = i;
}
)";

/// "16" or "?": what the first launch gives for `bits` at a byte of Params.
std::string at(llvm::StringRef host, uint64_t offset, unsigned bits) {
  SourceModel model = readText(kernel + host.str());
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  if (model.outline.launches.empty())
    return "no launch";
  Launched launched;
  launched.arguments = model.outline.launches.front().arguments;
  const auto value =
      argumentBits(launched, ArgumentBytes({0, 40}).numberOf(1, offset), bits);
  return value ? std::to_string(*value) : "?";
}
std::string n(llvm::StringRef host) { return at(host, 12, 32); }
std::string inRun(llvm::StringRef body) {
  return n(("void run(float *p, int m) {\n" + body + "\n}\n").str());
}

} // namespace

TEST(KnownBytesOf, MembersAreReadWhereTheyStand) {
  const char *host = "void run(float *p) { Params prm = {p, true, 3, 16, "
                     "5000000000ll, {7, -1}}; k<<<1, 32>>>(p, prm); }";
  EXPECT_EQ(at(host, 8, 8), "1");
  EXPECT_EQ(at(host, 10, 16), "3");
  EXPECT_EQ(at(host, 12, 32), "16");
  EXPECT_EQ(at(host, 16, 64), "5000000000");
  EXPECT_EQ(at(host, 24, 32), "7");
  EXPECT_EQ(at(host, 28, 32), "4294967295");
  EXPECT_EQ(at(host, 0, 64), "?") << "a pointer";
}

TEST(KnownBytesOf, EachWayToSetAMember) {
  EXPECT_EQ(inRun("Params prm{p}; prm.n = 16; k<<<1, 32>>>(p, prm);"), "16");
  EXPECT_EQ(inRun("Params prm; prm.out = p; prm.n = 8; prm.n *= 2;"
                  "k<<<1, 32>>>(p, prm);"),
            "16");
  EXPECT_EQ(inRun("k<<<1, 32>>>(p, Params{p, false, 1, 16});"), "16");
  EXPECT_EQ(inRun("k<<<1, 32>>>(p, {p, false, 1, 16});"), "16");
  EXPECT_EQ(inRun("Params prm = {.out = p, .n = 16}; k<<<1, 32>>>(p, prm);"),
            "16");
  EXPECT_EQ(inRun("Params a{p}; a.n = 16; Params b = a; b.step = m;"
                  "k<<<1, 32>>>(p, b);"),
            "16");
  EXPECT_EQ(n("static Params make(float *p, int n) {\n"
              "  Params prm{}; prm.out = p; prm.n = n; return prm; }\n"
              "void run(float *p) { k<<<1, 32>>>(p, make(p, 16)); }"),
            "16");
  EXPECT_EQ(n("static void go(float *p, Params prm) {"
              " k<<<1, 32>>>(p, prm); }\n"
              "void run(float *p) { Params a{}; a.n = 16; go(p, a); }"),
            "16");
  EXPECT_EQ(inRun("Params prm; cudaMemset(p, 0, 4); prm.n = 16;"
                  "for (int i = 0; i < m; ++i) k<<<1, 32>>>(p, prm);"),
            "16");
}

// A wrong size is worse than none.
TEST(KnownBytesOf, WhatTheRunDecidesIsOpen) {
  EXPECT_EQ(inRun("Params prm{p}; prm.n = m; k<<<1, 32>>>(p, prm);"), "?");
  EXPECT_EQ(inRun("Params prm; k<<<1, 32>>>(p, prm);"), "?");
  EXPECT_EQ(n("void fill(Params &); void run(float *p) { Params prm{p};"
              " prm.n = 16; fill(prm); k<<<1, 32>>>(p, prm); }"),
            "?");
  EXPECT_EQ(n("void fill(int *); void run(float *p) { Params prm{p};"
              " prm.n = 16; fill(&prm.n); k<<<1, 32>>>(p, prm); }"),
            "?");
  EXPECT_EQ(inRun("Params prm{p}; prm.n = 16; for (int i = 0; i < m; ++i) {"
                  " k<<<1, 32>>>(p, prm); prm.n += i; }"),
            "?");
  EXPECT_EQ(n("void run(float *p, Params *all) { k<<<1, 32>>>(p, *all); }"),
            "?");
}

TEST(KnownBytesOf, ConstructorsAndInitialisersOfMembers) {
  auto first = [](llvm::StringRef text) {
    SourceModel model = readText(text);
    Launched launched;
    if (!model.outline.launches.empty())
      launched.arguments = model.outline.launches.front().arguments;
    const auto value = argumentBits(launched, 4, 32);
    return value ? std::to_string(*value) : "?";
  };
  auto with = [&](llvm::StringRef structure, llvm::StringRef launch) {
    return first((structure +
                  "\n__global__ void k(P q) { q.p[q.n] = 1; }\n"
                  "void run(float *p, int m) { " +
                  launch + " }")
                     .str());
  };
  EXPECT_EQ(with("struct P { int n = 16; float *p; };",
                 "P q; q.p = p; k<<<1, 32>>>(q);"),
            "16");
  EXPECT_EQ(with("struct P { int n; float *p; "
                 "P(float *p, int n) : n(n), p(p) {} };",
                 "P q(p, 16); k<<<1, 32>>>(q);"),
            "16");
  EXPECT_EQ(with("struct P { int n; float *p; P(float *p) : n(16), p(p) {} };",
                 "k<<<1, 32>>>(P(p));"),
            "16");
  EXPECT_EQ(with("struct P { int n; float *p; P(float *p) : n(16), p(p) "
                 "{ if (p) return; n = 3; } };",
                 "k<<<1, 32>>>(P(p));"),
            "?");
  EXPECT_EQ(with("struct B { int n; }; struct P : B { float *p; };",
                 "P q{{16}, p}; k<<<1, 32>>>(q);"),
            "?")
      << "a base";
  EXPECT_EQ(with("union P { int n; float *p; };",
                 "P q; q.n = 16; q.p = p; k<<<1, 32>>>(q);"),
            "?")
      << "a union";
}

TEST(KnownBytesOf, BoundTheLoopsOfTheKernel) {
  const SourceModel model = readText(
      kernel + std::string("void run(float *p) { Params prm{p}; prm.n = 16;"
                           " k<<<64, 32>>>(p, prm); }"));
  const Kernel &read = model.kernels.at(0);
  Frequencies frequencies(read, read.shapes[0]);
  EXPECT_EQ(frequencies.trips(0).count, 16);
  EXPECT_FALSE(frequencies.trips(0).isAssumed);
  EXPECT_EQ(frequencies.warps(), 64);
}

// The judge sees the same sizes: a stride of 1 refutes what 16 confirms.
TEST(KnownBytesOf, MembersInPtxAreTheLaunchs) {
  const std::string ptx =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry rows(.param .align 8 .b8 prm[24])\n{\n"
      ".reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [prm];\n"
      "ld.param.v2.u32 {%r2, %r3}, [prm+8];\nmov.u32 %r1, %tid.x;\n"
      "ld.param.u32 %r5, [prm+16];\n"
      "mad.lo.s32 %r4, %r1, %r3, %r5;\nmul.wide.u32 %rd2, %r4, 4;\n"
      "add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\nret;\n}\n";
  auto sectors = [&](const std::string &stride) {
    InputFolder folder;
    const Outcome outcome = runProgram(
        {"accesses", "--format", "csv", folder.write("rows.ptx", ptx),
         folder.write("main.cu",
                      "struct P { float *p; int n, stride; int first; };\n"
                      "extern \"C\" __global__ void rows(P);\n"
                      "void run(float *p, int m) { P prm{p, m, " +
                          stride + "}; rows<<<8, 64>>>(prm); }\n")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  // PTX has the pointer as a number, which need not begin a sector.
  EXPECT_THAT(sectors("1"), HasSubstr(",store,4,4,4,,4,5,32,bounded"));
  EXPECT_THAT(sectors("16"), HasSubstr(",store,4,32,4,,32,32,32,exact"));
  EXPECT_THAT(sectors("m"), HasSubstr(",assumed"));
}

} // namespace warplint
