#include "report/accesses.h"
#include "base/printable.h"
#include "base/short_number.h"
#include "cost/frequency.h"
#include "cost/local_arrays.h"
#include "report/fields.h"
#include "report/text.h"
#include "version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace warplint {

namespace {

bool hasSectors(const AccessRow &row) {
  return !row.held && row.cost.basis != Basis::Unknown &&
         row.cost.space == Space::Global;
}

bool hasWays(const AccessRow &row) {
  return !row.held && row.cost.basis != Basis::Unknown &&
         row.cost.space == Space::Shared;
}

bool hasWavefronts(const AccessRow &row) {
  return !row.held && row.cost.basis != Basis::Unknown &&
         row.cost.space == Space::Constant;
}

const char *shapeFrom(const KernelShape &shape) {
  switch (shape.source) {
  case ShapeSource::Launch:
    return "launch";
  case ShapeSource::Policy:
    return "policy";
  case ShapeSource::LaunchBounds:
    return "launch bounds";
  case ShapeSource::Option:
    return shape.place.file.empty() ? "--block" : "configuration";
  case ShapeSource::Assumed:
    return "assumed";
  }
  return "";
}

/// True if there is no figure, or only one that counts every lane that may run.
const std::string &dependsOn(const Cost &cost) {
  return cost.basis == Basis::Unknown ? cost.why : cost.chosenBy;
}

const char *basisText(const AccessRow &row) {
  return row.held ? "register" : spelling(row.cost.basis);
}

const char *neededText(Need need) {
  switch (need) {
  case Need::EachTime:
    return "each time";
  case Need::Once:
    return "once";
  case Need::Never:
    return "never";
  }
  return "";
}

const std::string &shownText(const AccessRow &row) {
  return row.access.text.empty() ? row.access.object : row.access.text;
}

std::string placeText(const AccessRow &row, const std::string &relativeTo) {
  const Place &place = row.access.place;
  std::string text = llvm::formatv(
      "{0}:{1}", printablePath(place.file, relativeTo), place.line);
  // A line of PTX has no columns.
  return place.column ? text + ":" + std::to_string(place.column) : text;
}

void printTableHead(const AccessRow &row, bool first, llvm::raw_ostream &out) {
  out << (first ? "" : "\n") << printable(row.kernel) << ", blocks of "
      << row.shape.shape.text();
  if (row.shape.source != ShapeSource::Launch)
    out << " (" << shapeFrom(row.shape) << ')';
  out << '\n';
}

/// The requests of a line tell what it costs in each iteration of its loops.
/// PTX has loads that run once before the loop.
bool sameLineOfCode(const Kernel &kernel, const Access &a, const Access &b) {
  return a.place.line == b.place.line && a.place.file == b.place.file &&
         a.operation == b.operation && a.space == b.space &&
         (kernel.isCompiled ||
          (a.callSites == b.callSites && a.loops == b.loops));
}

std::vector<LoopRow> loopsAround(const Access &access, const Kernel &kernel,
                                 Frequencies &frequencies) {
  std::vector<LoopRow> loops;
  for (LoopId id : access.loops) {
    const Trips trips = frequencies.trips(id);
    loops.push_back({kernel.loops[id].place, trips.count, trips.isAssumed,
                     kernel.loops[id].boundText});
  }
  return loops;
}

/// "20:32;22:~512": line and iterations of each loop; '~' marks an assumption.
std::string loopsText(const AccessRow &row) {
  std::string text;
  for (const LoopRow &loop : row.loops)
    text += (text.empty() ? "" : ";") + std::to_string(loop.place.line) + ":" +
            (loop.isAssumed ? "~" : "") + shortNumber(loop.trips);
  return text;
}

/// True for a copy that the compiler made of a line for sizes that no launch
/// gives.
bool isCopyForOthers(const Kernel &kernel, const std::vector<Cost> &all,
                     size_t i) {
  if (!kernel.isCompiled || !all[i].isKeptOut)
    return false;
  for (size_t other = 0; other < all.size(); ++other)
    if (!all[other].isKeptOut &&
        sameLineOfCode(kernel, kernel.accesses[i], kernel.accesses[other]))
      return true;
  return false;
}

} // namespace

