// Tests what a report calls the memory that an access reads: the user looks for
// that text in the source.
#include "input_folder.h"
#include "read_text.h"
#include <gmock/gmock.h>
#include <map>
#include <set>

namespace warplint {

/// Of a source with one kernel, without those of its parameters.
static std::vector<std::string> textsOfLoads(const SourceModel &model) {
  std::vector<std::string> texts;
  EXPECT_EQ(model.kernels.size(), 1u);
  for (const Kernel &kernel : model.kernels)
    for (const Access &access : kernel.accesses)
      if (access.operation == Operation::Load &&
          access.space != Space::Parameter)
        texts.push_back(access.text);
  return texts;
}

// ArborX' points were "store of ''".
TEST(AccessNamer, MembersAreNamedWhereTheirDefaultsInitialiseThem) {
  const SourceModel model = readText(R"(
inline __device__ void *operator new(__SIZE_TYPE__, void *at) { return at; }
struct Point { float list[3] = {}; float single = 1; };
__global__ void k(Point *p) { new (p + threadIdx.x) Point; }
)");
  ASSERT_EQ(model.kernels.size(), 1u);
  std::set<std::string> stores;
  for (const Access &access : model.kernels[0].accesses)
    if (access.operation == Operation::Store)
      stores.insert(access.text);
  EXPECT_THAT(stores, testing::IsSupersetOf({"list", "single"}));
}

// 'keep z as 16 arrays', of a load of 'w'; and what a library's function reads
// of an element was nobody's.
TEST(AccessNamer, OperandsOfALibrarysOperatorHaveTheirOwnNames) {
  InputFolder folder;
  folder.write("lib/complex.h",
               "struct complex {\n"
               "  float x, y;\n"
               "  __device__ complex &operator*=(const complex &o) {\n"
               "    const float a = x * o.x - y * o.y;\n"
               "    y = x * o.y + y * o.x;\n"
               "    x = a;\n"
               "    return *this;\n"
               "  }\n"
               "  __device__ float real() const { return x; }\n"
               "};\n"
               "__device__ inline float norm(const complex &z) {\n"
               "  return z.x * z.x + z.y * z.y;\n"
               "}\n");
  const SourceModel model = readText(R"(
#include <complex.h>
struct Fields { complex *z; const complex *w; };
__global__ void k(Fields f, complex *z, const complex *w, float *out) {
  const int i = threadIdx.x;
  z[i] *= w[8 * i];
  f.z[i] *= f.w[i];
  z[i] *= z[2 * i];
  const complex *row = w + 40;
  z[i] *= row[i];
  out[i] = norm(w[3 * i]) + w[i].real();
}
)",
                                     false, {"-isystem", folder.path + "/lib"});
  ASSERT_EQ(model.kernels.size(), 1u);
  std::map<unsigned, std::set<std::string>> loads;
  for (const Access &access : model.kernels[0].accesses)
    if (access.operation == Operation::Load &&
        access.space != Space::Parameter) {
      EXPECT_FALSE(access.inLibrary) << access.text;
      loads[access.place.line].insert(access.text + " of " + access.object);
    }
  using testing::ElementsAre;
  EXPECT_THAT(loads[6], ElementsAre("w[8 * i] of w", "z[i] of z"));
  EXPECT_THAT(loads[7], ElementsAre("f.w[i] of f.w", "f.z[i] of f.z"));
  EXPECT_THAT(loads[8], ElementsAre("z[i] *= z[2 * i] of z"));
  EXPECT_THAT(loads[10], ElementsAre("z[i] *= row[i] of w", "z[i] of z"));
  EXPECT_THAT(loads[11], ElementsAre("w[3 * i] of w", "w[i] of w"));
}

