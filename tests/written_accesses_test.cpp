// The names of accesses are what a user reads first in a report.
#include "source/written_accesses.h"
#include "read_text.h"
#include <gmock/gmock.h>

namespace warplint {

namespace {

const Access *find(const SourceModel &model, llvm::StringRef text) {
  for (const Kernel &kernel : model.kernels)
    for (const Access &access : kernel.accesses)
      if (access.text == text)
        return &access;
  return nullptr;
}

} // namespace

// No check would speak of a library's atomic: it has one form there.
TEST(WrittenAccesses, AtomicsThatALibraryMakesAreTheUsers) {
  if (!hasToolkit())
    GTEST_SKIP() << "no CUDA toolkit: its libraries are not read";
  SourceModel model = readText(R"(
#include <cuda/atomic>
__device__ float *where(float *p) { return p; }
__global__ void k(cuda::atomic<int> *member, int *by, unsigned *ours, float *f, bool *flag) {
  member->fetch_add(by[threadIdx.x]);
  cuda::std::atomic_ref<int> one(by[40]);
  one += threadIdx.x;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> two(*ours);
  two.fetch_max(threadIdx.x, cuda::memory_order_relaxed);
  atomicAdd(where(f), 1.f);
  while (!cuda::atomic_ref<bool>(*flag).load())
    ;
}
)",
                               true, {"-std=c++17"});
  ASSERT_EQ(model.kernels.size(), 1u);
  std::vector<std::string> atomics;
  for (const Access &access : model.kernels[0].accesses) {
    if (access.operation == Operation::Load && access.bytes == 1) {
      EXPECT_TRUE(access.isVolatile) << access.text;
    }
    if (access.operation != Operation::Atomic)
      continue;
    EXPECT_FALSE(access.inLibrary) << access.text;
    atomics.push_back(access.text + (access.isSum ? " sums" : "") +
                      (access.isCombined ? " combined" : ""));
  }
  EXPECT_THAT(atomics,
              testing::ElementsAre("member sums combined", "one sums combined",
                                   "two combined", "where(f) sums"));
}

TEST(WrittenAccesses, NamesAreThoseOfTheSource) {
  SourceModel model = readText(R"(
__device__ float twice(const float *p, int i) {
  return p[2 * i];
}
__device__ float inner(const float *q) { return twice(q, threadIdx.x); }
struct Args { const float *cols; int ld; };
__global__ void k(Args a, float *out, const float *in) {
  int r = threadIdx.x, c = blockIdx.x;
  out[r] = a.cols[r * a.ld + c];
  *(out + r) = inner(in);
  float *q = out;
  *q++ = 1;
}
template <class T> struct V { T v[3]; };
template <class T> __global__ void t(V<T> *to, const V<T> *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
template __global__ void t<float>(V<float> *, const V<float> *);
)");
  const Access *load = find(model, "a.cols[r * a.ld + c]");
  ASSERT_TRUE(load);
  EXPECT_EQ(load->object, "a.cols");
  const Access *plus = find(model, "*(out + r)");
  ASSERT_TRUE(plus);
  EXPECT_EQ(plus->object, "out");
  const Access *next = find(model, "*q++");
  ASSERT_TRUE(next);
  EXPECT_EQ(next->object, "q");
  const Access *inner = find(model, "p[2 * i]");
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->place.line, 3u);
  ASSERT_EQ(inner->callSites.size(), 2u);
  EXPECT_EQ(inner->callSites[0].line, 10u) << "the outermost call comes first";
  EXPECT_EQ(inner->callSites[1].line, 5u);
  // A structure that is copied is read on the right.
  const Access *from = find(model, "from[threadIdx.x]");
  ASSERT_TRUE(from);
  EXPECT_EQ(from->operation, Operation::Load);
  const Access *to = find(model, "to[threadIdx.x]");
  ASSERT_TRUE(to);
  EXPECT_EQ(to->operation, Operation::Store);
}

} // namespace warplint
