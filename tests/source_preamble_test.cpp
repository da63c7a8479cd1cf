// What is read after a kept preamble is what is read without one.
#include "cache/record.h"
#include "os/scratch.h"
#include "source/parse.h"
#include "source/read.h"
#include "tests/nvcc.h"
#include <gmock/gmock.h>

using namespace testing;

namespace warplint {
namespace {

constexpr const char *header = R"(#pragma once
#include "view.h"
#define SCALE 3
template <class T> __global__ void scale(View<T> v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v(i, 0) = once(v(i, 1)) * T(SCALE);
}
__global__ void fill(float *p, int n) {
  for (int i = threadIdx.x; i < n; i += 64) p[i * 32] = table[i % 4];
}
static __global__ void unused(float *p) { p[threadIdx.x * 2] = 1; }
struct Launcher {
  static void run(float *p, int n) { fill<<<1, 64>>>(p, n); }
};
namespace deep { inline void run(float *p) { scale<<<7, 96>>>(View<float>{p, 8}, 96); } }
)";

constexpr const char *view = R"(
__constant__ float table[4] = {1, 2, 3, 4};
static __device__ float once(float x) { return x * x; } // warplint: allow all
template <class T> struct View {
  T *data; int pitch;
  __device__ T &operator()(int i, int j) const { return data[i * pitch + j]; }
};
)";

constexpr const char *text = R"(// a source
#include "fields.h"
#include "fields.h"
#define OWN 5
__device__ float own(float x) { return once(x) + OWN; }
__global__ void mine(View<float> v) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = own(v(threadIdx.x, 3));
  __syncthreads();
  v(threadIdx.x, 1) = tile[threadIdx.x][1] + table[threadIdx.x % 4];
}
void host(float *p, double *d) {
  mine<<<4, 32>>>(View<float>{p, 16});
  scale<<<2, 128>>>(View<double>{d, 4}, 256);
  Launcher::run(p, 100);
  deep::run(p);
}
)";

class AfterAPreamble : public Test {
protected:
  Scratch scratch = llvm::cantFail(Scratch::create());
  const Store kept{scratch.path("kept")};
  std::string source = scratch.path("k.cu");
  // Less than this is read again in no time.
  const std::string long_ = "\n//" + std::string(1 << 16, '-') + "\n";

  void SetUp() override {
    writeFile(scratch.path("fields.h"), header + long_);
    writeFile(scratch.path("view.h"), view);
  }

  Command command() const {
    return {source, scratch.folder().str(), {"nvcc", source}};
  }

  /// The file of the preamble that it used, or "".
  std::string preambleOf(const std::string &text, const Buffers &buffers = {}) {
    writeFile(source, text);
    auto parsed = parse(command(), translate(command().arguments, std::nullopt),
                        std::nullopt, WARPLINT_RESOURCE_DIR, kept, buffers);
    EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    return parsed ? (*parsed)->preamble : "";
  }

  SourceModel read(const std::string &text, bool keeps) {
    writeFile(source, text);
    auto model =
        readSource(command(), translate(command().arguments, std::nullopt),
                   std::nullopt, WARPLINT_RESOURCE_DIR, keeps ? kept : Store());
    EXPECT_TRUE(bool(model)) << llvm::toString(model.takeError());
    return model ? std::move(*model) : SourceModel();
  }

  /// All that does not depend on where the headers come from.
  static std::string allBut(SourceModel model) {
    model.asked.clear();
    model.libraries.reset();
    model.systemFiles.clear();
    return toRecord(model);
  }

  void makePreamble() {
    for (const char *edit : {"// 1\n", "// 2\n", "// 3\n", "// 4\n"})
      preambleOf(std::string(text) + edit);
  }
};

} // namespace

TEST_F(AfterAPreamble, TheSourceIsWhatItIsWithoutOne) {
  EXPECT_EQ(preambleOf(text), "");
  makePreamble();
  ASSERT_NE(preambleOf(text), "");
  const SourceModel with = read(text, true), without = read(text, false);
  EXPECT_TRUE(allBut(with) == allBut(without));
  EXPECT_EQ(with.kernels.size(), 5u);
  EXPECT_EQ(with.outline.launches.size(), 4u);
  EXPECT_THAT(with.outline.userFiles,
              UnorderedElementsAre(source, scratch.path("fields.h"),
                                   scratch.path("view.h")));
  EXPECT_THAT(with.outline.markedFiles, ElementsAre(scratch.path("view.h")));
  EXPECT_THAT(with.asked, IsSupersetOf({scratch.path("fields.h"),
                                        scratch.path("view.h"), source}));
}

TEST_F(AfterAPreamble, AnotherHeaderMeansAnotherPreamble) {
  makePreamble();
  writeFile(scratch.path("view.h"), view + std::string("#define OWN 6\n"));
  EXPECT_EQ(preambleOf(text), "");
  // The text up to the first declaration is the preamble's own.
  writeFile(scratch.path("view.h"), view);
  makePreamble();
  ASSERT_NE(preambleOf(text), "");
  EXPECT_EQ(preambleOf(std::string("#define SCALE 4\n") + text), "");
}

// Dozens of generated sources include one header.
TEST_F(AfterAPreamble, SourcesThatBeginAlikeShareOne) {
  for (const char *name : {"a.cu", "b.cu", "c.cu", "d.cu"}) {
    source = scratch.path(name);
    EXPECT_EQ(preambleOf(std::string("/* ") + name + " */" + text) == "",
              std::string(name) != "d.cu")
        << name;
  }
  source = scratch.path("e.cu");
  const SourceModel with = read(text, true), without = read(text, false);
  EXPECT_TRUE(allBut(with) == allBut(without));
  EXPECT_THAT(with.outline.userFiles,
              UnorderedElementsAre(source, scratch.path("fields.h"),
                                   scratch.path("view.h")));
}

// Each key that one types in an editor would have the headers read again.
TEST_F(AfterAPreamble, ErrorsOfTheSourceAreItsOwn) {
  makePreamble();
  const std::string wrong = std::string(text) + "__global__ void half( {\n";
  EXPECT_NE(preambleOf(wrong), "");
  EXPECT_NE(preambleOf(text, {{source, wrong}}), "");
  const SourceModel with = read(wrong, true), without = read(wrong, false);
  EXPECT_TRUE(allBut(with) == allBut(without));
  EXPECT_THAT(with.outline.errors, Not(IsEmpty()));
}

} // namespace warplint