// abacus was told to keep the factor 'pvkb' as 3 arrays, for a load of 'gcar',
// and to load tiles of 'sum', a variable, for one of the elements it adds.
TEST(AccessNamer, ANumberThatALibrarysOperatorGetsIsAnOperand) {
  InputFolder folder;
  folder.write("lib/complex.h",
               "struct complex {\n"
               "  float x, y;\n"
               "  __device__ complex &operator+=(const complex &o) {\n"
               "    x += o.x; y += o.y;\n"
               "    return *this;\n"
               "  }\n"
               "};\n"
               "__device__ inline complex operator*(const complex &z,\n"
               "                                    const float &by) {\n"
               "  return {z.x * by, z.y * by};\n"
               "}\n");
  const SourceModel model = readText(R"(
#include <complex.h>
template <class T> __global__ void k(const T *p, T *out, const float *by) {
  const int i = threadIdx.x;
  T sum = p[i];
  sum += p[i + 3];
  out[i] = sum * by[3 * i];
}
void run(complex *c, float *f) { k<<<1, 32>>>(f, f, f); k<<<1, 32>>>(c, c, f); }
)",
                                     false, {"-isystem", folder.path + "/lib"});
  ASSERT_EQ(model.kernels.size(), 2u);
  std::map<unsigned, std::set<std::string>> loads;
  for (const Kernel &kernel : model.kernels)
    for (const Access &access : kernel.accesses)
      if (access.operation == Operation::Load && access.space == Space::Global)
        loads[access.place.line].insert(access.text + " of " + access.object);
  using testing::ElementsAre;
  EXPECT_THAT(loads[6], ElementsAre("p[i + 3] of p"));
  EXPECT_THAT(loads[7], ElementsAre("by[3 * i] of by"));
}

// A finding about the sum of a post-quantum library's polynomials was told to
// "keep '*this' in a local variable".
TEST(AccessNamer, AnOperatorsOwnObjectHasTheCallersName) {
  const SourceModel model = readText(R"(
struct Zq {
  int value;
  __device__ Zq plus(const Zq &other) const { return {value + other.value}; }
  __device__ Zq &operator+=(const Zq &other) {
    *this = plus(other);
    return *this;
  }
  __device__ void twice() { *this += *this; }
};
__global__ void k(Zq *sums, const Zq *in) {
  int i = threadIdx.x;
  sums[i] += in[i];
  sums[i + 1].twice();
}
)",
                                     false);
  ASSERT_EQ(model.kernels.size(), 1u);
  std::set<std::string> stores;
  for (const Access &access : model.kernels[0].accesses)
    if (access.operation == Operation::Store)
      stores.insert(access.text + " of " + access.object);
  EXPECT_THAT(stores,
              testing::ElementsAre("sums[i + 1] of sums", "sums[i] of sums"));
}

// "store of 'x'", and "keep 'x' as 8 arrays", of a method of the elements of
// 'particles'; what two functions read of it were two causes.
TEST(AccessNamer, WhatAFunctionGetsByReferenceHasTheCallersName) {
  const SourceModel model = readText(R"(
struct Vec { float c[3]; };
struct Half { unsigned short bits; __device__ operator float() const { return *(const short *)&bits; } };
struct Particle {
  float mass; Vec at; Half charge;
  __device__ float weight() const { return mass; }
  __device__ float twice() const { return 2 * weight(); }
  __device__ void push(float by) { at.c[1] += by; }
  __device__ float &operator[](int i) { return at.c[i]; }
};
__device__ float heavy(const Particle &p) { return p.mass; }
__device__ float far(const Vec &v) { return v.c[0]; }
__device__ float out2(const Particle &p) { return far(p.at); }
__device__ void swap(float &a, float &b) { float t = a; a = b; b = t; }
struct Both { Particle *all; __device__ float first(int i) const { return all[i].mass; } };
__global__ void k(Particle *ps, Particle *one, Half *h, float *f, Both both) {
  int i = threadIdx.x;
  f[i] = ps[i].weight();
  f[i] = ps[i].twice();
  ps[i].push(1);
  f[i] = one->weight();
  f[i] = (*one).weight();
  f[i] = heavy(ps[i + 1]);
  f[i] = out2(ps[i + 2]);
  swap(f[i], f[i + 32]);
  f[i] = h[i];
  f[i] = both.first(i);
  Particle &mine = ps[3 * i];
  f[i] = mine.weight();
}
)",
                                     false);
  ASSERT_EQ(model.kernels.size(), 1u);
  std::map<unsigned, std::set<std::string>> loads;
  for (const Access &access : model.kernels[0].accesses)
    if (access.operation == Operation::Load && access.space != Space::Parameter)
      loads[access.callSites.empty() ? access.place.line
                                     : access.callSites.front().line]
          .insert(access.text + " of " + access.object);
  using testing::ElementsAre;
  EXPECT_THAT(loads[18], ElementsAre("ps[i].mass of ps"));
  EXPECT_THAT(loads[19], ElementsAre("ps[i].mass of ps")) << "by two calls";
  EXPECT_THAT(loads[20], ElementsAre("ps[i].at.c[1] of ps"));
  EXPECT_THAT(loads[21], ElementsAre("one->mass of one"));
  EXPECT_THAT(loads[22], ElementsAre("one->mass of one"));
  EXPECT_THAT(loads[23], ElementsAre("ps[i + 1].mass of ps"));
  EXPECT_THAT(loads[24], ElementsAre("ps[i + 2].at.c[0] of ps"));
  EXPECT_THAT(loads[25], ElementsAre("f[i + 32] of f", "f[i] of f"));
  EXPECT_THAT(loads[26], ElementsAre("h[i].bits of h"));
  EXPECT_THAT(loads[27], ElementsAre("all[i].mass of all"))
      << "a pointer leads out of the object";
  EXPECT_THAT(loads[29], ElementsAre("mine.mass of mine"));
}

