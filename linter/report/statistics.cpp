#include "report/statistics.h"
#include "base/printable.h"
#include "report/closing.h"
#include "report/evidence.h"
#include "report/fields.h"
#include "report/text.h"
#include "version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <map>

using namespace llvm;

namespace warplint {
namespace {

using Counts = std::map<Verdict, unsigned>;

unsigned sum(const Counts &counts) {
  unsigned all = 0;
  for (auto [verdict, count] : counts)
    all += count;
  return all;
}

struct Row {
  std::string name;
  Counts counts;
};

struct Table {
  const char *key, *heading;
  /// The rows that a finding counts for: one name, or several kernels.
  std::function<std::vector<std::string>(const Finding &)> names;
  std::vector<Row> rows = {};
};

std::vector<Table> tablesOf(const Report &report, bool refuted,
                            const std::string &root) {
  using Names = std::vector<std::string>;
  std::vector<Table> tables = {
      {"checks", "by check", [](const auto &f) { return Names{f.check}; }},
      {"levels", "by level",
       [](const auto &f) { return Names{spelling(f.level)}; }},
      {"verdicts", "by verdict",
       [](const auto &f) { return Names{spelling(f.verdict())}; }},
      {"files", "by file",
       [&](const auto &f) {
         return Names{shownPath(f.place.file, root).str()};
       }},
      {"kernels", "by kernel", kernelNames},
  };
  for (Table &table : tables) {
    std::map<std::string, Counts> counted;
    for (const Finding &finding : report.findings)
      if (refuted || finding.verdict() != Verdict::Refuted)
        for (const std::string &name : table.names(finding))
          ++counted[name][finding.verdict()];
    for (auto &[name, counts] : counted)
      table.rows.push_back({name, std::move(counts)});
    stable_sort(table.rows, [](const Row &a, const Row &b) {
      return sum(a.counts) > sum(b.counts);
    });
  }
  return tables;
}

/// "3 confirmed, 1 unjudged".
std::string verdictsOf(const Counts &counts) {
  std::vector<std::string> parts;
  for (Verdict verdict :
       {Verdict::Confirmed, Verdict::Unjudged, Verdict::Refuted})
    if (auto found = counts.find(verdict); found != counts.end())
      parts.push_back(std::to_string(found->second) + " " + spelling(verdict));
  return join(parts, ", ");
}

} // namespace

void printStatistics(const Report &report, bool refuted,
                     const std::string &root, raw_ostream &out) {
  constexpr size_t rowsShown = 20;
  for (const Table &table : tablesOf(report, refuted, root)) {
    if (table.rows.empty())
      continue;
    out << table.heading << '\n';
    for (const Row &row : ArrayRef(table.rows).take_front(rowsShown)) {
      out << format("%6u  ", sum(row.counts)) << printable(row.name);
      if (StringRef(table.key) != "verdicts")
        out << "  (" << verdictsOf(row.counts) << ')';
      out << '\n';
    }
    if (table.rows.size() > rowsShown)
      out << "        and " << table.rows.size() - rowsShown << " more\n";
    out << '\n';
  }
  out << closingLine(report, refuted) << '\n';
}

void printStatisticsJson(const Report &report, bool refuted,
                         const std::string &root, raw_ostream &out) {
  json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("warplint", WARPLINT_VERSION);
    json.attribute("schema", 1);
    for (const Table &table : tablesOf(report, refuted, root))
      json.attributeArray(table.key, [&] {
        for (const Row &row : table.rows)
          json.object([&] {
            json.attribute("name", utf8(row.name));
            json.attribute("findings", sum(row.counts));
            for (auto [verdict, count] : row.counts)
              json.attribute(spelling(verdict), count);
          });
      });
  });
  out << '\n';
}

} // namespace warplint
