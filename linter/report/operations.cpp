#include "report/operations.h"
#include "base/printable.h"
#include "base/short_number.h"
#include "cost/bookkeeping.h"
#include "cost/repeated_operations.h"
#include "report/fields.h"
#include "report/text.h"
#include "version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <map>

namespace warplint {

namespace {

class RowMaker {
public:
  explicit RowMaker(const Kernel &kernel) : kernel_(kernel) {}

  std::vector<OperationRow> make(const std::vector<MachineLine> *lines) {
    const std::vector<bool> repeated = repeatedOperations(kernel_);
    const std::vector<PipeCounts> shared = sharedByDivisions(kernel_, repeated);
    for (size_t i = 0; i < kernel_.operations.size(); ++i)
      if (!repeated[i])
        addOperation(kernel_.operations[i], shared[i]);
    for (const Bookkeeping &each : bookkeepingOf(kernel_))
      rowAt(each.place, each.loops).source += each.pipes;
    for (const Access &access : kernel_.accesses)
      if (access.need != Need::Never && access.space != Space::Parameter)
        rowAt(access.place, access.loops).source.memory += 1;
    for (const Branch &branch : kernel_.branches)
      if (!isOfSameCondition(kernel_, branch))
        rowAt(branch.place, branch.loops).source.control += 1;
    for (const Loop &loop : kernel_.loops)
      rowAt(loop.place, {}).source.control += 1;
    if (lines)
      addCompiled(*lines);
    std::vector<OperationRow> rows;
    for (auto &[place, row] : rows_)
      if (row.source.all() > 0 || (row.compiled && row.compiled->all() > 0))
        rows.push_back(std::move(row));
    return rows;
  }

private:
  OperationRow &rowAt(const Place &place, const std::vector<LoopId> &loops) {
    OperationRow &row = rows_[{place.file, place.line}];
    row.kernel = kernel_.name;
    row.place = {place.file, place.line, 0};
    if (loops.size() > row.loops.size()) {
      row.loops.clear();
      for (LoopId loop : loops)
        row.loops.push_back(kernel_.loops[loop].place.line);
    }
    return row;
  }

  void addOperation(const Computation &operation, const PipeCounts &shared) {
    PipeCounts pipes = pipesOf(kernel_, operation);
    pipes += shared * -1;
    const Written &written = kernel_.writtenOf(operation);
    OperationRow &row = rowAt(written.place, kernel_.loopsOf(operation));
    row.source += pipes;
    if (row.text.empty() && pipes.all() > 0)
      row.text = written.text;
  }

  /// Line tables name files as the compiler got them: joins by base name.
  void addCompiled(const std::vector<MachineLine> &lines) {
    std::map<std::pair<std::string, unsigned>, OperationRow *> byName;
    for (auto &[place, row] : rows_)
      byName[{llvm::sys::path::filename(place.first).str(), place.second}] =
          &row;
    for (auto &[place, row] : rows_)
      row.compiled.emplace();
    for (const MachineLine &line : lines) {
      auto it =
          byName.find({llvm::sys::path::filename(line.file).str(), line.line});
      OperationRow &row =
          it != byName.end() ? *it->second : rowAt({line.file, line.line}, {});
      if (!row.compiled)
        row.compiled.emplace();
      *row.compiled += line.pipes;
    }
  }

