// Kernels in headers that nothing includes were passed over in silence.
#include "program_runs.h"

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

struct UnreadHeaders : testing::Test {
  InputFolder folder;
  const std::string kernel = "__global__ void k(float *a) { *a = 1; }\n";
  std::string report() {
    const auto run = runProgram({"check", "--no-judge", folder.path});
    return run.out + run.err;
  }
};

} // namespace

TEST_F(UnreadHeaders, AreNamed) {
  folder.write("a.cu", "#include \"read.cuh\"\n");
  folder.write("read.cuh", kernel);
  folder.write("types.cuh", "struct Point { float x, y; };\n");
  EXPECT_THAT(report(), Not(HasSubstr("header has kernels")));
  folder.write("alone.cuh", "#pragma once\n" + kernel);
  EXPECT_THAT(report(), HasSubstr("1 header has kernels, and no source "
                                  "that was read includes it: '" +
                                  folder / "alone.cuh"));
  EXPECT_THAT(report(), HasSubstr("alone.cuh"))
      << "from the cache, whose sources are not read again";
  folder.write("other.cuh", "#pragma once\n" + kernel);
  EXPECT_THAT(report(), HasSubstr("2 headers have kernels, and no source "
                                  "that was read includes them: first"));
}

// Without a source the headers are linted as if they were named.
TEST_F(UnreadHeaders, AreReadWhereThereIsNothingElse) {
  folder.write("alone.cuh", "#pragma once\n" + kernel);
  EXPECT_THAT(report(), Not(HasSubstr("header has kernels")));
  EXPECT_THAT(report(), HasSubstr("1 kernel"));
}

// A header of C++ may have kernels as well.
TEST_F(UnreadHeaders, OfAnyExtensionAreNamed) {
  folder.write("a.cu", "#include \"read.h\"\n");
  folder.write("read.h", kernel);
  folder.write("host.hpp", "void run();\n");
  EXPECT_THAT(report(), Not(HasSubstr("header has kernels")));
  folder.write("alone.hpp", "#pragma once\n" + kernel);
  EXPECT_THAT(report(), HasSubstr("1 header has kernels, and no source that "
                                  "was read includes it: '" +
                                  folder / "alone.hpp"));
}
