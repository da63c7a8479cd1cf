// The macros that nvcc defines: code for a release of it stands behind them.
#include "read_text.h"
#include "source/nvcc_macros.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string macros(unsigned major, unsigned minor, llvm::StringRef architecture,
                   llvm::StringRef clangs) {
  return llvm::join(
      nvccMacros({"", "", "", major, minor, 1}, architecture, clangs), " ");
}

TEST(NvccMacros, MacrosAreThoseOfTheRelease) {
  EXPECT_THAT(macros(11, 0, "sm_80", "sm_80"),
              Not(HasSubstr("__NVCC_DIAG_PRAGMA_SUPPORT__")));
  EXPECT_THAT(macros(12, 6, "sm_80", "sm_80"),
              Not(HasSubstr("__CUDACC_DEVICE_ATOMIC_BUILTINS__")));
  EXPECT_THAT(macros(12, 9, "sm_90a", "sm_90a"),
              HasSubstr("-D__CUDA_ARCH_SPECIFIC__=900 "
                        "-D__CUDA_ARCH_FAMILY_SPECIFIC__=900"));
  EXPECT_THAT(macros(12, 9, "sm_100f", "sm_100"),
              HasSubstr("-D__CUDA_ARCH_FAMILY_SPECIFIC__=1000"));
  EXPECT_THAT(macros(12, 9, "sm_100f", "sm_100"),
              Not(HasSubstr("ARCH_SPECIFIC")));
  EXPECT_THAT(macros(12, 9, "sm_199a", "sm_120a"), Not(HasSubstr("SPECIFIC")));
}

// Against what the installed nvcc passes to its preprocessor.
TEST(NvccMacros, MacrosAreThoseOfNvcc) {
  const std::string nvcc = nvccForTests();
  auto toolkit = ToolkitSearch("").of({"/s.cu", "/", {"nvcc", "s.cu"}});
  if (nvcc.empty() || !toolkit)
    GTEST_SKIP() << "NO CUDA TOOLKIT: its nvcc is not asked";
  Scratch scratch = llvm::cantFail(Scratch::create());
  writeFile(scratch.path("s.cu"), "");
  const std::string output = scratch.path("out"), source = scratch.path("s.cu");
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, output, output};
  llvm::sys::ExecuteAndWait(nvcc,
                            {nvcc, "--dryrun", "-arch=sm_90a", "-c", source},
                            std::nullopt, redirects);
  const std::string text = readFile(output);
  const size_t device = text.find("-D__CUDA_ARCH__=900 -D__CUDA_ARCH_FEAT");
  ASSERT_NE(device, std::string::npos) << text;
  llvm::StringRef line = llvm::StringRef(text).drop_front(device);
  line = line.take_until([](char c) { return c == '\n'; });
  const std::vector<std::string> ours =
      nvccMacros(*toolkit, "sm_90a", "sm_90a");
  for (llvm::StringRef word : llvm::split(line, ' ')) {
    // Clang defines these itself.
    if (word.starts_with("-D") && !word.contains("-D__CUDA_ARCH__") &&
        !word.contains("__CUDA_ARCH_LIST__") &&
        !word.contains("__CUDA_ARCH_FEAT_") && word != "-D__CUDACC__") {
      EXPECT_THAT(ours, testing::Contains(word.str()));
    }
  }
  for (const std::string &macro : ours)
    EXPECT_THAT(line.str(), HasSubstr(macro));
}

TEST(NvccMacros, EachIsFoundInAText) {
  for (llvm::StringRef flag :
       nvccMacros({"", "", "", 13, 0, 0}, "sm_100f", "sm_100")) {
    EXPECT_TRUE(flag.consume_front("-D"));
    EXPECT_TRUE(namesNvccMacro(("#ifdef " + flag.split('=').first).str()))
        << flag.str();
  }
  EXPECT_FALSE(
      namesNvccMacro("#if __CUDA_ARCH__ >= 800 && defined(__CUDACC__)"));
}

} // namespace
