#include "report/disagree.h"
#include "base/plural.h"
#include "base/short_number.h"
#include "report/fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <tuple>

namespace warplint {

namespace {

using Rows = std::vector<const AccessRow *>;

/// The accesses that both readers have on one line, with one operation and
/// space.
struct Pair {
  Rows source, ptx;
  Rows held; ///< of the source: in a register after LLVM's optimiser
  Rows once; ///< of the PTX: before the loop that has the rest of the line
};

using Key = std::tuple<std::string, unsigned, Operation, Space>;

double figure(const AccessRow &row) {
  return row.cost.space == Space::Shared ? row.cost.ways : row.cost.sectors;
}

bool isKnown(const AccessRow *row) { return row->cost.basis != Basis::Unknown; }

/// A difference of 10 % is what a partial warp or a probe value makes.
bool isNear(double a, double b) {
  return std::abs(a - b) <= 0.1 * std::max(a, b) + 1e-9;
}

std::vector<double> figures(const Rows &rows) {
  std::vector<double> result;
  for (const AccessRow *row : rows)
    if (isKnown(row))
      result.push_back(figure(*row));
  return result;
}

double mean(llvm::ArrayRef<double> values) {
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum / values.size();
}

bool eachIsIn(llvm::ArrayRef<double> some, llvm::ArrayRef<double> others) {
  return llvm::all_of(some, [&](double value) {
    return llvm::any_of(others,
                        [&](double other) { return isNear(value, other); });
  });
}

bool agree(const Pair &pair) {
  if (pair.source.empty() || pair.ptx.empty())
    return pair.source.empty() && pair.ptx.empty();
  std::vector<double> a = figures(pair.source), b = figures(pair.ptx);
  if (a.empty() || b.empty())
    return a.empty() && b.empty();
  return isNear(mean(a), mean(b)) || (eachIsIn(a, b) && eachIsIn(b, a));
}

/// "4, 16 and 32 sectors", "unknown: depends on 'n'".
std::string inWords(const Rows &rows) {
  if (rows.empty())
    return "none";
  std::vector<std::string> shown;
  std::vector<double> all = figures(rows);
  llvm::sort(all);
  for (double value : all)
    if (std::string text = shortNumber(value);
        shown.empty() || shown.back() != text)
      shown.push_back(text);
  if (shown.empty())
    return "unknown: " + rows.front()->cost.why;
  constexpr size_t most = 4;
  if (shown.size() > most)
    shown = {shown.front(), shown.back()};
  std::string text = shown.front();
  for (size_t i = 1; i < shown.size(); ++i)
    text += (all.size() > most && shown.size() == 2 ? " to "
             : i + 1 == shown.size()                ? " and "
                                                    : ", ") +
            shown[i];
  bool isOne = text == "1";
  if (rows.front()->cost.space == Space::Shared)
    return text + (isOne ? " way" : " ways");
  return text + (isOne ? " sector" : " sectors");
}

unsigned widest(const Rows &rows) {
  unsigned bytes = 0;
  for (const AccessRow *row : rows)
    bytes = std::max(bytes, row->access.bytes);
  return bytes;
}

size_t depth(const Rows &rows) {
  size_t most = 0;
  for (const AccessRow *row : rows)
    most = std::max(most, row->access.loops.size());
  return most;
}

double lanes(const Rows &rows) {
  double most = 0;
  for (const AccessRow *row : rows)
    if (isKnown(row))
      most = std::max(most, row->cost.lanes);
  return most;
}

/// Explains two different figures by what else differs.
std::string whyOther(const Rows &source, const Rows &ptx) {
  std::vector<std::string> why;
  if (widest(ptx) > widest(source))
    why.push_back("vectorised: " + std::to_string(widest(ptx)) +
                  " bytes at once instead of " +
                  std::to_string(widest(source)));
  else if (widest(ptx) < widest(source))
    why.push_back("split: " + std::to_string(widest(ptx)) +
                  " bytes at once instead of " +
                  std::to_string(widest(source)));
  if (depth(ptx) < depth(source))
    why.push_back("in " + counted(depth(ptx), "loop") + " instead of " +
                  std::to_string(depth(source)) +
                  ": unrolled, or moved out of the loop");
  if (ptx.size() < source.size() && depth(ptx) == depth(source))
    why.push_back(std::to_string(ptx.size()) + " of " +
                  std::to_string(source.size()) +
                  " left: others are merged or their values still there");
  if (ptx.size() > source.size() && depth(ptx) == depth(source))
    why.push_back(std::to_string(ptx.size()) + " for " +
                  std::to_string(source.size()) +
                  " in the source: unrolled, or moved here");
  if (!isNear(lanes(ptx), lanes(source)))
    why.push_back(shortNumber(lanes(ptx)) + " lanes take part instead of " +
                  shortNumber(lanes(source)));
  auto isAssumed = [](const AccessRow *row) { return row->cost.isOpen(); };
  if (llvm::any_of(source, isAssumed) || llvm::any_of(ptx, isAssumed))
    why.push_back("depends on sizes that are not known");
  std::string text;
  for (const std::string &each : why)
    text += (text.empty() ? "" : "; ") + each;
  return text;
}

class Comparison {
public:
  Comparison(const Rows &source, const Rows &ptx, const KernelShape &shape)
      : shape_(shape), sourceRows_(source), ptxRows_(ptx) {
    add(source, false);
    add(ptx, true);
    // An access that runs once does not count for the figure of its line,
    // unless the rest of the line is in another space.
    for (auto &[key, pair] : pairs_)
      if (pair.ptx.empty())
        pair.ptx = std::move(pair.once);
  }