// What has to go into registers is the array, and not all of its class.
TEST(AccessNamer, AnArrayInAVariableKeepsItsName) {
  const SourceModel model = readText(R"(
struct Cipher {
  int block[16];
  __device__ int at(int i) const { return block[i]; }
};
__global__ void k(const int *key, int *out, int n) {
  Cipher cipher;
  for (int i = 0; i < 16; ++i) cipher.block[i] = key[i];
  out[threadIdx.x] = cipher.at(n);
}
)",
                                     false);
  ASSERT_EQ(model.kernels.size(), 1u);
  const Access *load = nullptr;
  for (const Access &access : model.kernels[0].accesses)
    if (access.text == "block[i]")
      load = &access;
  ASSERT_TRUE(load);
  EXPECT_EQ(load->object, "block");
}

// `out[i]` of PyTorch's accessor: its stride was "4 * i bytes", and large.
TEST(AccessNamer, AVectorOfALibraryHasOneIndex) {
  InputFolder folder;
  folder.write("lib/accessor.h", R"(
template <int N> struct Row {
  float *data; const int *strides;
  __device__ Row<N - 1> operator[](int i) {
    return {data + strides[0] * i, strides + 1};
  }
};
template <> struct Row<1> {
  float *data; const int *strides;
  __device__ float &operator[](int i) { return data[strides[0] * i]; }
};
struct Matrix {
  float *data; int strides[2];
  __device__ Row<1> operator[](int i) { return {data + strides[0] * i, strides + 1}; }
};
struct Vector {
  float *data; int strides[1];
  __device__ float &operator[](int i) { return data[strides[0] * i]; }
};
)");
  const SourceModel model = readText(R"(
#include <accessor.h>
struct Own { float *data; int stride; __device__ float &operator[](int i) { return data[stride * i]; } };
__global__ void k(Vector x, Vector out, Matrix m, Own own, float *p) {
  int i = threadIdx.x;
  out[i] = x[i];
  p[i] = m[i][0];
  p[i] = own[i];
}
)",
                                     false, {"-isystem", folder.path + "/lib"});
  ASSERT_EQ(model.kernels.size(), 1u);
  std::map<std::string, bool> ofVector, ofOperator;
  for (const Access &access : model.kernels[0].accesses)
    if (access.space != Space::Parameter)
      ofVector[access.text] = access.ofVector,
      ofOperator[access.text] = access.ofOperator;
  EXPECT_TRUE(ofVector.at("x[i]"));
  EXPECT_TRUE(ofVector.at("out[i]"));
  EXPECT_FALSE(ofVector.at("m[i][0]"));
  EXPECT_FALSE(ofVector.at("p[i]"));
  EXPECT_FALSE(ofVector.at("own[i]"));
  EXPECT_TRUE(ofOperator.at("own[i]"));
  EXPECT_TRUE(ofOperator.at("x[i]"));
  EXPECT_FALSE(ofOperator.at("m[i][0]"));
  EXPECT_FALSE(ofOperator.at("p[i]"));
  const ExpressionGraph &graph = model.kernels[0].graph;
  for (ValueId id = 0; id < graph.size(); ++id)
    if (graph.node(id).op == Op::Uniform || graph.node(id).op == Op::Parameter)
      EXPECT_NE(graph.text(id), "i") << "a stride has the name of the index";
}

// 'get.factor' of a lambda, for the 'this' of the function that it stands in.
TEST(AccessNamer, ALambdaHasTheThisOfItsFunction) {
  const SourceModel model = readText(R"(
struct Row {
  float factor, rest;
  __device__ float twice() const {
    auto get = [this] { return factor; };
    return 2 * get();
  }
};
__global__ void k(const Row *rows, float *f) {
  f[threadIdx.x] = rows[threadIdx.x].twice();
}
)",
                                     false);
  EXPECT_THAT(textsOfLoads(model), testing::ElementsAre("factor"));
}