  const Kernel &kernel_;
  std::map<std::pair<std::string, unsigned>, OperationRow> rows_;
};

/// A pipe's name in the formats, and its count.
struct Column {
  const char *name;
  double PipeCounts::*count;
};
constexpr Column columns[] = {
    {"fma", &PipeCounts::fma},      {"alu", &PipeCounts::alu},
    {"fp64", &PipeCounts::doubles}, {"xu", &PipeCounts::special},
    {"lsu", &PipeCounts::memory},   {"control", &PipeCounts::control},
};

std::string loopsText(const OperationRow &row) {
  return llvm::join(
      llvm::map_range(row.loops,
                      [](unsigned line) { return std::to_string(line); }),
      " ");
}

/// "3 fma, 2 alu"; "-" for nothing.
std::string pipesText(const PipeCounts &pipes) {
  std::string text;
  for (const Column &column : columns)
    if (const double count = pipes.*column.count; count > 0)
      text +=
          (text.empty() ? "" : ", ") + shortNumber(count) + " " + column.name;
  return text.empty() ? "-" : text;
}

} // namespace

std::vector<OperationRow> operationRows(const Kernel &kernel,
                                        const std::vector<MachineLine> *lines) {
  return RowMaker(kernel).make(lines);
}

void printOperationTable(const std::vector<OperationRow> &rows,
                         const std::string &relativeTo,
                         llvm::raw_ostream &out) {
  size_t placeWidth = 0, textWidth = 0, sourceWidth = 6;
  auto placeText = [&](const OperationRow &row) {
    return row.place.line ? printablePath(row.place.file, relativeTo) + ":" +
                                std::to_string(row.place.line)
                          : std::string("no line");
  };
  for (const OperationRow &row : rows) {
    placeWidth = std::max(placeWidth, placeText(row).size());
    textWidth = std::max(textWidth, printable(row.text).size());
    sourceWidth = std::max(sourceWidth, pipesText(row.source).size());
  }
  // A long expression must not push the counts off the screen.
  textWidth = std::min<size_t>(textWidth, 40);
  const OperationRow *before = nullptr;
  for (const OperationRow &row : rows) {
    if (!before || before->kernel != row.kernel)
      out << (before ? "\n" : "") << printable(row.kernel) << '\n';
    before = &row;
    out << "  " << llvm::left_justify(placeText(row), placeWidth) << "  "
        << llvm::left_justify(printable(row.text).substr(0, textWidth),
                              textWidth)
        << "  " << llvm::left_justify(pipesText(row.source), sourceWidth)
        << "  compiled: "
        << (row.compiled ? pipesText(*row.compiled) : "unknown");
    if (!row.loops.empty())
      out << "  (" << (row.loops.size() == 1 ? "loop at " : "loops at ")
          << loopsText(row) << ")";
    out << '\n';
  }
}

void printOperationCsv(const std::vector<OperationRow> &rows,
                       const std::string &relativeTo, llvm::raw_ostream &out) {
  out << "file,line,kernel,loops,text";
  for (const char *side : {"source", "compiled"})
    for (const Column &column : columns)
      out << ',' << side << '_' << column.name;
  out << '\n';
  for (const OperationRow &row : rows) {
    out << csvField(shownPath(row.place.file, relativeTo)) << ','
        << row.place.line << ',' << csvField(row.kernel) << ','
        << loopsText(row) << ',' << csvField(row.text);
    for (const Column &column : columns)
      out << ',' << shortNumber(row.source.*column.count);
    for (const Column &column : columns)
      out << ','
          << (row.compiled ? shortNumber((*row.compiled).*column.count) : "");
    out << '\n';
  }
}

void printOperationJson(const std::vector<OperationRow> &rows,
                        llvm::raw_ostream &out) {
  llvm::json::OStream json(out, /*IndentSize=*/2);
  auto print = [&](const PipeCounts &pipes) {
    for (const Column &column : columns)
      json.attribute(column.name, pipes.*column.count);
  };
  json.object([&] {
    json.attribute("warplint", WARPLINT_VERSION);
    json.attribute("schema", 1);
    json.attributeArray("operations", [&] {
      for (const OperationRow &row : rows)
        json.object([&] {
          json.attribute("file", utf8(row.place.file));
          json.attribute("line", row.place.line);
          json.attribute("kernel", utf8(row.kernel));
          json.attributeArray("loops", [&] {
            for (unsigned line : row.loops)
              json.value(line);
          });
          json.attribute("text", utf8(row.text));
          json.attributeObject("source", [&] { print(row.source); });
          if (row.compiled)
            json.attributeObject("compiled", [&] { print(*row.compiled); });
        });
    });
  });
  out << '\n';
}

} // namespace warplint
