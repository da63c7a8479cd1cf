#include "report/resources/resource_diff.h"
#include "base/plural.h"
#include "base/printable.h"
#include "report/fields.h"
#include "report/resources/resource_table.h"
#include "version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace warplint {

static const char *spelling(Direction direction) {
  switch (direction) {
  case Direction::Worse:
    return "worse";
  case Direction::Better:
    return "better";
  case Direction::New:
    return "new";
  case Direction::Gone:
    return "gone";
  }
  return "";
}

static unsigned count(const ResourceComparison &comparison,
                      Direction direction) {
  unsigned count = 0;
  for (const ResourceChange &change : comparison.changes)
    if (change.direction == direction)
      count += change.sources;
  return count;
}

static std::string nameOf(const ResourceChange &change) {
  std::string name = kernelAndPlace(change.after);
  if (change.sources > 1)
    name += " in " + std::to_string(change.sources) + " sources";
  return name;
}

std::string newSpills(const ResourceChange &change) {
  const ResourceRow &after = change.after;
  bool more = change.direction == Direction::New ||
              after.spill().value_or(0) > change.before.spill().value_or(0);
  std::string places = more ? spillPlaces(after) : "";
  return places.empty() ? "" : "spills at " + places;
}

bool isWorse(const ResourceComparison &comparison) {
  return any_of(comparison.changes,
                [](const ResourceChange &change) { return isWorse(change); });
}

std::string diffClosing(const ResourceComparison &comparison) {
  std::string text;
  unsigned known = 0;
  for (Direction direction :
       {Direction::Worse, Direction::Better, Direction::New, Direction::Gone}) {
    unsigned here = count(comparison, direction);
    if (!here)
      continue;
    if (!known++)
      text = counted(here, "kernel") + " ";
    else
      text += ", " + std::to_string(here) + " ";
    text += spelling(direction);
  }
  if (!known)
    return "nothing changed in " + counted(comparison.unchanged, "kernel");
  return text + ", " + std::to_string(comparison.unchanged) + " unchanged";
}

void printChanges(ArrayRef<ResourceChange> changes, raw_ostream &out) {
  for (const ResourceChange &change : changes) {
    out << left_justify(spelling(change.direction), 6) << "  "
        << left_justify(printable(change.after.architecture), 6) << "  "
        << printable(nameOf(change) + ": " + join(change.what, ", ")) << '\n';
    if (std::string spills = newSpills(change); !spills.empty())
      out << "                " << printable(spills) << '\n';
  }
}

void printDiffText(const ResourceComparison &comparison, raw_ostream &out) {
  printChanges(comparison.changes, out);
  for (const std::string &note : comparison.notes)
    out << "note: " << printable(note) << '\n';
  out << diffClosing(comparison) << '\n';
}

void printDiffMarkdown(const ResourceComparison &comparison, raw_ostream &out) {
  out << diffClosing(comparison) << "\n\n";
  if (!comparison.changes.empty())
    out << "| | arch | kernel | what |\n| --- | --- | --- | --- |\n";
  for (const ResourceChange &change : comparison.changes) {
    std::string what = join(change.what, ", ");
    if (std::string spills = newSpills(change); !spills.empty())
      what += "; " + spills;
    out << "| " << spelling(change.direction) << " | "
        << markdownCell(change.after.architecture) << " | "
        << markdownCell(nameOf(change)) << " | " << markdownCell(what)
        << " |\n";
  }
  for (const std::string &note : comparison.notes)
    out << "\n" << markdownCell(note) << '\n';
}

static void printNumbers(const ResourceRow &row, json::OStream &json) {
  for (const Measure &measure : measures())
    if (const ResourceRow::Number &number = row.*measure.value)
      json.attribute(measure.name, *number);
    else
      json.attribute(measure.name, nullptr);
}

void printChange(const ResourceChange &change, json::OStream &json) {
  const ResourceRow &row = change.after;
  json.attribute("change", spelling(change.direction));
  json.attribute("kernel", utf8(row.kernel));
  json.attribute("signature", utf8(row.signature));
  json.attribute("arch", utf8(row.architecture));
  json.attribute("source", utf8(row.source));
  json.attribute("file", utf8(row.place.file));
  json.attribute("line", row.place.line);
  json.attribute("sources", change.sources);
  if (change.direction != Direction::New)
    json.attributeObject("before", [&] { printNumbers(change.before, json); });
  if (change.direction == Direction::Gone)
    return;
  json.attributeObject("after", [&] { printNumbers(row, json); });
  json.attributeArray("spillLines", [&] {
    for (const SpillLine &line : row.spillLines)
      json.object([&] {
        json.attribute("file", utf8(line.file));
        json.attribute("line", line.line);
        json.attribute("instructions", line.instructions);
      });
  });
}

void printDiffJson(const ResourceComparison &comparison, raw_ostream &out) {
  json::OStream json(out, /*IndentSize=*/2);
  auto texts = [&](StringRef key, const std::vector<std::string> &list) {
    json.attributeArray(key, [&] {
      for (const std::string &text : list)
        json.value(utf8(text));
    });
  };
  json.object([&] {
    json.attribute("warplint", WARPLINT_VERSION);
    json.attribute("schema", 1);
    json.attributeArray("changes", [&] {
      for (const ResourceChange &change : comparison.changes)
        json.object([&] { printChange(change, json); });
    });
    json.attribute("unchanged", comparison.unchanged);
    texts("notes", comparison.notes);
    texts("missing", comparison.missing);
  });
  out << '\n';
}

} // namespace warplint
