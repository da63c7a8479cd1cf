// Tests what compiles a source, and why nothing does.
#include "program_runs.h"
#include "llvm/Support/JSON.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

TEST(CompileSources, WithoutNvccFindingsAreUnjudged) {
  InputFolder folder;
  std::string toolkit = stubToolkit(folder, "");
  if (toolkit.empty())
    GTEST_SKIP() << "NO CUDA HEADERS: a toolkit without nvcc is not tested";
  Outcome outcome = runProgram(
      {"check", "--cuda-path", toolkit, folder.write("a.cu", strided)});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("= unjudged: no nvcc found\n"));
  EXPECT_THAT(outcome.out, HasSubstr("1 warning (unjudged: no nvcc found)\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("no nvcc found; \"pip install 'warplint[nvcc]'\" "
                        "installs one, and '--cuda-path DIR' or CUDA_PATH "
                        "names another toolkit\n"));
}

TEST(CompileSources, AnUnjudgedFindingQuotesNvccsError) {
  InputFolder folder;
  std::string toolkit = stubToolkit(
      folder,
      "#!/bin/sh\necho 'nvcc fatal   : no licence today' >&2\nexit 1\n");
  if (toolkit.empty())
    GTEST_SKIP() << "NO CUDA HEADERS: an nvcc that fails is not tested";
  Outcome outcome = runProgram(
      {"check", "--cuda-path", toolkit, folder.write("a.cu", strided)});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("= unjudged: "));
  EXPECT_THAT(outcome.out, HasSubstr("no licence today"));
}

TEST(CompileSources, WithoutATemporaryFolderFindingsAreUnjudged) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: judging without a temporary folder is not tested";
  InputFolder folder;
  Environment temporary("TMPDIR", "/none/such");
  Outcome outcome = runProgram({"check", folder.write("a.cu", strided)});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("= unjudged: no temporary folder can be "
                                     "made in '/none/such'"));
}

// nvcc's programs end without a word where the disk is full.
TEST(CompileSources, ATemporaryFolderThatHoldsLittleIsNamed) {
  InputFolder folder;
  std::string toolkit = stubToolkit(folder, "#!/bin/sh\nexit 1\n");
  if (toolkit.empty())
    GTEST_SKIP() << "NO CUDA HEADERS: an nvcc that fails is not tested";
  std::filesystem::create_directory(folder / "tiny");
  const std::string mounted = "unshare -rm sh -c 'mount -t tmpfs -o size=64k "
                              "tmpfs \"" +
                              folder / "tiny" + "\" && ";
  if (std::system((mounted + "true' 2>/dev/null").c_str()))
    GTEST_SKIP() << "NO MOUNTS: a small temporary folder is not tested";
  const std::string source = folder.write("a.cu", strided);
  std::system((mounted + "TMPDIR=\"" + folder / "tiny" + "\" " +
               WARPLINT_BINARY + " check --no-cache --cuda-path \"" + toolkit +
               "\" \"" + source + "\" > \"" + folder / "out" + "\"'")
                  .c_str());
  EXPECT_THAT(
      readFile(folder / "out"),
      HasSubstr("nvcc stopped without a message; the temporary folder '" +
                folder / "tiny" + "' has 65 kB left"));
}

} // namespace
