// Copies of vectors move all bytes at once, whatever memory they are in.
#include "read_text.h"
#include "source/copied_alignment.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The bytes of the accesses to `space` in a kernel with this body.
std::vector<unsigned> bytesOf(const std::string &body,
                              Space space = Space::Shared) {
  const SourceModel model = readText(
      "struct __align__(16) V { float x, y, z, w; };\n"
      "struct P { float x, y, z, w; };\n"
      "__device__ inline void fill(V *to, const V *from) { *to = *from; }\n"
      "#define V4(x) (reinterpret_cast<V *>(&(x))[0])\n"
      "__global__ void k(float *p, P *q, V *out) {\n"
      "  __shared__ float tile[8][128];\n"
      "  int i = threadIdx.x;\n  " +
      body + "\n}\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << error.text;
  std::vector<unsigned> bytes;
  for (const Kernel &kernel : model.kernels)
    for (const Access &access : kernel.accesses)
      if (access.space == space)
        bytes.push_back(access.bytes);
  return bytes;
}

const std::vector<unsigned> whole = {16}, single = {4, 4, 4, 4};

} // namespace

// A tile of floats that vectors fill: four stores of four bytes have other
// conflicts, and their loads other requests.
TEST(CopiedAlignment, ACastOfAnArrayIsTrusted) {
  EXPECT_EQ(bytesOf("*(V *)&tile[0][4 * i] = ((V *)p)[i];"), whole);
  EXPECT_EQ(bytesOf("*(V *)&tile[0][4 * i] = ((V *)p)[i];", Space::Global),
            whole);
  EXPECT_EQ(bytesOf("V4(tile[0][4 * i]) = V4(p[4 * i]);"), whole);
}

TEST(CopiedAlignment, AnInitialiserIsACopy) {
  EXPECT_EQ(bytesOf("V v = *(V *)&tile[0][4 * i];\n  out[i] = v;"), whole);
  EXPECT_EQ(bytesOf("V v;\n  v = V4(tile[0][4 * i]);\n  out[i] = v;"), whole);
}

TEST(CopiedAlignment, AnArrayOfAThreadIsNoReasonToSplit) {
  EXPECT_EQ(bytesOf("float own[4];\n"
                    "  V4(own[0]) = V4(tile[0][4 * i]);\n"
                    "  p[i] = own[0] + own[1] + own[2] + own[3];"),
            whole);
}

TEST(CopiedAlignment, TheTypeOfTheCopyDecides) {
  EXPECT_EQ(bytesOf("*(P *)&tile[0][4 * i] = q[i];"), single);
  EXPECT_EQ(bytesOf("__builtin_memcpy(&tile[0][4 * i], &out[i], 16);"), single);
}
