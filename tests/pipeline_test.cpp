// The commands that lint, from options to a report.
#include "input_folder.h"
#include "os/signals.h"
#include "run/pipeline.h"
#include <gmock/gmock.h>
#include <mutex>
#include <sys/wait.h>
#include <unistd.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class Pipeline : public testing::Test {
protected:
  Pipeline() {
    options.command = CommandName::Check;
    options.compiling.judge = false;
    options.sources.paths = {folder.path};
    options.output.quiet = true;
  }
  /// A kernel that strides, at the line.
  std::string strided(const char *name, unsigned line = 1) {
    return std::string(line - 1, '\n') + "__global__ void " + name +
           "(float *a) { a[threadIdx.x * 32] = 1; }\n";
  }
  template <typename T> std::string whyNot(llvm::Expected<T> result) {
    return result ? "" : llvm::toString(result.takeError());
  }
  InputFolder folder;
  Options options;
};

TEST_F(Pipeline, FindingsAreSortedByPlaceOverAllSources) {
  folder.write("b.cu", strided("b"));
  folder.write("a.cu", strided("late", 7) + "\n");
  auto report = check(options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  std::vector<std::string> found;
  for (const Finding &finding : report->findings)
    found.push_back(finding.place.file.substr(folder.path.size() + 1) + ":" +
                    std::to_string(finding.place.line));
  EXPECT_THAT(found, ElementsAre("a.cu:7", "b.cu:1"));
  EXPECT_EQ(report->sourcesRead, 2u);
  EXPECT_EQ(report->kernelsRead, 2u);
}

// An exit code of 0 would read as "clean".
TEST_F(Pipeline, NothingToLintIsAnError) {
  EXPECT_THAT(whyNot(check(options)), HasSubstr("no CUDA source"));
  folder.write("a.cu", strided("k"));
  options.settings.enabled = {"strided-global-acces"};
  EXPECT_THAT(whyNot(check(options)), HasSubstr("did you mean"));
  options.settings.enabled = {};
  options.check.baseline = folder / "none.json";
  EXPECT_THAT(whyNot(check(options)), HasSubstr("none.json"));
}

// `timeout 600 warplint check` in CI. "clean" would be wrong.
TEST_F(Pipeline, TheReportOfAnInterruptedRunSaysWhatItLacks) {
  folder.write("a.cu", strided("a"));
  folder.write("b.cu", strided("b"));
  folder.write("c.cuh", "__global__ void c(int *p) { *p = 1; }\n");
  const pid_t run = fork(); // what is interrupted stays so
  if (run == 0) {
    Interruptible here("");
    raise(SIGTERM);
    auto report = check(options);
    const bool isSaid =
        report && report->unread.size() == 2 && report->notes.size() == 1 &&
        report->notes.front() == "the run was interrupted: 2 sources of 2 are "
                                 "not in this report";
    _exit(isSaid && exitCode(*report) == ExitCode::Unread ? 0 : 1);
  }
  int status = 0;
  waitpid(run, &status, 0);
  EXPECT_EQ(status, 0);
}

// Reports of resources ask for the compiled code of all sources.
TEST_F(Pipeline, WhoLooksSeesEachSourceWithKernelsOnce) {
  folder.write("a.cu", strided("a"));
  folder.write("b.cu", "__global__ void b(float *x) { x[threadIdx.x] = 1; }\n");
  std::mutex one;
  std::vector<std::string> seen;
  auto look = [&](const CompiledSource &source,
                  const std::vector<CostedKernel> &kernels) {
    std::lock_guard<std::mutex> lock(one);
    for (const CostedKernel &kernel : kernels)
      seen.push_back(kernel.kernel.name);
    EXPECT_NE(source.compiled.whyNot, "") << "nothing compiles here";
  };
  ASSERT_TRUE(bool(check(options, look)));
  EXPECT_THAT(seen, testing::UnorderedElementsAre("a", "b"));
}

TEST_F(Pipeline, AccessesAreSortedByPlace) {
  folder.write("b.cu", "__global__ void l(float *a) { a[threadIdx.x] = 1; }\n");
  folder.write("a.cu", "__global__ void k(float *a, float *b) {\n"
                       "  a[threadIdx.x] = 1;\n  b[threadIdx.x] = 1;\n}\n");
  options.command = CommandName::Accesses;
  auto list = accesses(options);
  ASSERT_TRUE(bool(list)) << llvm::toString(list.takeError());
  std::vector<std::string> stores;
  for (const AccessRow &row : list->rows)
    if (row.access.operation == Operation::Store)
      stores.push_back(row.kernel + ":" +
                       std::to_string(row.access.place.line));
  EXPECT_THAT(stores, ElementsAre("k:2", "k:3", "l:1"));
}

// A shard that lost a source would be a clean one.
TEST_F(Pipeline, ShardsHoldEachSourceOnce) {
  for (const char *name : {"a.cu", "b.cu", "c.cu"})
    folder.write(name, strided("k"));
  size_t sources = 0;
  for (unsigned index : {1u, 2u}) {
    options.check.shard = Shard{index, 2};
    auto part = checkShard(options);
    ASSERT_TRUE(bool(part)) << llvm::toString(part.takeError());
    EXPECT_EQ(part->total, 3u);
    sources += part->places.size();
  }
  EXPECT_EQ(sources, 3u);
}

} // namespace