  std::vector<Disagreement> run() {
    for (const auto &[key, pair] : pairs_)
      if (!agree(pair))
        compare(pair);
    joinMoved();
    for (Disagreement &each : result_)
      if (each.why.empty())
        each.why = whyOneSided(each);
    return std::move(result_);
  }

private:
  void add(const Rows &rows, bool isPtx) {
    for (const AccessRow *row : rows) {
      Space space = row->cost.space;
      if (space == Space::Unknown)
        space = spaceAt(*row);
      if (space != Space::Global && space != Space::Shared)
        continue;
      const Place &place = row->access.place;
      Pair &pair =
          pairs_[{place.file, place.line, row->access.operation, space}];
      (isPtx       ? row->held ? pair.once : pair.ptx
       : row->held ? pair.held
                   : pair.source)
          .push_back(row);
    }
  }

  /// Compares an access whose object is unknown with those that the other
  /// reader has on its line.
  Space spaceAt(const AccessRow &row) const {
    for (const Rows *rows : {&sourceRows_, &ptxRows_})
      for (const AccessRow *other : *rows)
        if (other->access.place.line == row.access.place.line &&
            other->access.place.file == row.access.place.file &&
            other->access.operation == row.access.operation &&
            other->cost.space != Space::Unknown)
          return other->cost.space;
    return Space::Global;
  }

  void compare(const Pair &pair) {
    const AccessRow &row =
        *(pair.source.empty() ? pair.ptx : pair.source).front();
    Disagreement found;
    found.kernel = row.kernel;
    found.shape = shape_;
    found.place = row.access.place;
    found.operation = row.access.operation;
    found.space = row.cost.space == Space::Unknown && !pair.ptx.empty()
                      ? pair.ptx.front()->cost.space
                      : row.cost.space;
    found.accessed =
        row.access.text.empty() ? row.access.object : row.access.text;
    found.source = pair.source.empty() && !pair.held.empty()
                       ? "in a register"
                       : inWords(pair.source);
    found.ptx = inWords(pair.ptx);
    if (!pair.source.empty() && !pair.ptx.empty()) {
      if (llvm::none_of(pair.source, isKnown))
        found.why = "only the PTX could be followed";
      else if (llvm::none_of(pair.ptx, isKnown))
        found.why = "only the source could be followed";
      else
        found.why = whyOther(pair.source, pair.ptx);
      if (found.why.empty())
        found.why = "the address is another one";
    } else if (pair.source.empty() && !pair.held.empty()) {
      found.why = "nvcc does not keep the value that LLVM's optimiser keeps";
    }
    sides_.push_back(pair);
    result_.push_back(std::move(found));
  }

  /// Joins an access that is missing on one line with an equally wide and
  /// costly one that is new on another: it moved, or has the line of its use.
  void joinMoved() {
    std::vector<bool> joined(result_.size());
    for (size_t i = 0; i < result_.size(); ++i)
      joined[i] = isAsTheOptimiserHasIt(i);
    for (size_t i = 0; i < result_.size(); ++i) {
      if (!sides_[i].ptx.empty() || sides_[i].source.empty())
        continue;
      std::optional<size_t> best;
      for (size_t j = 0; j < result_.size(); ++j)
        if (!joined[j] && isMove(i, j) &&
            (!best || distance(i, j) < distance(i, *best)))
          best = j;
      if (!best)
        continue;
      joined[*best] = true;
      result_[i].ptx = result_[*best].ptx;
      result_[i].ptxLine = result_[*best].place.line;
      if (!result_[i].ptxLine) {
        result_[i].why = "the compiler gives it no line: it serves several";
        continue;
      }
      result_[i].why = "moved to " + where(result_[*best].place, result_[i]);
    }
    std::vector<Disagreement> kept;
    for (size_t i = 0; i < result_.size(); ++i)
      if (!joined[i])
        kept.push_back(std::move(result_[i]));
    result_ = std::move(kept);
  }

  /// True if the other reader places the inlined code at the call itself.
  static bool isCalledAt(const Rows &rows, const Place &place) {
    return llvm::any_of(rows, [&](const AccessRow *row) {
      return llvm::any_of(row->access.callSites, [&](const Place &site) {
        return site.line == place.line && site.file == place.file;
      });
    });
  }

