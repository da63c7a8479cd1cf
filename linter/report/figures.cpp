#include "report/figures.h"
#include "base/plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace warplint {

std::vector<Figure> figuresOf(const CostedKernel &kernel) {
  std::vector<Figure> figures;
  for (const AccessRow &row : accessRows(kernel)) {
    const bool isGlobal = row.cost.space == Space::Global;
    if (row.held || row.access.inLibrary || row.cost.isKeptOut ||
        (!isGlobal && row.cost.space != Space::Shared))
      continue;
    const Access &access = row.access;
    Figure figure;
    figure.place = access.place;
    figure.space = row.cost.space;
    figure.operation = access.operation;
    figure.accessed = access.text.empty() ? access.object : access.text;
    figure.words = costText(row);
    figure.isKnown = row.cost.basis != Basis::Unknown;
    figure.value = isGlobal ? row.cost.sectors : row.cost.ways;
    figure.ideal = isGlobal ? row.cost.idealSectors : 1;
    figure.kernels = {row.kernel + ", blocks of " + row.shape.shape.text()};
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::vector<Figure> figuresOf(const CompiledKernel &kernel, StringRef name,
                              StringRef directory) {
  struct Counts {
    unsigned spills = 0, others = 0;
  };
  std::map<std::tuple<std::string, unsigned, bool>, Counts> lines;
  for (const LocalInstruction &local : kernel.locals) {
    if (!local.line)
      continue;
    Counts &counts = lines[{local.file, local.line, local.isStore}];
    ++(local.isMarkedSpill ? counts.spills : counts.others);
  }
  std::vector<Figure> figures;
  for (const auto &[where, counts] : lines) {
    const auto &[file, line, isStore] = where;
    SmallString<256> path(file);
    sys::path::make_absolute(directory, path);
    sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    const unsigned all = counts.spills + counts.others;
    std::string words = counted(all, isStore ? "local store" : "local load");
    if (counts.spills)
      words += counts.others ? ", " + std::to_string(counts.spills) +
                                   " of them for spilled registers"
                             : ", for spilled registers";
    Figure figure;
    figure.place = {path.str().str(), line, 0};
    figure.space = Space::Local;
    figure.operation = isStore ? Operation::Store : Operation::Load;
    figure.words = std::move(words);
    figure.value = all;
    figure.kernels = {(name + " on " + kernel.usage.architecture).str()};
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::vector<Figure> mergeFigures(std::vector<Figure> figures) {
  auto key = [](const Figure &figure) {
    return std::tie(figure.place, figure.space, figure.operation,
                    figure.accessed, figure.words);
  };
  stable_sort(figures, [&](const Figure &a, const Figure &b) {
    return std::tuple_cat(key(a), std::tie(a.kernels)) <
           std::tuple_cat(key(b), std::tie(b.kernels));
  });
  std::vector<Figure> merged;
  for (Figure &figure : figures) {
    if (merged.empty() || key(merged.back()) != key(figure)) {
      merged.push_back(std::move(figure));
      continue;
    }
    for (std::string &kernel : figure.kernels)
      if (!is_contained(merged.back().kernels, kernel))
        merged.back().kernels.push_back(std::move(kernel));
  }
  return merged;
}

} // namespace warplint
