// The arguments of launches by the runtime's functions: what a kernel's size is
// would be unknown in every source that launches cooperatively.
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {
namespace {

/// "5 ?": the kernel's `n` and `m` as the first launch passes them.
std::string passed(const std::string &host) {
  SourceModel model = readText(
      "__global__ void k(float *p, int n, int m) { p[n] = m; }\n" + host, true);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  if (model.outline.launches.empty())
    return "no launch";
  const auto &arguments = model.outline.launches.front().arguments;
  std::string text;
  for (size_t i = 1; i < 3; ++i)
    text += (i > 1 ? " " : "") + (i < arguments.size() && arguments[i]
                                      ? std::to_string(*arguments[i])
                                      : "?");
  return text;
}

class PackedArguments : public testing::Test {
  void SetUp() override {
    if (!hasToolkit())
      GTEST_SKIP() << "no CUDA toolkit: its launch functions are not read";
  }
};

TEST_F(PackedArguments, AreReadAsThoseOfALaunch) {
  EXPECT_EQ(passed("void run(float *p, int m) { int n = 5;\n"
                   "void *packed[] = {&p, &n, &m};\n"
                   "cudaLaunchKernel((const void *)k, dim3(1), dim3(32), "
                   "packed, 0, 0); }"),
            "5 ?");
  EXPECT_EQ(passed("void run(float *p) { int n = 5, m = 7;\n"
                   "void *packed[3] = {(void *)&p, (void *)&n, "
                   "reinterpret_cast<void *>(&m)};\n"
                   "cudaLaunchCooperativeKernel((void *)k, 1, 32, packed); }"),
            "5 7");
  EXPECT_EQ(passed("void run(float *p) { int n = 5, m = 7;\n"
                   "void *packed[] = {&p, &n, &m}; cudaLaunchConfig_t c = {};\n"
                   "c.gridDim = 4; c.blockDim = 64;\n"
                   "cudaLaunchKernelExC(&c, (void *)k, packed); }"),
            "5 7");
}

// The kernel gets what the variable holds at the launch.
TEST_F(PackedArguments, AreUnknownWhereTheVariableChangesLater) {
  for (const char *change : {"n = 6;", "++n;", "set(&n);", "int &r = n;"})
    EXPECT_EQ(passed("void set(int *);\n"
                     "void run(float *p) { int n = 5, m = 7;\n"
                     "void *packed[] = {&p, &n, &m}; " +
                     std::string(change) +
                     "\ncudaLaunchKernel((const void *)k, 1, 32, packed); }"),
              "? ?")
        << change;
  EXPECT_EQ(passed("void set(int);\n"
                   "void run(float *p) { int n = 4, m = 7; n = 5;\n"
                   "void *packed[] = {&p, &n, &m}; set(n);\n"
                   "cudaLaunchKernel((const void *)k, n, 32, packed); }"),
            "5 7");
}

TEST_F(PackedArguments, AreUnknownWhereAnElementMayBeWritten) {
  for (const char *use :
       {"packed[1] = &m;", "change(packed);", "void **q = packed;"})
    EXPECT_EQ(passed("void change(void **);\n"
                     "void run(float *p) { int n = 5, m = 7;\n"
                     "void *packed[] = {&p, &n, &m}; " +
                     std::string(use) +
                     "\ncudaLaunchKernel((const void *)k, 1, 32, packed); }"),
              "? ?")
        << use;
  EXPECT_EQ(passed("void run(float *p, void **packed) {\n"
                   "cudaLaunchKernel((const void *)k, 1, 32, packed); }"),
            "? ?");
  EXPECT_EQ(passed("void run(float *p, int *n) { int m = 7;\n"
                   "void *packed[] = {&p, n, &m};\n"
                   "cudaLaunchKernel((const void *)k, 1, 32, packed); }"),
            "? ?");
}

} // namespace
} // namespace warplint
