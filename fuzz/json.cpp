#include "report/json.h"
#include "fuzz/targets.h"
#include "input/database.h"
#include "report/baseline.h"
#include "report/read_json.h"
#include "report/resources/resource_json.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {

/// Every reader of JSON; what is read is printed again.
void fuzzJson(StringRef bytes) {
  if (auto database = readDatabase("/p/compile_commands.json", bytes);
      !database)
    consumeError(database.takeError());
  if (auto baseline = readBaseline(bytes, "b.json", "/p"))
    (void)applyBaseline({}, *baseline, {}, {});
  else
    consumeError(baseline.takeError());
  if (auto report = readJson(bytes))
    printJson(*report, /*refuted=*/true, nulls());
  else
    consumeError(report.takeError());
  if (auto report = readResourceJson(bytes, "r.json"))
    printResourceFile(*report, nulls());
  else
    consumeError(report.takeError());
}

} // namespace warplint
