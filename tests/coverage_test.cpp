// Each memory expression of a source has its access in the model, or a reason
// why it has none.
#include "cache/record.h"
#include "ir/normalise.h"
#include "ir/read_ir.h"
#include "kokkos.h"
#include "nvcc.h"
#include "os/scratch.h"
#include "read_text.h"
#include "source/coverage/observer.h"
#include "source/coverage/read_coverage.h"
#include "source/read_source.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::IsEmpty;

namespace {

const std::string root = WARPLINT_SOURCE_DIR;

std::string textOf(llvm::ArrayRef<Coverage::Example> examples) {
  std::string text;
  for (const Coverage::Example &example : examples)
    text += example.place.file + ":" + std::to_string(example.place.line) +
            ":" + std::to_string(example.place.column) + ": '" + example.text +
            "'\n";
  return text;
}

/// The coverage of `text`, over all its kernels.
struct Covered {
  uint64_t expressions = 0, withAccess = 0;
  std::map<std::string, uint64_t> without;
  std::string unexplained, withoutExpression;
};

Covered covered(const SourceModel &model) {
  Covered all;
  auto coverages = fromRecord<std::vector<Coverage>>(model.observed);
  if (!coverages) {
    ADD_FAILURE() << "the observer's record is broken";
    return all;
  }
  EXPECT_EQ(coverages->size(), model.kernels.size());
  for (const Coverage &coverage : *coverages) {
    all.expressions += coverage.expressions;
    all.withAccess += coverage.withAccess;
    for (const auto &[why, reason] : coverage.without)
      all.without[why] += reason.count;
    all.unexplained += textOf(coverage.unexplained);
    all.withoutExpression += textOf(coverage.withoutExpression);
  }
  return all;
}

SourceModel readCovering(const std::string &file, bool withToolkit) {
  Command command{file, "/", {"nvcc", file}};
  std::optional<Toolkit> toolkit;
  if (withToolkit)
    toolkit = ToolkitSearch("").of(command);
  auto observer = coverageObserver();
  auto model =
      readSource(command, translate(command.arguments, toolkit), toolkit,
                 WARPLINT_RESOURCE_DIR, Store(), {}, observer.get());
  if (!model) {
    ADD_FAILURE() << llvm::toString(model.takeError());
    return {};
  }
  return std::move(*model);
}

Covered coveredIn(llvm::StringRef text, bool withToolkit = false) {
  auto scratch = Scratch::create();
  if (!scratch) {
    ADD_FAILURE() << llvm::toString(scratch.takeError());
    return {};
  }
  writeFile(scratch->path("source.cu"), text);
  SourceModel model = readCovering(scratch->path("source.cu"), withToolkit);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  return covered(model);
}

/// All expressions have their access, as many as are counted by hand.
void expectAll(unsigned expressions, llvm::StringRef text) {
  for (bool withToolkit : {false, true}) {
    if (withToolkit && !hasToolkit())
      continue;
    SCOPED_TRACE(withToolkit ? "with the toolkit's headers"
                             : "with headers of our own");
    Covered all = coveredIn(text, withToolkit);
    EXPECT_EQ(all.expressions, expressions);
    EXPECT_EQ(all.withAccess, expressions);
    EXPECT_EQ(all.unexplained, "");
    EXPECT_EQ(all.withoutExpression, "");
  }
}

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

TEST(Coverage, CountsEachKindOfExpression) {
  // Loads: a[i], *p, s->x, r; stores: out[i], *q; both: t[0] and t[1].
  expectAll(10, R"(
struct S { float x, y; };
__global__ void kinds(const float *a, const float *p, const S *s, float *out, float *q,
                      float *t) {
  int i = threadIdx.x;
  const float &r = a[i + 1];
  out[i] = a[i] + *p + s->x + r;
  *q = 1;
  t[0] += 2;
  ++t[1];
}
)");
}

TEST(Coverage, CountsAtomicsAndCachedLoads) {
  expectAll(4, R"(
__global__ void atomics(int *a, const float *b, float *out) {
  int i = threadIdx.x;
  atomicAdd(a, 1);
  if (atomicCAS(&a[i], 0, 1) == 0)
    out[i] = __ldg(b + i);
}
)");
}

TEST(Coverage, CountsInlinedCodeOncePerChainOfCalls) {
  // Two loads in get() by two calls of sum(): four times two, and two stores.
  expectAll(10, R"(
__device__ float get(const float *a, int i) { return a[i] + a[i + 1]; }
__device__ float sum(const float *a, int i) { return get(a, i) + get(a, 2 * i); }
__global__ void chains(const float *a, const float *b, float *out) {
  int i = threadIdx.x;
  out[i] = sum(a, i);
  out[i + 1] = sum(b, i);
}
)");
}

TEST(Coverage, CountsInLambdasMembersAndRangeLoops) {
  // a[j] in the lambda; v[i], for which the member reads this->data; the
  // element of the range loop; three stores.
  expectAll(7, R"(
struct View {
  float *data;
  __device__ float &operator[](int i) const { return data[i]; }
};
struct Four { float x[4]; };
__global__ void forms(const float *a, View v, const Four *f, float *out) {
  int i = threadIdx.x;
  auto get = [=](int j) { return a[j]; };
  out[i] = get(i);
  out[i + 32] = v[i];
  float sum = 0;
  for (const float &x : f[i].x)
    sum += x;
  out[i + 64] = sum;
}
)");
}

TEST(Coverage, CountsTheBodyOfARecursiveFunction) {
  expectAll(3, R"(
__device__ int walk(const int *next, int i) { return i < 0 ? 0 : 1 + walk(next, next[i]); }
__global__ void recursion(const int *next, const int *first, int *out) {
  out[threadIdx.x] = walk(next, first[threadIdx.x]);
}
)");
}

TEST(Coverage, NamesTheReasonForAMissingAccess) {
  Covered all = coveredIn(R"(
template <bool bias> __device__ float add(float x, const float *b, int i) {
  return bias ? x + b[i] : x;
}
__device__ void twice(float &x) { x *= 2; }
struct Block { static constexpr int width = 16; };
__global__ void reasons(const float *a, const float *b, float *out, int n,
                        const Block *block) {
  static constexpr float table[4] = {1, 2, 3, 4};
  int i = threadIdx.x;
  float own[2] = {a[i], a[i + 1]};
  twice(own[0]);
  float unused = b[0];
  int size = sizeof(b[1]);
  out[i] = add<false>(own[0] + own[1], b, i) + table[n & 3] + table[1] + size +
           block->width;
}
)");
  EXPECT_EQ(all.unexplained, "");
  EXPECT_EQ(all.withoutExpression, "");
  EXPECT_EQ(all.withAccess, 3u); // a[i], a[i + 1], out[i]
  EXPECT_EQ(all.without,
            (std::map<std::string, uint64_t>{
                {"the thread's own memory, which is in registers", 4},
                {"never reached, or its value is never used, as LLVM's passes "
                 "found",
                 1},
                {"in a branch that is never taken", 1},
                {"a constant, known to Clang", 1},
                {"a table of constants, which the compiler keeps", 2}}));
}

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
