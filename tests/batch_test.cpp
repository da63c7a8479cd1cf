// The sources of a run: which are read, what they share, and what the cache
// replaces.
#include "base/folders.h"
#include "input_folder.h"
#include "run/batch.h"
#include "run/early_compile.h"
#include "run/read_sources.h"
#include <gmock/gmock.h>
#include <unistd.h>

using namespace warplint;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

class BatchOfSources : public testing::Test {
protected:
  void SetUp() override {
    options.command = CommandName::Check;
    options.sources.paths = {folder.path};
    options.compiling.judge = false;
  }

  Batch read(Want want = Want::Models, const Changes *changes = nullptr) {
    auto batch = readBatch(options, want, changes);
    if (batch)
      return std::move(*batch);
    ADD_FAILURE() << llvm::toString(batch.takeError());
    return {};
  }

  static std::vector<std::string> namesIn(const Batch &batch) {
    std::vector<std::string> names;
    for (const Work &work : batch.sources)
      names.push_back(llvm::sys::path::filename(work.command.source).str());
    return names;
  }

  /// "64x2x1" for each shape of the first kernel of a source.
  static std::vector<std::string> shapesIn(const Work &work) {
    std::vector<std::string> shapes;
    if (work.model.kernels.empty())
      return shapes;
    for (const KernelShape &shape : work.model.kernels[0].shapes)
      shapes.push_back(shape.shape.text());
    return shapes;
  }

  InputFolder folder;
  Options options;
};

constexpr const char *kernel =
    "__global__ void k(float *x) { x[threadIdx.x] = 1; }\n";
constexpr const char *launch = "__global__ void k(float *x);\n"
                               "void run(float *x) { k<<<1, dim3(64, 2)>>>(x); "
                               "}\n";

} // namespace

TEST_F(BatchOfSources, ALaunchInAnotherSourceSettlesTheBlock) {
  folder.write("kernel.cu", kernel);
  folder.write("main.cu", launch);
  const Batch batch = read();
  ASSERT_THAT(namesIn(batch), ElementsAre("kernel.cu", "main.cu"));
  EXPECT_THAT(shapesIn(batch.sources[0]), ElementsAre("64x2x1"));
  ASSERT_EQ(launchesElsewhere(batch, 0).size(), 1u);
  EXPECT_EQ(launchesElsewhere(batch, 0)[0].place.line, 2u);
  EXPECT_THAT(launchesElsewhere(batch, 1), IsEmpty());
}

TEST_F(BatchOfSources, ALaunchInTheSameSourceIsNotOneElsewhere) {
  folder.write("all.cu", std::string(kernel) + launch);
  const Batch batch = read();
  ASSERT_EQ(batch.sources.size(), 1u);
  EXPECT_THAT(shapesIn(batch.sources[0]), ElementsAre("64x2x1"));
  EXPECT_THAT(launchesElsewhere(batch, 0), IsEmpty());
}

// Two sources may each have a static kernel of one name.
TEST_F(BatchOfSources, ALaunchOfAStaticKernelDoesNotReachOtherSources) {
  folder.write("kernel.cu", std::string("static ") + kernel +
                                "void use(float *x) { k<<<1, 96>>>(x); }\n");
  folder.write("other.cu", std::string("static ") + kernel +
                               "void use2(float *x) { k<<<1, 32>>>(x); }\n");
  const Batch batch = read();
  ASSERT_EQ(batch.sources.size(), 2u);
  EXPECT_THAT(shapesIn(batch.sources[0]), ElementsAre("96x1x1"));
  EXPECT_THAT(shapesIn(batch.sources[1]), ElementsAre("32x1x1"));
}

// A folder of samples holds many programs; two may define one kernel's name.
TEST_F(BatchOfSources, ALaunchIsOfTheKernelThatItsSourceDefines) {
  folder.write("one.cu", std::string(kernel) +
                             "void use(float *x) { k<<<1, 96>>>(x); }\n");
  folder.write("two.cu", std::string("// The same name.\n") + kernel +
                             "void use2(float *x) { k<<<1, 32>>>(x); }\n");
  const Batch batch = read();
  ASSERT_EQ(batch.sources.size(), 2u);
  EXPECT_THAT(shapesIn(batch.sources[0]), ElementsAre("96x1x1"));
  EXPECT_THAT(shapesIn(batch.sources[1]), ElementsAre("32x1x1"));
}

TEST_F(BatchOfSources, LaunchesOfAKernelFromAHeaderAreAllOfOneKernel) {
  folder.write("k.cuh", std::string("template <typename T> ") + kernel);
  folder.write("one.cu", "#include \"k.cuh\"\n"
                         "void use(float *x) { k<int><<<1, 96>>>(x); }\n");
  folder.write("two.cu", "#include \"k.cuh\"\n"
                         "void use2(float *x) { k<int><<<1, 32>>>(x); }\n");
  const Batch batch = read();
  ASSERT_EQ(batch.sources.size(), 2u);
  EXPECT_THAT(shapesIn(batch.sources[0]),
              UnorderedElementsAre("96x1x1", "32x1x1"));
}

TEST_F(BatchOfSources, ACopyDoesNotReferToTheOriginal) {
  folder.write("kernel.cu", kernel);
  folder.write("main.cu", launch);
  Batch copy;
  {
    const Batch original = read();
    copy = original;
  }
  EXPECT_EQ(launchesElsewhere(copy, 0).size(), 1u);
  EXPECT_THAT(launchesElsewhere(copy, 1), IsEmpty());
}

