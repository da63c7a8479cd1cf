#include "report/kernel_costs.h"
#include "base/printable.h"
#include "base/short_number.h"
#include "report/fields.h"
#include "report/text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <set>

namespace warplint {

std::vector<KernelCostRow> kernelCostRows(const Kernel &kernel,
                                          unsigned capability) {
  const CostedKernel costs = costed(kernel, {}, capability);
  const std::set<std::string> notCounted(kernel.notFollowed.begin(),
                                         kernel.notFollowed.end());
  std::vector<KernelCostRow> rows;
  for (const ShapeCosts &shape : costs.shapes) {
    const KernelTime &time = timeOf(costs, shape);
    rows.push_back({kernel.name,
                    kernel.place,
                    shape.shape,
                    time.frequencies().warps(),
                    time.machine().capability,
                    time.bound(),
                    time.total(),
                    time.microseconds(),
                    time.frequencies().assumedBounds(),
                    {notCounted.begin(), notCounted.end()}});
  }
  return rows;
}

static std::string assumedText(const KernelCostRow &row) {
  return llvm::join(row.assumed, ", ");
}

static std::string notCountedText(const KernelCostRow &row) {
  return llvm::join(row.notCounted, "; ");
}

void printKernelCostTable(const std::vector<KernelCostRow> &rows,
                          const std::string &relativeTo,
                          llvm::raw_ostream &out) {
  bool isFirst = true;
  for (const KernelCostRow &row : rows) {
    out << (isFirst ? "" : "\n") << printable(row.kernel) << ", blocks of "
        << row.shape.shape.text() << ", "
        << printablePath(row.place.file, relativeTo) << ':' << row.place.line
        << '\n';
    isFirst = false;
    out << "  sm_" << row.capability << ": bound by " << spelling(row.bound);
    if (row.microseconds)
      out << ", about " << shortNumber(*row.microseconds) << " us";
    else
      out << "; no launch gives its grid";
    out << '\n';
    const Demand &demand = row.demand;
    out << llvm::formatv(
        "  a warp: {0} instructions ({1} of FP64, {2} special, {3} of the ALU "
        "alone), {4} wavefronts in L1, {5} sectors from L2\n",
        shortNumber(demand.instructions), shortNumber(demand.doubles),
        shortNumber(demand.special), shortNumber(demand.logic),
        shortNumber(demand.wavefronts), shortNumber(demand.sectors));
    if (!row.assumed.empty())
      out << "  taken to be large: " << printable(assumedText(row)) << '\n';
    if (!row.notCounted.empty())
      out << "  not counted: " << printable(notCountedText(row)) << '\n';
  }
}

void printKernelCostCsv(const std::vector<KernelCostRow> &rows,
                        const std::string &relativeTo, llvm::raw_ostream &out) {
  out << "file,line,kernel,block,arch,warps,bound,microseconds,instructions,"
         "fp64,special,alu,products,wavefronts,sectors,assumed,not_counted\n";
  for (const KernelCostRow &row : rows)
    out << csvField(shownPath(row.place.file, relativeTo)) << ','
        << row.place.line << ',' << csvField(row.kernel) << ','
        << row.shape.shape.text() << ",sm_" << row.capability << ','
        << (row.warps ? shortNumber(*row.warps) : "") << ','
        << spelling(row.bound) << ','
        << (row.microseconds ? shortNumber(*row.microseconds) : "") << ','
        << shortNumber(row.demand.instructions) << ','
        << shortNumber(row.demand.doubles) << ','
        << shortNumber(row.demand.special) << ','
        << shortNumber(row.demand.logic) << ','
        << shortNumber(row.demand.products) << ','
        << shortNumber(row.demand.wavefronts) << ','
        << shortNumber(row.demand.sectors) << ',' << csvField(assumedText(row))
        << ',' << csvField(notCountedText(row)) << '\n';
}

void printKernelCostJson(const std::vector<KernelCostRow> &rows,
                         llvm::raw_ostream &out) {
  llvm::json::OStream json(out, /*IndentSize=*/2);
  json.array([&] {
    for (const KernelCostRow &row : rows)
      json.object([&] {
        json.attribute("kernel", utf8(row.kernel));
        json.attribute("file", utf8(row.place.file));
        json.attribute("line", row.place.line);
        json.attribute("block", row.shape.shape.text());
        json.attribute("arch", "sm_" + std::to_string(row.capability));
        json.attribute("warps", row.warps ? llvm::json::Value(*row.warps)
                                          : llvm::json::Value(nullptr));
        json.attribute("bound", spelling(row.bound));
        json.attribute("microseconds",
                       row.microseconds ? llvm::json::Value(*row.microseconds)
                                        : llvm::json::Value(nullptr));
        json.attributeObject("perWarp", [&] {
          json.attribute("instructions", row.demand.instructions);
          json.attribute("fp64", row.demand.doubles);
          json.attribute("special", row.demand.special);
          json.attribute("alu", row.demand.logic);
          json.attribute("products", row.demand.products);
          json.attribute("wavefronts", row.demand.wavefronts);
          json.attribute("sectors", row.demand.sectors);
        });
        json.attributeArray("assumed", [&] {
          for (const std::string &bound : row.assumed)
            json.value(utf8(bound));
        });
        json.attributeArray("notCounted", [&] {
          for (const std::string &what : row.notCounted)
            json.value(utf8(what));
        });
      });
  });
  out << '\n';
}

} // namespace warplint
