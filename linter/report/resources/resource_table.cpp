#include "report/resources/resource_table.h"
#include "base/plural.h"
#include "base/printable.h"
#include "report/fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace llvm;

namespace warplint {
namespace {

/// Merges rows that differ only in the source: a template in a header is
/// compiled with each source that uses it.
struct Line {
  const ResourceRow *row;
  unsigned sources = 1;
};

bool sameButForSource(ResourceRow a, const ResourceRow &b) {
  a.source = b.source;
  return a == b;
}

std::vector<Line> linesOf(const ResourceReport &report) {
  std::vector<Line> lines;
  std::map<std::pair<StringRef, StringRef>, std::vector<size_t>> known;
  for (const ResourceRow &row : report.rows) {
    std::vector<size_t> &alike = known[{row.signature, row.architecture}];
    auto same = find_if(
        alike, [&](size_t i) { return sameButForSource(row, *lines[i].row); });
    if (same != alike.end()) {
      ++lines[*same].sources;
      continue;
    }
    alike.push_back(lines.size());
    lines.push_back({&row});
  }
  return lines;
}

std::string nameOf(const Line &line) {
  std::string name = kernelAndPlace(*line.row);
  if (line.sources > 1)
    name += " in " + std::to_string(line.sources) + " sources";
  return name;
}

std::string cell(const ResourceRow::Number &number) {
  return number ? std::to_string(*number) : "";
}

std::string sum(const ResourceRow &row) {
  if (!row.spillStores && !row.spillLoads)
    return "";
  return cell(row.spillStores) + "/" + cell(row.spillLoads);
}

std::string occupancy(const ResourceRow &row) {
  if (!row.occupancy)
    return "";
  std::string text = cell(row.occupancy) + "%";
  for (const LaunchOccupancy &launch : row.launches)
    if (launch.percent == *row.occupancy)
      return text + " " + launch.block;
  return text;
}

struct Column {
  const char *heading;
  std::string (*text)(const ResourceRow &row);
};

/// The most important columns first; the kernel last, since its name may be
/// long.
constexpr Column columns[] = {
    {"arch", [](const ResourceRow &row) { return row.architecture; }},
    {"spill st/ld", sum},
    {"stack", [](const ResourceRow &row) { return cell(row.stack); }},
    {"arrays", [](const ResourceRow &row) { return cell(row.arrays); }},
    {"spills", [](const ResourceRow &row) { return cell(row.spills); }},
    {"other", [](const ResourceRow &row) { return cell(row.other); }},
    {"occupancy", occupancy},
    {"regs", [](const ResourceRow &row) { return cell(row.registers); }},
    {"shared", [](const ResourceRow &row) { return cell(row.shared); }},
    {"bar", [](const ResourceRow &row) { return cell(row.barriers); }},
};

/// One row of texts per line; the first has the headings.
std::vector<std::vector<std::string>> cells(const std::vector<Line> &lines) {
  std::vector<std::vector<std::string>> table(lines.size() + 1);
  for (const Column &column : columns) {
    bool any = any_of(lines, [&](const Line &line) {
      return !column.text(*line.row).empty();
    });
    if (!any)
      continue;
    table[0].push_back(column.heading);
    for (size_t i = 0; i < lines.size(); ++i)
      table[i + 1].push_back(printable(column.text(*lines[i].row)));
  }
  table[0].push_back("kernel");
  for (size_t i = 0; i < lines.size(); ++i)
    table[i + 1].push_back(printable(nameOf(lines[i])));
  return table;
}

std::string placeText(const Place &place) {
  return place.line ? place.file + ":" + std::to_string(place.line)
                    : place.file;
}

} // namespace

std::string kernelAndPlace(const ResourceRow &row) {
  std::string place =
      row.place.file.empty() ? row.source : placeText(row.place);
  bool isNamed = StringRef(row.kernel).contains("lambda at ");
  return place.empty() || isNamed ? row.kernel
                                  : row.kernel + " (" + place + ")";
}

std::string markdownCell(StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    // No special meaning inside a word.
    bool isWithin = text[i] == '_' && i && i + 1 < text.size() &&
                    isAlnum(text[i - 1]) && isAlnum(text[i + 1]);
    if (StringRef("|*_`<>[]\\").contains(text[i]) && !isWithin)
      result += '\\';
    result += text[i] == '\n' ? ' ' : text[i];
  }
  return printable(result);
}

