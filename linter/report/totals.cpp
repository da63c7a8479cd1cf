#include "report/totals.h"
#include "base/printable.h"
#include "base/short_number.h"
#include "cost/kernel_time.h"
#include "report/fields.h"
#include "report/text.h"
#include "version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace warplint {

Traffic &Traffic::operator+=(const Traffic &other) {
  reads += other.reads;
  readsLeft += other.readsLeft;
  writes += other.writes;
  atomics += other.atomics;
  bytes += other.bytes;
  requests += other.requests;
  sectors += other.sectors;
  return *this;
}

std::optional<double> TotalsRow::intensity() const {
  return global.bytes > 0 ? std::optional(operations / global.bytes)
                          : std::nullopt;
}

namespace {

/// The work of a thread with one access, and the warps of a launch with it.
Traffic trafficOf(const Access &access, const Cost &cost,
                  Frequencies &frequencies) {
  Traffic traffic;
  if (cost.isKeptOut)
    return traffic;
  llvm::ArrayRef<LoopId> loops = access.loops;
  const double share =
      (cost.lanes ? cost.lanes : double(warpSize)) / double(warpSize);
  const double written = frequencies.of(loops, access.guard).perWarp;
  double left = access.need == Need::Never ? 0 : written;
  if (access.need == Need::Once && !loops.empty())
    left = frequencies.of(loops.drop_back(), access.guard).perWarp;
  switch (access.operation) {
  case Operation::Load:
    traffic.reads = written * share;
    traffic.readsLeft = left * share;
    break;
  case Operation::Store:
    traffic.writes = written * share;
    break;
  case Operation::Atomic:
    traffic.atomics = written * share;
    break;
  }
  traffic.bytes = left * share * access.bytes;
  traffic.requests = left * frequencies.warps().value_or(0);
  if (cost.space == Space::Global && cost.basis != Basis::Unknown)
    traffic.sectors = traffic.requests * cost.sectors;
  return traffic;
}

double operationsOf(const Kernel &kernel, Frequencies &frequencies) {
  double sum = 0;
  for (const Arithmetic &work : kernel.arithmetic)
    if (work.operations)
      sum += work.operations * frequencies.of(work.loops, work.guard).perWarp;
  return sum;
}

/// "12", "1.5", and "0" for nothing.
std::string cell(double number) {
  return number ? shortNumber(number) : std::string("0");
}

std::vector<std::string> headOfTable() {
  return {"object",  "space", "reads",    "left",   "writes",
          "atomics", "bytes", "requests", "sectors"};
}

std::vector<std::string> cellsOf(const std::string &name,
                                 const std::string &space,
                                 const Traffic &traffic, bool isLaunched) {
  return {name,
          space,
          cell(traffic.reads),
          cell(traffic.readsLeft),
          cell(traffic.writes),
          cell(traffic.atomics),
          cell(traffic.bytes),
          isLaunched ? cell(traffic.requests) : "-",
          isLaunched ? cell(traffic.sectors) : "-"};
}

/// The first two columns are words, the others numbers.
void printCells(const std::vector<std::vector<std::string>> &lines,
                llvm::raw_ostream &out) {
  std::vector<size_t> widths(lines.front().size());
  for (const auto &line : lines)
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  for (const auto &line : lines) {
    std::string text;
    for (size_t i = 0; i < line.size(); ++i) {
      llvm::raw_string_ostream cellOut(text);
      cellOut << "  ";
      if (i < 2)
        cellOut << llvm::left_justify(line[i], widths[i]);
      else
        cellOut << llvm::right_justify(line[i], widths[i]);
    }
    out << llvm::StringRef(text).rtrim() << '\n';
  }
}

} // namespace

std::vector<TotalsRow> totalsRows(const Kernel &kernel) {
  const CostedKernel costs = costed(kernel);
  std::vector<TotalsRow> rows;
  for (const ShapeCosts &shape : costs.shapes) {
    Frequencies frequencies(kernel, shape.shape);
    TotalsRow row;
    row.kernel = kernel.name;
    row.place = kernel.place;
    row.shape = shape.shape;
    row.warps = frequencies.warps();
    for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
      const Access &access = kernel.accesses[i];
      const Space space = shape.costs[i].space;
      // Parameters cost no traffic.
      if (space == Space::Parameter || access.noUserCode)
        continue;
      auto same = llvm::find_if(row.objects, [&](const ObjectTraffic &other) {
        return other.object == access.object && other.space == space;
      });
      if (same == row.objects.end())
        same = row.objects.insert(same, {access.object, space, {}});
      const Traffic traffic = trafficOf(access, shape.costs[i], frequencies);
      same->traffic += traffic;
      if (space == Space::Global)
        row.global += traffic;
    }
    row.operations = operationsOf(kernel, frequencies);
    row.assumed = frequencies.assumedBounds();
    rows.push_back(std::move(row));
  }
  return rows;
}

