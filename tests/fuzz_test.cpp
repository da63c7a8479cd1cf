// Runs the fuzzers' corpus once through the readers.
#include "fuzz/targets.h"
#include "mutated.h"
#include "test_paths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/thread.h"
#include "gtest/gtest.h"
#include <optional>

using namespace warplint;

namespace {

struct Target {
  const char *folder;
  void (*run)(llvm::StringRef bytes);
};

class Fuzz : public testing::TestWithParam<Target> {};

// A crash that was mended once comes back unseen without this.
TEST_P(Fuzz, TheCorpusIsRead) {
  std::error_code error;
  std::string folder =
      std::string(WARPLINT_SOURCE_DIR "/fuzz/corpus/") + GetParam().folder;
  unsigned files = 0;
  for (llvm::sys::fs::directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    auto file = llvm::MemoryBuffer::getFile(entry->path(), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    ASSERT_TRUE(!!file) << entry->path();
    SCOPED_TRACE(entry->path());
    // On as much stack as linter/workers.cpp gives.
    llvm::thread(std::optional<unsigned>(256u << 20), [&] {
      GetParam().run((*file)->getBuffer());
    }).join();
    ++files;
  }
  EXPECT_GE(files, 6u) << folder;
}

INSTANTIATE_TEST_SUITE_P(
    Targets, Fuzz,
    testing::Values(Target{"ptxas", fuzzPtxas}, Target{"ptx", fuzzPtx},
                    Target{"cubin", fuzzCubin}, Target{"json", fuzzJson},
                    Target{"yaml", fuzzYaml}, Target{"diff", fuzzDiff},
                    Target{"lsp", fuzzLsp}, Target{"record", fuzzRecord}),
    [](const auto &target) { return std::string(target.param.folder); });

} // namespace
