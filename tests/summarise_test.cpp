// `accesses --summary`: an instrument that has a record of its own.
#include "cached_run.h"
#include "run/summarise.h"

using namespace warplint;

namespace {

class Summarise : public CachedRun {};

TEST_F(Summarise, ASummaryNeitherUsesNorReplacesAReadWithoutItsInstrument) {
  write("a.cu", "__global__ void copy(const float *a, float *b) {\n"
                "  b[threadIdx.x] = a[threadIdx.x];\n"
                "}\n");
  letFilesAge();
  options.command = CommandName::Accesses;
  auto expressions = [&]() -> uint64_t {
    auto summary = summarise(options);
    return summary ? summary->summary.coverage.expressions
                   : (llvm::consumeError(summary.takeError()), 0);
  };
  auto rows = [&]() -> size_t {
    auto list = accesses(options);
    return list ? list->rows.size() : (llvm::consumeError(list.takeError()), 0);
  };
  EXPECT_EQ(rows(), 2u);
  EXPECT_EQ(expressions(), 2u);
  const uint64_t all = records();
  EXPECT_EQ(expressions(), 2u);
  EXPECT_EQ(rows(), 2u);
  EXPECT_EQ(records(), all);
}

} // namespace
