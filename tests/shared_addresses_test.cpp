// Address arithmetic that a compiler makes once: a stencil's five neighbours
// are one address and four distances.
#include "ir/shared_addresses.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// Additions and products of whole numbers in the kernel's only piece of code.
unsigned integers(const std::string &body) {
  const SourceModel model =
      readText("__global__ void k(float *out, const float *a, int n, int i, "
               "int j, unsigned u) {\n" +
               body + "\n}\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  unsigned count = 0;
  for (const Computation &one : model.kernels.at(0).operations)
    count += !isFloat(one.type) &&
             (one.kind == Compute::Add || one.kind == Compute::Subtract ||
              one.kind == Compute::Multiply);
  return count;
}

} // namespace

TEST(SharedAddresses, AConstantDistanceIsPartOfTheAccess) {
  const unsigned one = integers("out[i * 512 + j] = a[i * 512 + j];");
  EXPECT_EQ(integers("out[i * 512 + j] = a[i * 512 + j] + a[i * 512 + j + 1] + "
                     "a[(i + 1) * 512 + j] + a[(i - 1) * 512 + (j - 1)];"),
            one);
  EXPECT_EQ(integers("out[i * n + j] = a[i * n + j] + a[i * n + j + 2];"),
            integers("out[i * n + j] = a[i * n + j];"));
}

TEST(SharedAddresses, OtherTermsCount) {
  EXPECT_GT(integers("out[i * n + j] = a[i * n + j] + a[j * n + i];"),
            integers("out[i * n + j] = a[i * n + j];"));
  EXPECT_GT(integers("out[i * n + j] = a[i * n + j] + a[(i + 1) * n + j];"),
            integers("out[i * n + j] = a[i * n + j];"))
      << "the distance is no constant";
  EXPECT_GT(integers("out[u] = a[u] + a[u + 1];"), integers("out[u] = a[u];"))
      << "an unsigned sum may wrap";
}

// A value that is stored or compared is needed, whatever addresses share.
TEST(SharedAddresses, WhatServesOtherThingsCounts) {
  EXPECT_EQ(integers("int at = i * 512 + j; a += 0; int next = at + 1;"
                     "out[at] = a[at] + a[next] + next;"),
            integers("int at = i * 512 + j; int next = at + 1;"
                     "out[at] = a[at] + next;"));
}

// ptxas adds the constant in the access (nvcc 13.0): a halo's three reads would
// else cost nine additions.
TEST(SharedAddresses, WhatWrapsInSharedMemoryWrapsInItsAddress) {
  const std::string declared = "__shared__ float s[512]; ";
  EXPECT_EQ(integers(declared + "s[u] = a[i]; out[i] = s[u - 1] + s[u + 1];"),
            integers(declared + "s[u] = a[i]; out[i] = s[u] + s[u];"));
}

TEST(SharedAddresses, WhatDominatesABlockServesIt) {
  const std::string first = "out[i * 512 + j] = a[i]; ";
  EXPECT_EQ(integers(first + "if (n) out[i * 512 + j + 3] = 2;"),
            integers(first));
  EXPECT_GT(
      integers("if (n) out[i * 512 + j] = a[i]; out[i * 512 + j + 3] = 2;"),
      integers(first))
      << "where n is 0, nothing has computed it";
}

TEST(SharedAddresses, AddressesOfTwoBranchesDoNotShare) {
  EXPECT_GT(integers("if (n) out[i * 512 + j] = 1; else if (i) "
                     "out[i * 512 + j + 3] = 2;"),
            integers("if (n) out[i * 512 + j] = 1;"));
}

} // namespace warplint