// A macro's two calls have one place, and the wrong name is worse than none.
TEST(AccessNamer, CallsAtOnePlaceNameNothing) {
  const SourceModel model = readText(R"(
struct P { float m, n; __device__ float get() const { return m; } };
#define BOTH(a, b) (a[i].get() - b[i].get())
__global__ void k(const P *a, const P *b, float *f) {
  int i = threadIdx.x;
  f[i] = BOTH(a, b);
}
)",
                                     false);
  EXPECT_THAT(textsOfLoads(model), testing::ElementsAre("m", "m"));
}

// "store of ''", of what a library constructs with the user's constructor.
TEST(AccessNamer, AMemberThatAConstructorInitialisesHasItsName) {
  const SourceModel model = readText(R"(
inline __device__ void *operator new(decltype(sizeof 0), void *p) { return p; }
struct P {
  double mass, ratio;
  __device__ P(double m) : mass(m), ratio(m / 2) {}
};
__global__ void k(P *p) { new (p + threadIdx.x) P(2); }
)",
                                     false);
  ASSERT_EQ(model.kernels.size(), 1u);
  std::set<std::string> stores;
  for (const Access &access : model.kernels[0].accesses)
    if (access.operation == Operation::Store)
      stores.insert(access.text + " of " + access.object);
  EXPECT_THAT(stores, testing::ElementsAre("mass of p", "ratio of p"));
}

// HeCBench's s3d stored to 'C[(((1) - 1) * ((blockDim.x * gridDim.x))) + (thr...'.
TEST(AccessNamer, AMacroOfAMacroIsNamedAsItIsWritten) {
  const SourceModel model = readText(R"(
#define N (blockDim.x * gridDim.x)
#define AT(p, z) (p[(((z) - 1) * (N)) + threadIdx.x + blockIdx.x * blockDim.x])
#define C(q) AT(C, q)
#define Y(q) AT(Y, q)
__global__ void k(float *C, const float *Y) { C(1) = Y(2) * 3; }
)");
  ASSERT_EQ(model.kernels.size(), 1u);
  std::set<std::string> texts;
  for (const Access &access : model.kernels[0].accesses)
    if (access.space != Space::Parameter)
      texts.insert(access.text + " of " + access.object);
  EXPECT_THAT(texts, testing::ElementsAre("C(1) of C", "Y of Y"));
}

// A load without a name, and a pad for it: the matrices that an instruction of a
// macro loads from an address that is a number.
TEST(AccessNamer, AssemblyInAMacroIsNamedByItsObject) {
  const SourceModel model = readText(R"(
#define LOAD(r, at) \
  asm volatile("ldmatrix.sync.aligned.x1.m8n8.shared.b16 {%0}, [%1];" \
               : "=r"(r) : "r"(at))
__global__ void k(unsigned *out) {
  __shared__ short tile[32][128];
  tile[threadIdx.x][0] = 1;
  unsigned found;
  LOAD(found, (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x][8]));
  out[threadIdx.x] = found;
}
)",
                                     hasToolkit());
  ASSERT_EQ(model.kernels.size(), 1u);
  for (const Access &access : model.kernels[0].accesses)
    if (access.place.line == 9) {
      EXPECT_EQ(access.text + " of " + access.object, "tile of tile");
    }
}

// 'load of a[3 * i] * b[i]': of which of them?
TEST(AccessNamer, AFactorIsNotItsProduct) {
  InputFolder folder;
  folder.write("lib/half.h",
               "struct half_t { unsigned short bits; };\n"
               "__device__ inline half_t operator*(const half_t &a,\n"
               "                                   const half_t &b) {\n"
               "  return {(unsigned short)(a.bits * b.bits)};\n"
               "}\n");
  const SourceModel model = readText(R"(
#include <half.h>
__global__ void k(const half_t *a, const half_t *b, half_t *out) {
  const int i = threadIdx.x;
  out[i] = a[3 * i] * b[i];
}
)",
                                     false, {"-isystem", folder.path + "/lib"});
  ASSERT_EQ(model.kernels.size(), 1u);
  std::set<std::string> loads;
  for (const Access &access : model.kernels[0].accesses)
    if (access.operation == Operation::Load && access.space != Space::Parameter)
      loads.insert(access.text);
  EXPECT_THAT(loads, testing::ElementsAre("a[3 * i]", "b[i]"));
}

} // namespace warplint
