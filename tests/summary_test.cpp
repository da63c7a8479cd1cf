#include "input_folder.h"
#include "model_builder.h"
#include "program.h"
#include "report/summary.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Summary : testing::Test, ModelBuilder {
  /// A load of memory at `thread`, as an index.
  ValueId loadedIndex(ObjectId from) {
    return graph.loaded(element(graph.base(from), thread(), 8), "col[j]", 64,
                        false);
  }
  std::string text(const AccessSummary &summary, unsigned sources = 1) {
    Report report;
    report.sourcesRead = sources;
    std::string text;
    llvm::raw_string_ostream out(text);
    printSummaryText(summary, report, "/", out);
    return text;
  }
};

} // namespace

TEST_F(Summary, CountsWhatAccessesRestOn) {
  ValueId a = object("a"), s = object("s", Space::Shared, 4096);
  access(element(a, thread(), 4), 4);
  access(element(a, add(thread(), argument("n")), 4), 4);
  access(element(a, make(Op::Multiply, thread(), argument("stride")), 4), 4);
  access(element(a, loadedIndex(0), 4), 4);
  access(element(a, varying("a shuffle"), 4), 4);
  access(element(s, thread(), 4), 4, Operation::Store, Space::Shared);
  access(element(object("own", Space::Local, 64), thread(), 4), 4,
         Operation::Load, Space::Local);
  access(object("p", Space::Parameter), 4, Operation::Load, Space::Parameter);
  KernelTally counted = tally(kernel);
  EXPECT_EQ(counted.global.exact, 1u);
  EXPECT_EQ(counted.global.bounded, 1u);
  EXPECT_EQ(counted.global.assumed, 1u);
  EXPECT_EQ(counted.global.unknown, 2u);
  // A gather is nobody's to know; a shuffle is ours to follow.
  EXPECT_EQ(counted.steady.all(), 4u);
  EXPECT_EQ(counted.steady.unknown, 1u);
  EXPECT_EQ(counted.shared.exact, 1u);
  EXPECT_EQ(counted.local, 1u);
}

// `accesses` lists no figure for them.
TEST_F(Summary, LoadsOfWhatARegisterHasAreNoRequests) {
  ValueId a = object("a");
  access(element(a, thread(), 4), 4);
  access(element(a, add(thread(), argument("n")), 4), 4).need = Need::Never;
  KernelTally counted = tally(kernel);
  EXPECT_EQ(counted.held, 1u);
  EXPECT_EQ(counted.global.all(), 1u);
  AccessSummary summary;
  summary.add(counted);
  EXPECT_THAT(text(summary, 1),
              HasSubstr("register        1  make no request"));
}

// The launch gives the value of an argument, also inside a structure.
TEST_F(Summary, AnArgumentIsNotLoadedData) {
  ValueId p = object("p", Space::Parameter, 16);
  ValueId pitch = graph.loaded(p, "p.pitch", 64, false);
  ValueId row = graph.make(Op::Multiply, 64, {thread(), pitch});
  access(element(object("a"), row, 4), 4);
  EXPECT_EQ(tally(kernel).steady.all(), 1u);
}

TEST_F(Summary, MergesReasonsOfOneKind) {
  EXPECT_EQ(reasonKind("'col[j]', loaded from memory"),
            "a value loaded from memory");
  EXPECT_EQ(reasonKind("the result of '__nv_mul24'"), "the result of '...'");
  EXPECT_EQ(reasonKind("recursion in 'f'"), "recursion in '...'");
  EXPECT_EQ(reasonKind("a shuffle"), "a shuffle");
}

TEST_F(Summary, PrintsTheCommonestReasonFirstWithAnExample) {
  ValueId a = object("a");
  access(element(a, varying("a shuffle"), 4), 4);
  access(element(a, loadedIndex(0), 4), 4);
  access(element(a, loadedIndex(0), 4), 4);
  AccessSummary summary;
  summary.add(tally(kernel));
  summary.add(tally(kernel)); // the same header in another source
  EXPECT_EQ(summary.kernels, 1u);
  std::string all = text(summary, 2);
  EXPECT_THAT(all, HasSubstr("2 sources, 1 kernel read, 0 not read"));
  EXPECT_THAT(all, HasSubstr("        2  a value loaded from memory\n"
                             "           such as 'a[i]' at /k.cu:21:5, on "
                             "'col[j]', loaded from memory\n"
                             "        1  a shuffle\n"));
}

TEST(AccessesSummary, RunsOverAFolder) {
  InputFolder folder;
  folder.write("a.cu", R"(
__global__ void gather(const float *x, const int *col, float *y) {
  int i = threadIdx.x;
  y[i] = x[col[i]];
}
)");
  folder.write("b.cu", R"(
__device__ int depth(const int *next, int i) { return i < 0 ? 0 : 1 - depth(next, next[i]); }
__global__ void chase(const int *next, int *out) { out[threadIdx.x] = depth(next, threadIdx.x); }
__global__ void bad(float *out) { out[0] = nowhere; }
)");
  Outcome text = runProgram({"accesses", "--summary", folder.path});
  EXPECT_THAT(text.out, HasSubstr("2 sources, 2 kernels read, 1 not read"));
  EXPECT_THAT(text.out, HasSubstr("recursion in 'depth'"));
  EXPECT_THAT(text.out, HasSubstr("'x[col[i]]' at"));
  EXPECT_THAT(text.out, Not(HasSubstr("for no known reason")));
  EXPECT_THAT(text.err, HasSubstr("kernel 'bad' not read: it, or a function it "
                                  "calls, has an error: b.cu:4:"));
  EXPECT_EQ(text.code, 3);

  Outcome json = runProgram(
      {"accesses", "--summary", "-j2", "--format", "json", folder.path});
  auto parsed = llvm::json::parse(json.out);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  const llvm::json::Object &all = *parsed->getAsObject();
  EXPECT_EQ(all.getObject("global")->getInteger("accesses"), 5);
  EXPECT_EQ(all.getObject("globalOfNoLoadedData")->getInteger("unknown"), 1);
  EXPECT_EQ(all.getObject("memoryExpressions")->getInteger("all"), 5);
  EXPECT_EQ(all.getObject("memoryExpressions")->getInteger("unexplained"), 0);
}

// A user of `check` needs to know what it did not inspect.
TEST(AccessesSummary, CheckReportsWhatItCouldNotReadOrFollow) {
  InputFolder folder;
  std::string source = folder.write("b.cu", R"(
__device__ int depth(const int *next, int i) { return i < 0 ? 0 : 1 - depth(next, next[i]); }
__global__ void chase(const int *next, int *out) { out[threadIdx.x] = depth(next, threadIdx.x); }
__global__ void bad(float *out) { out[0] = nowhere; }
)");
  Outcome text = runProgram({"check", "--no-judge", source});
  EXPECT_THAT(text.out, HasSubstr("kernel 'bad' not read: it, or a function it "
                                  "calls, has an error: b.cu:4:"));
  EXPECT_THAT(text.out,
              HasSubstr("note: not followed: recursion in 'depth', in "
                        "kernel 'chase'"));
}

TEST(AccessesSummary, HasNoCsvFormat) {
  Outcome outcome =
      runProgram({"accesses", "--summary", "--format", "csv", "a.cu"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("a summary is text or json, not 'csv'"));
}
