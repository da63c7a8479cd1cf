#include "cache/record.h"
#include "findings/check.h"
#include "fuzz/targets.h"
#include "machine/frame.h"
#include "report/json.h"
#include "report/page.h"
#include "report/text.h"
#include "run/run_cache.h"
#include "run/shard.h"
#include "source/settle_shapes.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {
namespace {

void use(SourceModel model) {
  settleShapes(model.kernels, model.outline.launches, Shape{32, 8, 1});
  std::vector<Finding> found;
  for (const Kernel &kernel : model.kernels) {
    const CostedKernel costs = costed(kernel);
    for (const Check &check : checks())
      if (check.inspect) {
        Findings findings(check.info, kernel, found);
        check.inspect(costs, findings);
      }
  }
}

void use(const CompiledUnit &unit) {
  Kernel source;
  source.shapes.push_back({Shape{32, 8, 1}, ShapeSource::Assumed, {}});
  source.graph.always();
  const CostedKernel costs = costed(source);
  for (const CompiledKernel &kernel : unit.kernels) {
    (void)inWords(frameOf(kernel, nullptr));
    std::vector<Finding> found;
    for (const Check &check : checks())
      if (check.inspectCompiled) {
        Findings findings(check.info, source, found);
        check.inspectCompiled({costs, kernel, nullptr}, findings);
      }
  }
}

void use(Outcomes outcomes, const ReportContext &context) {
  const Report report = conclude(std::move(outcomes));
  printText(report, {}, nulls());
  printJson(report, /*refuted=*/true, nulls());
  printPage(report, context, /*refuted=*/true, "/p", nulls());
  printMarkdown(report, context, /*refuted=*/true, "/p", nulls());
}

void use(SourceOutline outline, Linted linted) {
  SourceOutcome source;
  source.source = "/p/a.cu";
  source.outline = std::move(outline);
  source.linted = std::move(linted);
  for (const Finding &finding : source.linted.findings)
    source.reported.insert(finding.place.file);
  Outcomes outcomes;
  outcomes.sources.push_back(std::move(source));
  use(std::move(outcomes), {});
}

} // namespace

void fuzzRecord(StringRef bytes) {
  if (bytes.empty())
    return;
  const char kind = bytes.front();
  bytes = bytes.drop_front();
  if (kind == 'm') {
    if (auto model = fromRecord<SourceModel>(bytes))
      use(std::move(*model));
  } else if (kind == 'r') {
    if (auto result = fromRecord<ReadResult>(bytes))
      use(std::move(result->model));
  } else if (kind == 'o') {
    if (auto read = fromRecord<CachedRead>(bytes))
      use(std::move(read->outline), {});
  } else if (kind == 'l') {
    if (auto linted = fromRecord<Linted>(bytes))
      use({}, std::move(*linted));
  } else if (kind == 's') {
    if (auto shard = fromRecord<ShardReport>(bytes)) {
      const bool showsContext = shard->context.has_value();
      auto merged = mergeShards({std::move(*shard)}, {std::string("shard")},
                                showsContext);
      merged ? use(std::move(merged->outcomes), merged->context)
             : consumeError(merged.takeError());
    }
  } else if (kind == 'c') {
    if (auto unit = fromRecord<CompiledUnit>(bytes))
      use(*unit);
  } else if (kind == 'f') {
    (void)fromRecord<std::vector<std::string>>(bytes);
  } else if (kind == 'k') {
    (void)fromRecord<std::vector<Launch>>(bytes);
  }
}

} // namespace warplint
