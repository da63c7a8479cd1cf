// A kernel compiled again with a condition on its arguments fixed.
#include "register_sources.h"

using namespace warplint;

namespace {

// Each way has a result of its own.
TEST(CompileOptions, TriesABranchBothWays) {
  NEEDS_NVDISASM;
  InputFolder folder;
  std::string text = crowded;
  text = text.substr(0, text.find("__global__ void __launch_bounds__"));
  text.replace(text.find("int depth)"), 10, "int depth, bool all)");
  text.replace(text.find("  float sum"), 0,
               "  if (!all) { c[i] = a[i]; return; }\n");
  const std::string file = folder.write("a.cu", text);
  const Outcome run = runProgram({"registers", file, "--arch", "sm_90"});
  EXPECT_THAT(run.out,
              testing::ContainsRegex("tried with the branch on 'all' at line "
                                     "5 fixed: [0-9]+ registers one way"));
  const size_t at = run.out.find("fixed: ");
  ASSERT_NE(at, std::string::npos) << run.out;
  unsigned one = 0, other = 0;
  llvm::StringRef rest = llvm::StringRef(run.out).substr(at + 7);
  rest.consumeInteger(10, one);
  rest.split("one way, ").second.consumeInteger(10, other);
  EXPECT_GT(std::max(one, other), 80u);
  EXPECT_LT(std::min(one, other), 40u);
}

} // namespace
