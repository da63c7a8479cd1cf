// The reports of a build to one.
#include "tests/launcher.h"
#include <gmock/gmock.h>

using namespace testing;

namespace warplint {
namespace {

using Collect = LauncherTest;

TEST_F(Collect, AFindingInASharedHeaderIsReportedOnce) {
  writeFile(path("k.h"), strided);
  for (const char *name : {"a", "b", "c"})
    writeFile(path(std::string(name) + ".cu"), "#include \"k.h\"\n");
  stub("touch $4");
  Outcome run = shell(
      "for s in a b c; do wrap --compile=never -- nvcc -c $s.cu -o $s.o 2> "
      "$s.err; done; rm c.o; \"$warplint\" collect .");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("1 warning"));
  EXPECT_THAT(run.out, HasSubstr("1 report is left out: its object is gone: "));
  EXPECT_THAT(readFile(path("a.err")), HasSubstr("k.h:4:12: warning"));
  EXPECT_THAT(readFile(path("b.err")), HasSubstr("k.h:4:12: warning"));
  // An object that a build without warplint made is no longer what was linted.
  run = shell("sleep 0.1; touch b.o; \"$warplint\" collect . --format json");
  EXPECT_THAT(run.out, HasSubstr("made without warplint since"));
  writeFile(path("a.o.warplint.json"), "{\"schema\": 1}");
  EXPECT_EQ(shell("\"$warplint\" collect .").code, 3);
  EXPECT_EQ(shell("\"$warplint\" collect tmp").code, 2);
  EXPECT_EQ(shell("\"$warplint\" collect none").code, 2);
}

TEST_F(Collect, CountsAllowedFindings) {
  writeFile(path("a.cu"), "__global__ void k(float *out, const float *in) {\n"
                          "  // warplint: allow(strided-global-access) once\n"
                          "  out[threadIdx.x] = in[threadIdx.x * 32];\n"
                          "}\n");
  stub("touch $4");
  Outcome run = shell("wrap --compile=never -- nvcc -c a.cu -o a.o\n"
                      "\"$warplint\" collect .");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, EndsWith("1 source, 1 allowed by comments\n"));
}

TEST_F(Collect, CountsFindings) {
  writeFile(path("a.cu"), strided);
  stub("touch $4");
  Outcome run = shell("wrap --compile=never -- nvcc -c a.cu -o a.o\n"
                      "\"$warplint\" collect . --statistics");
  EXPECT_THAT(run.out, HasSubstr("strided-global-access"));
  EXPECT_THAT(run.out, Not(HasSubstr("a.cu:")));
}

// Anybody may have put a report into a build folder.
TEST_F(Collect, OpensNoFileOutsideTheProject) {
  auto elsewhere = Scratch::create();
  ASSERT_TRUE(bool(elsewhere));
  const std::string secret = elsewhere->path("id_rsa");
  writeFile(secret, "1\n2\n3\nthe s3cret\n");
  llvm::sys::fs::create_directory(path("build"));
  writeFile(path("build/mine.cu"), "1\n2\n3\nthe own line\n");
  ASSERT_FALSE(llvm::sys::fs::create_link(secret, path("build/link.cu")));
  stub("touch $4");
  shell("wrap --compile=never -- nvcc -c a.cu -o build/a.o");
  const std::string sidecar = path("build/a.o.warplint.json");
  const std::string written = readFile(sidecar);
  for (const char *format : {"text", "html", "sarif", "json", "gitlab"})
    for (const std::string &file :
         {secret, path("build/link.cu"), std::string("/dev/zero"),
          path("build/mine.cu")}) {
      std::string forged = written;
      for (size_t at = 0;
           (at = forged.find(path("a.cu"), at)) != std::string::npos;
           at += file.size())
        forged.replace(at, path("a.cu").size(), file);
      ASSERT_NE(forged, written);
      writeFile(sidecar, forged);
      Outcome run = shell("ulimit -v 4000000; timeout 60 \"$warplint\" collect "
                          "build --format " +
                          std::string(format));
      EXPECT_EQ(run.code, 1) << format << file << run.err;
      EXPECT_THAT(run.out, Not(HasSubstr("s3cret"))) << format;
      const bool isOpen = file == path("build/mine.cu");
      if (format == std::string("text")) {
        EXPECT_EQ(run.out.find("the own line") != run.out.npos, isOpen);
        EXPECT_EQ(run.out.find("no line is shown of 1 file") != run.out.npos,
                  !isOpen);
      }
    }
}

// Such a build is usual on clusters: every finding stood at line 0.
TEST_F(Collect, ABuildBesideItsSourcesKeepsTheirLines) {
  for (const char *folder : {"source", "build"})
    llvm::sys::fs::create_directory(path(folder));
  writeFile(path("source/a.cu"), strided);
  stub("touch $4");
  shell("wrap --compile=never -- nvcc -c source/a.cu -o build/a.o");
  Outcome run = shell("cd build; \"$warplint\" collect .");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("a.cu:4:12: warning"));
  EXPECT_THAT(run.out, HasSubstr("no line is shown of 1 file"));
  EXPECT_THAT(run.out, Not(HasSubstr("4 | ")));
}

TEST_F(Collect, PageListsKernelResources) {
  const std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC HERE: what is in objects is not tested";
  Outcome run = shell("wrap -- '" + nvcc +
                      "' -arch=sm_90 -c a.cu -o a.o\n"
                      "\"$warplint\" collect . --format html -o page.html");
  EXPECT_EQ(run.code, 1) << run.err;
  EXPECT_THAT(readFile(path("page.html")), HasSubstr("\"kernel\":\"gather\""));
}

} // namespace
} // namespace warplint