  /// An access that LLVM's optimiser hoists out of its loop is hoisted by the
  /// compiler as well, to a line of that place or to none.
  bool isAsTheOptimiserHasIt(size_t found) const {
    if (!sides_[found].source.empty() || !sides_[found].held.empty())
      return false;
    for (const auto &[key, pair] : pairs_)
      for (const AccessRow *row : pair.held)
        if (row->access.need == Need::Once &&
            row->access.operation == result_[found].operation &&
            row->cost.space == result_[found].space &&
            row->access.bytes == widest(sides_[found].ptx) &&
            inWords({row}) == result_[found].ptx)
          return true;
    return false;
  }

  bool isMove(size_t from, size_t to) const {
    return sides_[to].source.empty() && sides_[to].held.empty() &&
           result_[from].operation == result_[to].operation &&
           result_[from].space == result_[to].space &&
           (result_[from].place.file == result_[to].place.file ||
            isCalledAt(sides_[from].source, result_[to].place) ||
            isCalledAt(sides_[to].ptx, result_[from].place)) &&
           result_[from].source == result_[to].ptx &&
           widest(sides_[from].source) == widest(sides_[to].ptx);
  }

  unsigned distance(size_t a, size_t b) const {
    unsigned x = result_[a].place.line, y = result_[b].place.line;
    return x > y ? x - y : y - x;
  }

  /// Finds the nearest place, equally costly, that has more accesses in the PTX
  /// than in the source (for one that is missing) or fewer (for one that is
  /// new). Null if there is none near.
  const Place *otherEnd(const Disagreement &found, bool isNew) const {
    const AccessRow *best = nullptr;
    unsigned least = far + 1;
    for (const auto &[key, pair] : pairs_) {
      const auto &[file, line, operation, space] = key;
      const size_t inSource = pair.source.size() + pair.held.size();
      if (operation != found.operation || space != found.space ||
          (isNew ? pair.ptx.size() >= inSource : pair.ptx.size() <= inSource))
        continue;
      for (const AccessRow *row : isNew ? pair.source : pair.ptx)
        if (inWords({row}) == (isNew ? found.ptx : found.source) &&
            row->access.place != found.place && away(*row, found) < least) {
          best = row;
          least = away(*row, found);
        }
    }
    return best ? &best->access.place : nullptr;
  }

  static constexpr unsigned far = 10; ///< lines; a value is used near its load

  /// The distance in lines from a disagreement to an access or to the call that
  /// it is inlined at.
  static unsigned away(const AccessRow &row, const Disagreement &found) {
    unsigned least = far + 1;
    auto look = [&](const Place &place) {
      if (place.file == found.place.file)
        least = std::min(least, place.line > found.place.line
                                    ? place.line - found.place.line
                                    : found.place.line - place.line);
    };
    look(row.access.place);
    llvm::for_each(row.access.callSites, look);
    return least;
  }

  /// "line 7", "vector.h:7".
  static std::string where(const Place &place, const Disagreement &found) {
    std::string line = std::to_string(place.line);
    if (place.file == found.place.file)
      return "line " + line;
    return llvm::sys::path::filename(place.file).str() + ":" + line;
  }

  std::string whyOneSided(const Disagreement &found) const {
    if (ptxRows_.empty())
      return "the compiler left no access in the kernel";
    const bool isNew = found.source == "none";
    if (const Place *place = otherEnd(found, isNew))
      return "moved " + std::string(isNew ? "from " : "to ") +
             where(*place, found) + ", which has " +
             (isNew ? "fewer" : "more") + " of them than the source";
    if (isNew)
      return "made by the compiler, or moved here from another line";
    for (const AccessRow *row : ptxRows_)
      if (row->access.operation == found.operation &&
          row->cost.space == found.space && row->access.bytes > 4 &&
          row->access.place.line != found.place.line &&
          row->access.object == found.accessed)
        return "part of the " + std::to_string(row->access.bytes) +
               " bytes at line " + std::to_string(row->access.place.line);
    if (found.operation == Operation::Load)
      return "its value is still in a register, or nothing needs it";
    if (found.operation == Operation::Store)
      return "merged into another store, or what it writes is not read";
    return "the compiler left none at this line";
  }

  const KernelShape &shape_;
  const Rows &sourceRows_, &ptxRows_;
  std::map<Key, Pair> pairs_;
  std::vector<Pair> sides_; ///< by disagreement, until moves are joined
  std::vector<Disagreement> result_;
};

Rows ofShape(const std::vector<AccessRow> &rows, const Shape &shape) {
  Rows result;
  for (const AccessRow &row : rows)
    // The compiler copies constants into its code, or makes them parameters.
    if (row.shape.shape == shape && row.cost.space != Space::Constant)
      result.push_back(&row);
  return result;
}

} // namespace

std::vector<Disagreement> disagreements(const Kernel &source,
                                        const Kernel &ptx) {
  const std::vector<AccessRow> ofSource = accessRows(source),
                               ofPtx = accessRows(ptx);
  std::vector<Disagreement> result;
  for (const KernelShape &shape : source.shapes) {
    const Rows a = ofShape(ofSource, shape.shape),
               b = ofShape(ofPtx, shape.shape);
    llvm::append_range(result, Comparison(a, b, shape).run());
  }
  return result;
}

} // namespace warplint
