// A build's command to what is linted of it.
#include "input/compile_step.h"
#include <gtest/gtest.h>

namespace warplint {
namespace {

TEST(CompileStep, CompilesAreToldFromOtherCommands) {
  auto step = [](std::vector<std::string> words) {
    return compileStep(words, "/w");
  };
  auto object = [&](std::vector<std::string> words) {
    auto found = step(std::move(words));
    return found ? found->object : "";
  };
  EXPECT_EQ(object({"nvcc", "-c", "s/a.cu"}), "/w/a.o");
  EXPECT_EQ(object({"nvcc", "-dc", "s/a.cu", "-odir", "out"}), "/w/out/a.o");
  EXPECT_EQ(object({"nvcc", "-c", "a.cu", "-ox.o"}), "/w/x.o");
  EXPECT_EQ(object({"nvcc", "-c", "a.cu", "--output-file=/x.o"}), "/x.o");
  EXPECT_EQ(object({"ccache", "nvcc", "-MD", "-MT", "t.cu", "-MF", "m.cu", "-x",
                    "cu", "-c", "a.cpp", "-o", "a.o"}),
            "/w/a.o");
  EXPECT_EQ(object({"clang++", "-x", "cuda", "-c", "a.cpp"}), "/w/a.o");
  EXPECT_EQ(object({"nvcc_wrapper", "-c", "a.cpp"}), "/w/a.o");
  EXPECT_EQ(object({"g++", "-c", "a.cpp"}), "");
  EXPECT_EQ(object({"nvcc", "-c", "a.cu", "b.cu"}), "");
  EXPECT_EQ(object({"nvcc", "a.cu"}), "");
  EXPECT_EQ(object({"nvcc", "--device-link", "-c", "a.cu"}), "");
  EXPECT_EQ(object({}), "");
  // A build's, without a look at the source.
  EXPECT_EQ(objectOf({"nvcc", "-c", "gone.cu", "-o", "o/a.o"}, "/w"),
            "/w/o/a.o");
  EXPECT_EQ(objectOf({"nvcc", "gone.cu", "-o", "a.out"}, "/w"), "");
  EXPECT_EQ(objectOf({"nvcc", "-ptx", "gone.cu", "-o", "a.o"}, "/w"), "");
  EXPECT_TRUE(step({"nvcc", "-c", "a.cu"})->takesReportFlag);
  EXPECT_FALSE(step({"clang++", "-c", "a.cu"})->takesReportFlag);
  EXPECT_FALSE(step({"kokkos_launch_compiler", "nvcc_wrapper", "g++", "g++",
                     "-c", "a.cu"})
                   ->takesReportFlag);
}

} // namespace
} // namespace warplint
