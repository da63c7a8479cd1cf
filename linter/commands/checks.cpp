#include "commands/commands.h"
#include "findings/check.h"
#include "report/report.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace warplint {

static llvm::StringRef view(std::string_view text) {
  return llvm::StringRef(text.data(), text.size());
}

int runChecks(const Options &options, llvm::raw_ostream &out) {
  if (options.output.format == Format::Json) {
    llvm::json::OStream json(out, 2);
    json.array([&] {
      for (const Check &check : checks())
        json.object([&] {
          json.attribute("id", view(check.info.id));
          json.attribute("level", spelling(check.info.level));
          json.attribute("summary", view(check.info.summary));
          json.attribute("since", view(check.info.since));
        });
    });
    out << '\n';
    return int(ExitCode::Clean);
  }
  for (const Check &check : checks())
    out << llvm::formatv("{0,-24} {1,-8} {2}\n", view(check.info.id),
                         spelling(check.info.level), view(check.info.summary));
  return int(ExitCode::Clean);
}

} // namespace warplint
