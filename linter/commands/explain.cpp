#include "base/parse_json.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "findings/check.h"
#include "report/report.h"
#include "run/settings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace warplint {

/// kernels/measured.json, embedded when warplint is built.
extern const char *const measuredJson;

namespace {

llvm::StringRef view(std::string_view text) {
  return llvm::StringRef(text.data(), text.size());
}

void printSection(llvm::StringRef title, std::string_view text,
                  llvm::raw_ostream &out) {
  if (!text.empty())
    out << '\n' << title << '\n' << view(text).trim('\n') << '\n';
}

void printCode(llvm::StringRef title, std::string_view text,
               llvm::raw_ostream &out) {
  if (text.empty())
    return;
  out << '\n' << title << "\n\n";
  llvm::SmallVector<llvm::StringRef, 32> lines;
  view(text).trim('\n').split(lines, '\n');
  for (llvm::StringRef line : lines)
    out << (line.empty() ? "" : "    ") << line << '\n';
}

/// A speed-up that kernels/<id>.cu measured.
struct Measured {
  std::string device, what;
  double speedup = 0;
};

std::vector<Measured> measurementsOf(llvm::StringRef id) {
  std::vector<Measured> measured;
  auto parsed = parseJson(measuredJson);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return measured;
  }
  const llvm::json::Array *rows = parsed->getAsArray();
  for (const llvm::json::Value &value : rows ? *rows : llvm::json::Array()) {
    const llvm::json::Object *row = value.getAsObject();
    if (row && row->getString("check") == id)
      measured.push_back({row->getString("device").value_or("GPU").str(),
                          row->getString("what").value_or("").str(),
                          row->getNumber("speedup").value_or(0)});
  }
  return measured;
}

void printMeasurements(llvm::StringRef id, llvm::raw_ostream &out) {
  const std::vector<Measured> measured = measurementsOf(id);
  if (measured.empty())
    return;
  out << "\nMeasured on an " << measured.front().device << " (kernels/" << id
      << ".cu)\n";
  for (const Measured &row : measured)
    out << llvm::formatv("  {0,5}x  {1}\n",
                         llvm::formatv("{0:f2}", row.speedup).str(), row.what);
}

/// "sectors: 8, from 2 to 64: sectors per request ...".
void printThreshold(const Threshold *threshold, llvm::raw_ostream &out) {
  if (!threshold)
    return;
  printSection("In .warplint.yaml",
               llvm::formatv("{0}: {1} ({2} to {3}), {4}",
                             view(threshold->name), threshold->value,
                             threshold->low, threshold->high,
                             view(threshold->what))
                   .str(),
               out);
}

void printJson(const Check &check, llvm::raw_ostream &out) {
  const CheckInfo &info = check.info;
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("id", view(info.id));
    json.attribute("level", spelling(info.level));
    json.attribute("summary", view(info.summary));
    json.attribute("why", view(info.why).trim('\n'));
    json.attribute("slow", view(info.slow).trim('\n'));
    json.attribute("fast", view(info.fast).trim('\n'));
    json.attribute("cures", view(info.cures).trim('\n'));
    json.attribute("whenNot", view(info.whenNot).trim('\n'));
    json.attribute("ncu", view(info.ncu).trim('\n'));
    json.attribute("since", view(info.since));
    if (const Threshold *threshold = info.threshold)
      json.attributeObject("threshold", [&] {
        json.attribute("name", view(threshold->name));
        json.attribute("value", threshold->value);
        json.attribute("low", threshold->low);
        json.attribute("high", threshold->high);
        json.attribute("what", view(threshold->what));
      });
    json.attributeArray("measured", [&] {
      for (const Measured &row : measurementsOf(view(info.id)))
        json.object([&] {
          json.attribute("device", row.device);
          json.attribute("speedup", row.speedup);
          json.attribute("what", row.what);
        });
    });
  });
  out << '\n';
}

} // namespace

int runExplain(const Options &options, llvm::raw_ostream &out,
               llvm::raw_ostream &err) {
  const Check *check = findCheck(options.topic);
  if (!check)
    return fail(unknownCheck(options.topic), err);
  if (options.output.format == Format::Json) {
    printJson(*check, out);
    return int(ExitCode::Clean);
  }
  const CheckInfo &info = check->info;
  out << view(info.id) << " (" << spelling(info.level)
      << "): " << view(info.summary) << '\n';
  printSection("Why it costs", info.why, out);
  printCode("Slow", info.slow, out);
  printCode("Fast", info.fast, out);
  printSection("What to do", info.cures, out);
  printMeasurements(view(info.id), out);
  printSection("When it is not worth it", info.whenNot, out);
  printSection("In Nsight Compute", info.ncu, out);
  printThreshold(info.threshold, out);
  if (info.since != "next")
    printSection("In releases from", info.since, out);
  return int(ExitCode::Clean);
}

} // namespace warplint
