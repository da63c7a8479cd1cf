// Tests what a report shows beside findings, from any order of sources.
#include "resource_rows.h"
#include "run/report_context.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

Figure figure(unsigned line, const std::string &kernel) {
  Figure made;
  made.place = {"/src/a.cu", line, 3};
  made.words = "32 sectors, 4 needed";
  made.kernels = {kernel};
  return made;
}

ReportContext of(std::vector<Figure> figures, std::vector<ResourceRow> rows) {
  ReportContext context;
  context.figures = std::move(figures);
  context.resources.rows = std::move(rows);
  return context;
}

// Two machines that share the sources must print the page of one.
TEST(ReportContexts, DoNotDependOnTheOrderOfSources) {
  const ReportContext one = of({figure(9, "k<1>")}, {row("k<1>")}),
                      two = of({figure(3, "l"), figure(9, "k<2>")},
                               {with(row("l"), 40, 8), row("k<1>")});
  ReportContext forward, backward;
  append(forward, one);
  append(forward, two);
  append(backward, two);
  append(backward, one);
  for (const ReportContext &all : {settled(forward), settled(backward)}) {
    ASSERT_EQ(all.figures.size(), 2u);
    EXPECT_EQ(all.figures[0].place.line, 3u);
    EXPECT_THAT(all.figures[1].kernels, ElementsAre("k<1>", "k<2>"));
    ASSERT_EQ(all.resources.rows.size(), 2u) << "the same kernel twice";
    EXPECT_EQ(all.resources.rows[0].kernel, "l") << "it spills";
  }
}

TEST(ReportContexts, MissingResourcesAreKept) {
  ReportContext all, more;
  more.resources.missing = {{"a.cu", "not compiled: nvcc stopped"}};
  append(all, std::move(more));
  const ReportContext done = settled(all);
  ASSERT_EQ(done.resources.missing.size(), 1u);
  EXPECT_EQ(done.resources.missing[0].source, "a.cu");
}

TEST(ReportContexts, ASourceIsAddedOnceItIsTaken) {
  ReportContextReader reader;
  EXPECT_TRUE(reader.take().figures.empty());
  const Command command{"/src/a.cu", "/src", {"nvcc", "a.cu"}};
  CompiledKernel kernel;
  kernel.usage.kernel = "_Z4copyPf";
  kernel.usage.architecture = "sm_90";
  LocalInstruction load;
  load.file = "a.cu";
  load.line = 4;
  kernel.locals = {load};
  Compiled compiled;
  compiled.units.emplace_back().kernels = {kernel};
  const std::vector<std::string> arguments;
  const std::optional<Toolkit> toolkit;
  const std::vector<Kernel> kernels;
  reader({command, arguments, toolkit, kernels, compiled}, {});
  const ReportContext seen = reader.take();
  ASSERT_EQ(seen.figures.size(), 1u);
  EXPECT_EQ(seen.figures[0].place.file, "/src/a.cu");
  EXPECT_THAT(seen.figures[0].kernels, ElementsAre("copy on sm_90"));
}

} // namespace