HeldAccesses::HeldAccesses(const Kernel &kernel)
    : kernel_(kernel), isInRegisters_(kernel.arrays.size()) {
  // In PTX, ptxas has not chosen registers yet.
  if (!kernel.isCompiled)
    for (unsigned array = 0; array < kernel.arrays.size(); ++array)
      isInRegisters_[array] = canBeInRegisters(kernel, array);
}

bool HeldAccesses::has(const Access &access) const {
  if (access.space == Space::Local && access.array &&
      isInRegisters_[*access.array])
    return true;
  if (access.need != Need::Once)
    return access.need == Need::Never;
  return llvm::any_of(kernel_.accesses, [&](const Access &other) {
    return other.need == Need::EachTime &&
           sameLineOfCode(kernel_, access, other);
  });
}

std::string costText(const AccessRow &row) {
  if (row.held && row.cost.space == Space::Local)
    return "in registers: each index is known once loops are unrolled";
  const bool isStore = row.access.operation == Operation::Store;
  if (row.held && row.access.need == Need::Once)
    return isStore ? "in a register, and stored behind the loop"
                   : "loaded before the loop, then in a register";
  if (row.held)
    return isStore ? "overwritten before anyone reads it"
                   : "still in a register";
  std::string text;
  if (hasSectors(row))
    text = shortNumber(row.cost.sectors) + " sectors, " +
           shortNumber(row.cost.idealSectors) + " needed";
  else if (hasWays(row))
    text = row.cost.ways == 1 ? "no conflict"
                              : shortNumber(row.cost.ways) + "-way conflict";
  else if (hasWavefronts(row))
    text = row.cost.wavefronts == 1
               ? "one address for all lanes"
               : shortNumber(row.cost.wavefronts) + " wavefronts";
  else if (row.cost.space == Space::Local)
    return "the thread's own memory, if it is not in registers";
  else
    return "depends on " + row.cost.why;
  if (row.cost.isOpen() && row.cost.high > row.cost.lowWhole)
    text += " (" + shortNumber(row.cost.lowWhole) + " to " +
            shortNumber(row.cost.high) +
            (row.cost.chosenBy.empty() ? ", by sizes that are not known)"
                                       : ": which lanes take part depends on " +
                                             row.cost.chosenBy + ")");
  return text;
}

std::vector<AccessRow> accessRows(const CostedKernel &costed) {
  const Kernel &kernel = costed.kernel;
  std::vector<AccessRow> rows;
  const HeldAccesses held(kernel);
  for (const ShapeCosts &costs : costed.shapes) {
    const std::vector<Cost> &all = costs.costs;
    const size_t first = rows.size();
    Frequencies frequencies(kernel, costs.shape);
    for (size_t i = 0; i < all.size(); ++i) {
      // Parameters cost no traffic.
      if (all[i].space == Space::Parameter || kernel.accesses[i].noUserCode ||
          isCopyForOthers(kernel, all, i))
        continue;
      rows.push_back({kernel.name, costs.shape, kernel.accesses[i], all[i],
                      held.has(kernel.accesses[i]),
                      loopsAround(kernel.accesses[i], kernel, frequencies)});
    }
    // Each shape repeats the accesses of the whole kernel.
    llvm::stable_sort(llvm::make_range(rows.begin() + first, rows.end()),
                      [](const AccessRow &a, const AccessRow &b) {
                        return a.access.place < b.access.place;
                      });
  }
  return rows;
}

std::vector<AccessRow> accessRows(const Kernel &kernel) {
  return accessRows(costed(kernel));
}

