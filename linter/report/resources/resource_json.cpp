#include "report/resources/resource_json.h"
#include "base/failure.h"
#include "base/parse_json.h"
#include "version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace llvm;

namespace warplint {
namespace {

/// Increases when a field changes its meaning or is removed, not when a field
/// is added.
constexpr int schema = 1;

/// Names and paths may hold any bytes, JSON must not.
std::string utf8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

void text(json::OStream &json, StringRef key, StringRef value) {
  json.attribute(key, utf8(value));
}

void printMeasures(const ResourceRow &row, bool unknownToo,
                   json::OStream &json) {
  for (const Measure &measure : measures())
    if (const ResourceRow::Number &number = row.*measure.value)
      json.attribute(measure.name, *number);
    else if (unknownToo)
      json.attribute(measure.name, nullptr);
}

void printRow(const ResourceRow &row, json::OStream &json) {
  text(json, "kernel", row.kernel);
  text(json, "signature", row.signature);
  text(json, "mangled", row.mangled);
  text(json, "arch", row.architecture);
  text(json, "source", row.source);
  text(json, "file", row.place.file);
  json.attribute("line", row.place.line);
  text(json, "toolkit", row.toolkit);
  text(json, "flags", row.flags);
  printMeasures(row, /*unknownToo=*/true, json);
  text(json, "bound", row.bound);
  json.attributeArray("launches", [&] {
    for (const LaunchOccupancy &launch : row.launches)
      json.object([&] {
        text(json, "block", launch.block);
        json.attribute("occupancy", launch.percent);
        text(json, "limit", launch.limit);
      });
  });
  json.attributeArray("spillLines", [&] {
    for (const SpillLine &line : row.spillLines)
      json.object([&] {
        text(json, "file", line.file);
        json.attribute("line", line.line);
        json.attribute("instructions", line.instructions);
      });
  });
}

/// Values common to all rows are written once, so that a new toolkit changes
/// one line.
std::string commonToolkit(const ResourceReport &report) {
  std::set<std::string> toolkits;
  for (const ResourceRow &row : report.rows)
    toolkits.insert(row.toolkit);
  return toolkits.size() == 1 ? *toolkits.begin() : "";
}

ResourceRow readRow(const json::Object &object, StringRef toolkit) {
  auto text = [&](StringRef key, StringRef otherwise = "") {
    return object.getString(key).value_or(otherwise).str();
  };
  auto number = [](const json::Object &from, StringRef key) {
    return unsigned(from.getInteger(key).value_or(0));
  };
  ResourceRow row;
  row.signature = text("signature");
  row.kernel = text("kernel", row.signature);
  row.mangled = text("mangled");
  row.architecture = text("arch");
  row.source = text("source");
  row.place = {text("file"), number(object, "line"), 0};
  row.toolkit = text("toolkit", toolkit);
  row.flags = text("flags");
  row.bound = text("bound");
  for (const Measure &measure : measures())
    if (std::optional<int64_t> value = object.getInteger(measure.name);
        value && *value >= 0)
      row.*measure.value = unsigned(*value);
  if (const json::Array *launches = object.getArray("launches"))
    for (const json::Value &value : *launches)
      if (const json::Object *launch = value.getAsObject())
        row.launches.push_back({launch->getString("block").value_or("").str(),
                                number(*launch, "occupancy"),
                                launch->getString("limit").value_or("").str()});
  if (const json::Array *lines = object.getArray("spillLines"))
    for (const json::Value &value : *lines)
      if (const json::Object *line = value.getAsObject())
        row.spillLines.push_back({line->getString("file").value_or("").str(),
                                  number(*line, "line"),
                                  number(*line, "instructions")});
  return row;
}

} // namespace

void printResourceJson(const ResourceReport &report,
                       const std::vector<std::string> &denied,
                       raw_ostream &out) {
  json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("warplint", WARPLINT_VERSION);
    json.attribute("schema", schema);
    json.attributeArray("resources", [&] {
      for (const ResourceRow &row : report.rows)
        json.object([&] { printRow(row, json); });
    });
    json.attributeArray("denied", [&] {
      for (const std::string &sentence : denied)
        json.value(utf8(sentence));
    });
    json.attributeArray("missing", [&] {
      for (const MissingReport &missing : report.missing)
        json.object([&] {
          text(json, "source", missing.source);
          text(json, "why", missing.why);
        });
    });
    json.attributeArray("notes", [&] {
      for (const std::string &note : report.notes)
        json.value(utf8(note));
    });
  });
  out << '\n';
}

void printResourceFile(const ResourceReport &report, raw_ostream &out) {
  std::string toolkit = commonToolkit(report);
  std::vector<std::string> lines;
  for (const ResourceRow &row : report.rows) {
    std::string line;
    raw_string_ostream stream(line);
    json::OStream json(stream);
    json.object([&] {
      // The identifying fields come first, so that the lines sort by them.
      text(json, "source", row.source);
      text(json, "signature", row.signature);
      text(json, "arch", row.architecture);
      if (!row.flags.empty())
        text(json, "flags", row.flags);
      if (row.toolkit != toolkit)
        text(json, "toolkit", row.toolkit);
      printMeasures(row, /*unknownToo=*/false, json);
    });
    lines.push_back(std::move(line));
  }
  sort(lines);
  lines.erase(unique(lines), lines.end());
  out << "{\n\"warplint\": \"" WARPLINT_VERSION "\",\n\"schema\": " << schema
      << ",\n\"toolkit\": " << json::Value(utf8(toolkit))
      << ",\n\"resources\": [\n";
  for (size_t i = 0; i < lines.size(); ++i)
    out << lines[i] << (i + 1 < lines.size() ? ",\n" : "\n");
  out << "]\n}\n";
}

Expected<ResourceReport> readResourceJson(StringRef text, StringRef name) {
  auto noReport = [&](const Twine &why) {
    return failure("'" + name + "' " + why);
  };
  Expected<json::Value> value = parseJson(text);
  if (!value)
    return noReport("is no report of 'warplint resources --format json': " +
                    toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  const json::Array *rows = object ? object->getArray("resources") : nullptr;
  if (!rows || !object->getString("warplint"))
    return noReport("is no report of 'warplint resources --format json'");
  if (object->getInteger("schema") != schema)
    return noReport(
        "is a report of another release of warplint, which this one "
        "does not read");
  ResourceReport report;
  report.warplint = object->getString("warplint")->str();
  StringRef toolkit = object->getString("toolkit").value_or("");
  for (const json::Value &row : *rows) {
    const json::Object *fields = row.getAsObject();
    if (!fields || !fields->getString("signature"))
      return noReport("has an entry without a signature");
    report.rows.push_back(readRow(*fields, toolkit));
  }
  if (const json::Array *missing = object->getArray("missing"))
    for (const json::Value &each : *missing)
      if (const json::Object *fields = each.getAsObject())
        report.missing.push_back(
            {fields->getString("source").value_or("").str(),
             fields->getString("why").value_or("").str()});
  return report;
}

} // namespace warplint
