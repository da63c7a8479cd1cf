// A name that is not looked up would be missing in a report.
#include "read_text.h"
#include "source/emit.h"
#include "source/emitted_lines.h"
#include "source/parse.h"
#include <gtest/gtest.h>

namespace warplint {

TEST(EmittedLines, AreThoseOfCodeWhateverTheirNumbers) {
  auto scratch = Scratch::create();
  const std::string path = scratch->path("source.cu");
  writeFile(path, R"(
static __device__ int unused(int i) { return i; }
template <class T> __device__ T twice(T x) {
  return x +
         x;
}
__global__ void k(int *out) { out[threadIdx.x] = twice(1); }
)");
  const Command command{path, "/", {"nvcc", path}};
  auto source = parse(command, translate(command.arguments, std::nullopt),
                      std::nullopt, WARPLINT_RESOURCE_DIR);
  ASSERT_TRUE(bool(source));
  llvm::LLVMContext context;
  const Emitted emitted = emitDevice(**source, context);
  EmittedLines lines(*emitted.module, (*source)->instance());
  const clang::SourceManager &sources =
      (*source)->instance().getSourceManager();
  auto hasLine = [&](unsigned line) {
    return lines.has(
        sources.translateLineCol(sources.getMainFileID(), line, 1));
  };
  EXPECT_FALSE(hasLine(1));
  EXPECT_FALSE(hasLine(2));
  EXPECT_TRUE(hasLine(3)); // where the function begins
  EXPECT_TRUE(hasLine(4));
  EXPECT_TRUE(hasLine(7));
  EXPECT_FALSE(lines.has(clang::SourceLocation()));
}

TEST(EmittedLines, ALineDirectiveHidesNoName) {
  const SourceModel model = readText(R"(
#line 100 "generated.cu"
__global__ void k(int *out, const int *in) { out[0] = in[threadIdx.x]; }
)");
  ASSERT_EQ(model.kernels.size(), 1u);
  EXPECT_TRUE(llvm::any_of(model.kernels[0].accesses, [](const Access &access) {
    return access.text == "in[threadIdx.x]";
  }));
}

} // namespace warplint