std::string spillPlaces(const ResourceRow &row) {
  constexpr size_t shown = 4;
  std::string text;
  StringRef file;
  for (const SpillLine &line : ArrayRef(row.spillLines).take_front(shown)) {
    text += text.empty() ? "" : ", ";
    text +=
        (line.file == file ? "" : line.file) + ":" + std::to_string(line.line);
    file = line.file;
  }
  if (row.spillLines.size() > shown)
    text += " and " + std::to_string(row.spillLines.size() - shown) +
            (row.spillLines.size() == shown + 1 ? " more line" : " more lines");
  return text;
}

void printResourceTable(const ResourceReport &report, unsigned width,
                        raw_ostream &out) {
  if (report.rows.empty())
    return;
  auto table = cells(linesOf(report));
  std::vector<size_t> widths(table[0].size());
  for (const auto &row : table)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto &row : table) {
    std::string line;
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      bool isText = table[0][i] == "arch";
      std::string space(widths[i] - row[i].size(), ' ');
      line += (isText ? row[i] + space : space + row[i]) + "  ";
    }
    line += row.back();
    if (width > 10 && line.size() > width)
      line = line.substr(0, width - 3) + "...";
    out << line << '\n';
  }
}

void printResourceMarkdown(const ResourceReport &report, raw_ostream &out) {
  if (!report.rows.empty()) {
    auto table = cells(linesOf(report));
    for (size_t i = 0; i < table.size(); ++i) {
      out << '|';
      for (const std::string &text : table[i])
        out << ' ' << markdownCell(text) << " |";
      out << '\n';
      if (i > 0)
        continue;
      out << '|';
      for (const std::string &text : table[0])
        out << (text == "arch" || text == "kernel" ? " --- |" : " ---: |");
      out << '\n';
    }
    out << '\n';
  }
  out << resourceClosing(report) << '\n';
}

void printResourceCsv(const ResourceReport &report, raw_ostream &out) {
  out << "kernel,arch,source,line";
  for (const Measure &measure : measures())
    out << ',' << measure.name;
  out << ",block,toolkit,flags,signature\n";
  for (const ResourceRow &row : report.rows) {
    out << csvField(row.kernel) << ',' << csvField(row.architecture) << ','
        << csvField(row.source) << ','
        << (row.place.line ? std::to_string(row.place.line) : "");
    for (const Measure &measure : measures())
      out << ',' << cell(row.*measure.value);
    auto lowest = find_if(row.launches, [&](const LaunchOccupancy &launch) {
      return launch.percent == row.occupancy;
    });
    out << ',' << (lowest == row.launches.end() ? "" : lowest->block) << ','
        << csvField(row.toolkit) << ',' << csvField(row.flags) << ','
        << csvField(row.signature) << '\n';
  }
}

std::string resourceClosing(const ResourceReport &report) {
  std::vector<Line> lines = linesOf(report);
  std::set<std::string> architectures, kernels;
  unsigned spilling = 0, framed = 0, unknown = 0;
  for (const Line &line : lines) {
    const ResourceRow &row = *line.row;
    kernels.insert(row.signature);
    if (!row.architecture.empty())
      architectures.insert(row.architecture);
    ResourceRow::Number spilled = row.spill() ? row.spill() : row.spills;
    spilling += spilled.value_or(0) != 0;
    framed += row.stack.value_or(0) != 0;
    // There are no spills without a stack frame.
    unknown += !row.stack || (*row.stack && !spilled);
  }
  if (lines.empty())
    return "no kernels";
  std::string text = counted(kernels.size(), "kernel");
  if (!architectures.empty())
    text += " on " + printable(join(architectures, ", "));
  if (lines.size() != kernels.size())
    text += " in " + std::to_string(lines.size()) + " lines";
  if (framed || spilling)
    text += ": " + std::to_string(spilling) + " spill, " +
            std::to_string(framed) + " have a stack frame";
  else if (!unknown)
    text += ": none spills, none has a stack frame";
  if (unknown)
    text += "; whether " + std::to_string(unknown) + " spill is not known";
  return text;
}

} // namespace warplint