void printAccessCsv(const std::vector<AccessRow> &rows,
                    const std::string &relativeTo, llvm::raw_ostream &out) {
  out << "file,line,column,kernel,block,block_from,space,op,bytes,"
         "sectors_per_request,ideal_sectors_per_request,conflict_ways,low,high,"
         "lanes,basis,needed,object,text,depends_on,loops\n";
  for (const AccessRow &row : rows) {
    const Access &access = row.access;
    bool known = row.cost.basis != Basis::Unknown;
    bool counted = hasSectors(row) || hasWays(row);
    out << csvField(shownPath(access.place.file, relativeTo)) << ','
        << access.place.line << ',' << access.place.column << ','
        << csvField(row.kernel) << ',' << row.shape.shape.text() << ','
        << shapeFrom(row.shape) << ',' << spelling(row.cost.space) << ','
        << spelling(access.operation) << ',' << access.bytes << ','
        << (hasSectors(row) ? shortNumber(row.cost.sectors) : "") << ','
        << (hasSectors(row) ? shortNumber(row.cost.idealSectors) : "") << ','
        << (hasWays(row) ? shortNumber(row.cost.ways) : "") << ','
        << (counted ? shortNumber(row.cost.low) : "") << ','
        << (counted ? shortNumber(row.cost.high) : "") << ','
        << (known ? shortNumber(row.cost.lanes) : "") << ',' << basisText(row)
        << ',' << neededText(access.need) << ',' << csvField(access.object)
        << ',' << csvField(access.text) << ',' << csvField(dependsOn(row.cost))
        << ',' << loopsText(row) << '\n';
  }
}

void printAccessJson(const std::vector<AccessRow> &rows,
                     llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("warplint", WARPLINT_VERSION);
    json.attribute("schema", 1);
    json.attributeArray("accesses", [&] {
      for (const AccessRow &row : rows)
        json.object([&] {
          const Access &access = row.access;
          json.attribute("file", access.place.file);
          json.attribute("line", access.place.line);
          json.attribute("column", access.place.column);
          json.attribute("kernel", row.kernel);
          json.attribute("block", row.shape.shape.text());
          json.attribute("blockFrom", shapeFrom(row.shape));
          json.attribute("space", spelling(row.cost.space));
          json.attribute("op", spelling(access.operation));
          json.attribute("bytes", access.bytes);
          json.attribute("text", access.text);
          json.attribute("object", access.object);
          json.attribute("basis", basisText(row));
          json.attribute("needed", neededText(access.need));
          if (hasSectors(row)) {
            json.attribute("sectorsPerRequest", row.cost.sectors);
            json.attribute("idealSectorsPerRequest", row.cost.idealSectors);
          }
          if (hasWays(row))
            json.attribute("conflictWays", row.cost.ways);
          if (hasWavefronts(row))
            json.attribute("wavefronts", row.cost.wavefronts);
          if (hasSectors(row) || hasWays(row) || hasWavefronts(row)) {
            json.attribute("low", row.cost.low);
            json.attribute("high", row.cost.high);
            json.attribute("lanes", row.cost.lanes);
          }
          if (const std::string &why = dependsOn(row.cost); !why.empty())
            json.attribute("dependsOn", why);
          json.attributeArray("loops", [&] {
            for (const LoopRow &loop : row.loops)
              json.object([&] {
                json.attribute("file", loop.place.file);
                json.attribute("line", loop.place.line);
                json.attribute("trips", loop.trips);
                json.attribute("assumed", loop.isAssumed);
                json.attribute("bound", loop.bound);
              });
          });
        });
    });
  });
  out << '\n';
}

void printAccessTable(const std::vector<AccessRow> &rows,
                      const std::string &relativeTo, llvm::raw_ostream &out) {
  size_t placeWidth = 0, textWidth = 0;
  for (const AccessRow &row : rows) {
    placeWidth = std::max(placeWidth, placeText(row, relativeTo).size());
    textWidth = std::max(textWidth, shownText(row).size());
  }
  // A long expression must not push the costs off the screen.
  textWidth = std::min<size_t>(textWidth, 40);
  const AccessRow *before = nullptr;
  for (const AccessRow &row : rows) {
    if (!before || before->kernel != row.kernel ||
        before->shape.shape != row.shape.shape)
      printTableHead(row, before == nullptr, out);
    before = &row;
    out << "  " << llvm::left_justify(placeText(row, relativeTo), placeWidth)
        << llvm::formatv("  {0,-6}  {1,-6}  {2,2} bytes  ",
                         spelling(row.cost.space),
                         spelling(row.access.operation), row.access.bytes)
        << llvm::left_justify(printable(shownText(row)), textWidth) << "  "
        << printable(costText(row)) << '\n';
  }
}

} // namespace warplint