TEST_F(BatchOfSources, AnUnreadableSourceIsNamedAndTheOthersAreRead) {
  folder.write("good.cu", kernel);
  folder.write("bad.cu", kernel);
  folder.write("compile_commands.json",
               "[{\"directory\": \"" + folder.path +
                   "\", \"file\": \"bad.cu\", \"command\": \"nvcc "
                   "--options-file gone.rsp -c bad.cu\"},\n {\"directory\": "
                   "\"" +
                   folder.path +
                   "\", \"file\": \"good.cu\", \"command\": \"nvcc -c "
                   "good.cu\"}]\n");
  const Batch batch = read();
  ASSERT_THAT(namesIn(batch), ElementsAre("bad.cu", "good.cu"));
  EXPECT_THAT(batch.sources[0].model.outline.whyNot, HasSubstr("gone.rsp"));
  EXPECT_EQ(batch.sources[1].model.outline.whyNot, "");
  const Report report = summary(batch);
  ASSERT_EQ(report.unread.size(), 1u);
  EXPECT_THAT(report.unread[0].source, HasSubstr("bad.cu"));
  EXPECT_THAT(report.unread[0].firstError, HasSubstr("gone.rsp"));
  EXPECT_EQ(report.sourcesRead, 1u);
  EXPECT_EQ(report.kernelsRead, 1u);
}

TEST_F(BatchOfSources, AnErrorHasItsPlaceRelativeToTheCommand) {
  folder.write("a.cu", std::string(kernel) + "\nvoid f() { undeclared(); }\n");
  const Batch batch = read();
  ASSERT_EQ(batch.sources.size(), 1u);
  const SourceOutcome outcome = outcomeOf(batch.sources[0]);
  EXPECT_EQ(outcome.errorPlace.file, folder / "a.cu");
  EXPECT_EQ(outcome.errorPlace.line, 3u);
  ASSERT_EQ(outcome.outline.kernels.size(), 1u);
  EXPECT_EQ(outcome.outline.kernels[0].name, "k");
}

TEST_F(BatchOfSources, OnlySourcesThatReadChangedFilesAreRead) {
  folder.write("used.h", "inline int one() { return 1; }\n");
  folder.write("includes.cu", std::string("#include \"used.h\"\n") + kernel);
  folder.write("changed.cu", kernel);
  folder.write("same.cu", kernel);
  Changes changes;
  changes.root = folder.path;
  changes.lines[folder / "used.h"] = {{1, 1}};
  changes.lines[folder / "changed.cu"] = {{1, 1}};
  EXPECT_THAT(namesIn(read(Want::Models, &changes)),
              ElementsAre("changed.cu", "includes.cu"));
}

TEST_F(BatchOfSources, ACachedSourceIsReadAsItsOutlineUntilItsModelIsNeeded) {
  InputFolder store;
  options.cache.folder = store / "cache";
  folder.write("kernel.cu", kernel);
  folder.write("main.cu", launch);
  usleep(15'000); // files that change during a run are not stored
  EXPECT_TRUE(read(Want::Outlines).sources.at(0).hasModel);
  Batch batch = read(Want::Outlines);
  ASSERT_EQ(batch.sources.size(), 2u);
  const Work &work = batch.sources[0];
  EXPECT_FALSE(work.hasModel);
  EXPECT_THAT(work.model.kernels, IsEmpty());
  ASSERT_EQ(work.model.outline.kernels.size(), 1u);
  EXPECT_EQ(work.model.outline.kernels[0].name, "k");
  // The launch in main.cu is known from its outline alone.
  EXPECT_TRUE(recallModel(batch, 0));
  EXPECT_TRUE(work.hasModel);
  EXPECT_THAT(shapesIn(work), ElementsAre("64x2x1"));
  EXPECT_FALSE(batch.sources[1].hasModel);
}

TEST_F(BatchOfSources, WhatIsCompiledAnywayIsCompiledWhileItIsRead) {
  folder.write("a.cu", kernel);
  folder.write(".warplint.yaml", "checks: {all: off}\n");
  options.compiling.judge = true;
  options.limits.threads = 2;
  const Batch judged = read(Want::Compiled); // by no check
  ASSERT_TRUE(judged.early);
  EXPECT_FALSE(judged.early->hasBegun(0));
  const Batch batch = read(Want::ModelsCompiled);
  ASSERT_TRUE(batch.early);
  EXPECT_TRUE(batch.early->hasBegun(0));
  EXPECT_EQ(batch.sources.at(0).model.kernels.size(), 1u);
}

TEST_F(BatchOfSources, ACommandIsReadUnlessItsSourceIsSkipped) {
  const std::string file = folder.write("a.cu", kernel);
  Command command;
  command.source = file;
  command.directory = folder.path;
  command.arguments = {"nvcc", "-c", file};
  auto batch = readCommand(options, Want::Models, command);
  ASSERT_TRUE(bool(batch)) << llvm::toString(batch.takeError());
  ASSERT_EQ(batch->sources.size(), 1u);
  EXPECT_EQ(batch->sources[0].model.kernels.size(), 1u);
  folder.write(".warplint.yaml", "skip: ['*.cu']\n");
  auto skipped = readCommand(options, Want::Models, command);
  ASSERT_TRUE(bool(skipped)) << llvm::toString(skipped.takeError());
  EXPECT_THAT(skipped->sources, IsEmpty());
}