void printTotalsTable(const std::vector<TotalsRow> &rows,
                      const std::string &relativeTo, llvm::raw_ostream &out) {
  bool isFirst = true;
  for (const TotalsRow &row : rows) {
    out << (isFirst ? "" : "\n") << printable(row.kernel) << ", blocks of "
        << row.shape.shape.text() << ", "
        << printablePath(row.place.file, relativeTo) << ':' << row.place.line
        << '\n';
    isFirst = false;
    out << "  by thread: reads as written, and left by the compiler, writes, "
           "atomics, bytes; by launch: requests, sectors\n";
    std::vector<std::vector<std::string>> lines = {headOfTable()};
    for (const ObjectTraffic &object : row.objects)
      lines.push_back(cellsOf(printable(object.object), spelling(object.space),
                              object.traffic, row.warps.has_value()));
    lines.push_back(
        cellsOf("all", "global", row.global, row.warps.has_value()));
    printCells(lines, out);
    out << "  " << cell(row.operations)
        << " operations on floating-point numbers by thread";
    if (auto intensity = row.intensity())
      out << ", " << cell(*intensity) << " for each byte of global memory";
    out << '\n';
    if (!row.warps)
      out << "  no launch gives the grid\n";
    if (!row.assumed.empty())
      out << "  taken to be large: " << printable(llvm::join(row.assumed, ", "))
          << '\n';
  }
}

void printTotalsCsv(const std::vector<TotalsRow> &rows,
                    const std::string &relativeTo, llvm::raw_ostream &out) {
  out << "file,line,kernel,block,object,space,reads,reads_left,writes,atomics,"
         "bytes,requests_of_launch,sectors_of_launch,operations,"
         "operations_per_byte,assumed\n";
  for (const TotalsRow &row : rows)
    for (const ObjectTraffic &object : row.objects) {
      const Traffic &traffic = object.traffic;
      const auto intensity = row.intensity();
      out << csvField(shownPath(row.place.file, relativeTo)) << ','
          << row.place.line << ',' << csvField(row.kernel) << ','
          << row.shape.shape.text() << ',' << csvField(object.object) << ','
          << spelling(object.space) << ',' << cell(traffic.reads) << ','
          << cell(traffic.readsLeft) << ',' << cell(traffic.writes) << ','
          << cell(traffic.atomics) << ',' << cell(traffic.bytes) << ','
          << (row.warps ? cell(traffic.requests) : "") << ','
          << (row.warps ? cell(traffic.sectors) : "") << ','
          << cell(row.operations) << ',' << (intensity ? cell(*intensity) : "")
          << ',' << csvField(llvm::join(row.assumed, ", ")) << '\n';
    }
}

void printTotalsJson(const std::vector<TotalsRow> &rows,
                     llvm::raw_ostream &out) {
  auto number = [](bool isKnown, double value) {
    return isKnown ? llvm::json::Value(value) : llvm::json::Value(nullptr);
  };
  llvm::json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("warplint", WARPLINT_VERSION);
    json.attribute("schema", 1);
    json.attributeArray("kernels", [&] {
      for (const TotalsRow &row : rows)
        json.object([&] {
          const bool isLaunched = row.warps.has_value();
          auto attributesOf = [&](const Traffic &traffic) {
            json.attribute("reads", traffic.reads);
            json.attribute("readsLeft", traffic.readsLeft);
            json.attribute("writes", traffic.writes);
            json.attribute("atomics", traffic.atomics);
            json.attribute("bytes", traffic.bytes);
            json.attribute("requestsOfLaunch",
                           number(isLaunched, traffic.requests));
            json.attribute("sectorsOfLaunch",
                           number(isLaunched, traffic.sectors));
          };
          json.attribute("kernel", utf8(row.kernel));
          json.attribute("file", utf8(row.place.file));
          json.attribute("line", row.place.line);
          json.attribute("block", row.shape.shape.text());
          json.attribute("operations", row.operations);
          json.attribute(
              "operationsPerByte",
              number(row.intensity().has_value(), row.intensity().value_or(0)));
          json.attributeObject("global", [&] { attributesOf(row.global); });
          json.attributeArray("objects", [&] {
            for (const ObjectTraffic &object : row.objects)
              json.object([&] {
                json.attribute("object", utf8(object.object));
                json.attribute("space", spelling(object.space));
                attributesOf(object.traffic);
              });
          });
          json.attributeArray("assumed", [&] {
            for (const std::string &bound : row.assumed)
              json.value(utf8(bound));
          });
        });
    });
  });
  out << '\n';
}

} // namespace warplint
