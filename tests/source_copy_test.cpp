// A fix is tried on a copy of the source and of its headers.
#include "fix_runs.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

class SourceCopy : public FixRun {};

TEST_F(SourceCopy, AFixThatDoesNotCompileIsRolledBack) {
  // A constant expression may name a const variable, and no other.
  const std::string file = folder.write("a.cu", R"(
__constant__ int table[256] = {1, 2, 3};
template <const int *P> struct Of {};
__global__ void k(const int *key, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[i & 255] + key[i];
}
#if defined(__CUDA_ARCH__)
__device__ int &writable() { return table[0]; }
#endif
)");
  const std::string before = readFile(file);
  Outcome outcome = run(
      {file, "--prove", "--all", "--minor", "--check", "divergent-constant"});
  EXPECT_THAT(outcome.out, HasSubstr("edit (safe, rolled back): line 2"));
  EXPECT_THAT(outcome.out, HasSubstr("does not compile"));
  run({file, "--fix", "--check", "divergent-constant"});
  EXPECT_EQ(readFile(file), before);
}

TEST_F(SourceCopy, AHeaderOfTwoSourcesIsEditedOnce) {
  const std::string header = folder.write("tile.cuh", transpose + 1);
  const std::string one = folder.write("one.cu", "#include \"tile.cuh\"\n"),
                    two = folder.write("two.cu", "#include \"tile.cuh\"\n");
  Outcome outcome = run({one, two, "--fix", "--check", "shared-bank-conflict"});
  EXPECT_THAT(outcome.err, HasSubstr("1 fix applied")) << outcome.out;
  const std::string text = readFile(header);
  EXPECT_THAT(text, HasSubstr("tile[32][32 + 1];"));
  EXPECT_EQ(text.find("+ 1"), text.rfind("+ 1"));
}

} // namespace
