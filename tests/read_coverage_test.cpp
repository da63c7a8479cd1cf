// Each memory expression of a source has its access in the model, or a reason
// why it has none.
#include "covered.h"
#include "ir/normalise.h"
#include "ir/read_ir.h"
#include "kokkos.h"
#include "source/parse.h"
#include "test_paths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::IsEmpty;

namespace {

const std::string root = WARPLINT_SOURCE_DIR;

/// Those of Kokkos are not read with nvcc's flags alone.
std::vector<std::string> sources() {
  std::vector<std::string> files;
  for (const char *folder : {"/fixtures", "/kernels"}) {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator entry(root + folder, error), end;
         !error && entry != end; entry.increment(error))
      if (llvm::StringRef(entry->path()).ends_with(".cu") &&
          !speaksOfKokkos(readFile(entry->path())))
        files.push_back(entry->path());
  }
  llvm::sort(files);
  return files;
}

class CoverageOf : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(CoverageOf, EveryExpressionAndEveryAccessHasItsCounterpart) {
  Covered all = covered(readCovering(GetParam(), hasToolkit()));
  EXPECT_GT(all.withAccess, 0u);
  EXPECT_EQ(all.unexplained, "");
  EXPECT_EQ(all.withoutExpression, "");
}

INSTANTIATE_TEST_SUITE_P(, CoverageOf, testing::ValuesIn(sources()),
                         [](const testing::TestParamInfo<std::string> &info) {
                           std::string name =
                               llvm::sys::path::parent_path(info.param).str();
                           name = llvm::sys::path::filename(name).str() + "_" +
                                  llvm::sys::path::stem(info.param).str();
                           llvm::replace(name, '-', '_');
                           return name;
                         });

namespace {

/// A source up to its kernels, so that a test can take something away.
struct Read {
  std::unique_ptr<ParsedSource> source;
  llvm::LLVMContext context;
  Emitted emitted;
  SourceFacts facts;
  InstructionWatch watch;
  std::vector<Kernel> kernels;

  explicit Read(llvm::StringRef text) {
    auto scratch = Scratch::create();
    writeFile(scratch->path("source.cu"), text);
    Command command{
        scratch->path("source.cu"), "/", {"nvcc", scratch->path("source.cu")}};
    auto parsed = parse(command, translate(command.arguments, std::nullopt),
                        std::nullopt, WARPLINT_RESOURCE_DIR);
    source = std::move(*parsed);
    emitted = emitDevice(*source, context);
    facts = readFacts(*source, emitted);
    auto target = deviceTarget(*emitted.module);
    watch.begin(*emitted.module, emitted);
    normalise(*emitted.module, *target,
              [&](llvm::Function &kernel) { watch.look(kernel); });
    for (llvm::Function &function : *emitted.module)
      if (isKernel(function))
        watch.end(function);
    kernels = readKernels(*emitted.module, *target, facts.names);
  }
  Coverage coverage() {
    const Kernel &kernel = kernels.front();
    return CoverageReader(*source, watch, facts.names)
        .read(kernel, *emitted.functions.at(kernel.mangled));
  }
};

constexpr const char *twoCalls = R"(
__device__ float get(const float *a, int i) { return a[i]; }
__global__ void k(const float *a, float *out) {
  out[threadIdx.x] = get(a, threadIdx.x) + get(a, 2 * threadIdx.x);
}
)";

} // namespace

// An access lost in a single chain of calls is reported, too.
TEST(Coverage, ReportsAMissingAccess) {
  Read read(twoCalls);
  ASSERT_EQ(read.kernels.front().accesses.size(), 3u);
  EXPECT_THAT(read.coverage().unexplained, IsEmpty());
  auto &accesses = read.kernels.front().accesses;
  accesses.erase(llvm::find_if(accesses, [](const Access &access) {
    return !access.callSites.empty();
  }));
  Coverage after = read.coverage();
  ASSERT_EQ(after.unexplained.size(), 1u);
  EXPECT_EQ(after.unexplained[0].text, "a[i]");
  EXPECT_EQ(after.withAccess, 2u);
}

TEST(Coverage, ReportsAnAccessWithoutASourceExpression) {
  Read read(twoCalls);
  Access more = read.kernels.front().accesses.front();
  more.place.column += 1;
  more.text = "made up";
  read.kernels.front().accesses.push_back(more);
  Coverage after = read.coverage();
  ASSERT_EQ(after.withoutExpression.size(), 1u);
  EXPECT_EQ(after.withoutExpression[0].text, "made up");
}
