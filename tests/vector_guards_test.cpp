// A kernel that moves vectors where an address allows it moves vectors: its way
// for other addresses costs nothing as a rule.
#include "cost/frequency.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct Found {
  double wide = 0, narrow = 0; ///< how often a warp executes the stores
};

Found storesOf(const std::string &body, const std::string &size = "n") {
  const SourceModel model =
      readText("struct alignas(16) Vector { int x, y, z, w; };\n"
               "__global__ void k(int *out, const int *in, int n, int ld) {\n"
               "  int i = blockIdx.x * 256 + threadIdx.x;\n" +
               body +
               "}\nvoid run(int *out, int *in, int n, int ld) {\n"
               "  k<<<1024, 256>>>(out, in, " +
               size + ", ld);\n}\n");
  EXPECT_EQ(model.kernels.size(), 1u);
  Found found;
  for (const Kernel &kernel : model.kernels) {
    Frequencies frequencies(kernel, kernel.shapes[0]);
    for (const Access &access : kernel.accesses)
      if (access.operation == Operation::Store)
        (access.bytes == 16 ? found.wide : found.narrow) +=
            frequencies.of(access.loops, access.guard).perWarp;
  }
  return found;
}

} // namespace

// TransformerEngine's Vec::store_to_elts: 60 % and 40 % of kernels were said to
// be lost in its loop over the elements.
TEST(VectorGuards, TheWayForOtherAddressesIsRare) {
  for (const char *guard :
       {"(size_t)p % 16 == 0", "!((size_t)p & 15)",
        "(((size_t)p | (size_t)out) & 15) == 0", "ld % 4 == 0",
        "ld % 4 == 0 && (size_t)out % 16 == 0"}) {
    const Found found =
        storesOf(std::string("  int *p = out + i * ld;\n  if (") + guard +
                 ") *(Vector *)p = *(const Vector *)(in + 4 * i);\n"
                 "  else for (int j = 0; j < 4; ++j) p[j] = in[4 * i + j];\n");
    EXPECT_EQ(found.wide, 1) << guard;
    EXPECT_EQ(found.narrow, 0) << guard;
  }
}

TEST(VectorGuards, TheLastElementsAreMovedOneByOne) {
  const Found found = storesOf(
      "  int *p = out + i * ld;\n"
      "  for (int at = 4 * i; at < n; at += 1 << 20)\n"
      "    if (at + 4 > n || (size_t)p % 16) {\n"
      "      for (int j = 0; j < 4; ++j) if (at + j < n) p[j] = in[at + j];\n"
      "    } else *(Vector *)p = *(const Vector *)(in + at);\n");
  EXPECT_GT(found.wide, 0);
  EXPECT_LT(found.narrow, 0.1);
}

// What is known of a size counts, and a condition that chooses no width is any.
TEST(VectorGuards, OtherConditionsDecideAsTheyAre) {
  const std::string ways =
      ") *(Vector *)(out + 4 * i) = *(const Vector *)(in + 4 * i);\n"
      "  else for (int j = 0; j < 4; ++j) out[4 * i + j] = in[4 * i + j];\n";
  EXPECT_LT(storesOf("  if (n % 4 == 0" + ways, "1001").wide, 0.001);
  EXPECT_GT(storesOf("  if (n % 4 == 0" + ways, "1001").narrow, 0);
  EXPECT_GT(storesOf("  if (i % 2 == 0" + ways).narrow, 0)
      << "half of the lanes";
  EXPECT_GT(storesOf("  if ((ld & 1) == 0" + ways).narrow, 0)
      << "a flag, no four elements";
  EXPECT_GT(
      storesOf("  if (n % 4 == 0) out[i] = 1; else out[i] = in[i];\n").narrow,
      0.9);
}
