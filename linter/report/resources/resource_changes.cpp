#include "report/resources/resource_changes.h"
#include "base/plural.h"
#include "machine/occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <deque>
#include <map>
#include <set>

using namespace llvm;

namespace warplint {
namespace {

/// A prediction that differs by less is no news.
constexpr double cycleTolerance = 1.05;

using Rows = std::vector<const ResourceRow *>;

/// Pairs of rows; null for a row without a partner.
struct Pairing {
  std::vector<std::pair<const ResourceRow *, const ResourceRow *>> pairs;
  std::set<std::string> renumbered; ///< kernels that take lambdas
};

bool sameNumbers(const ResourceRow &a, const ResourceRow &b) {
  return all_of(measures(), [&](const Measure &measure) {
    return a.*measure.value == b.*measure.value;
  });
}

/// "launch<run()::'lambda0'(int)>" to "launch<run()::'lambda'(int)>" and its
/// numbers.
std::string withoutNumbers(StringRef signature,
                           std::vector<unsigned> *numbers = nullptr) {
  static const Regex lambda("'(lambda|unnamed)([0-9]*)'");
  std::string result;
  for (SmallVector<StringRef> parts; lambda.match(signature, &parts);) {
    unsigned number = 0;
    bool isFirst = parts[2].getAsInteger(10, number);
    if (numbers)
      numbers->push_back(isFirst ? 0 : number + 1);
    result += signature.take_front(parts[2].data() - signature.data());
    signature = signature.drop_front(parts[2].data() + parts[2].size() -
                                     signature.data());
  }
  return result + signature.str();
}

void sortByNumber(Rows &rows) {
  stable_sort(rows, [](const ResourceRow *a, const ResourceRow *b) {
    std::vector<unsigned> numbersA, numbersB;
    withoutNumbers(a->signature, &numbersA);
    withoutNumbers(b->signature, &numbersB);
    return numbersA < numbersB;
  });
}

/// Pairs rows with equal numbers, as many as possible without crossing.
void pairInOrder(const Rows &before, const Rows &after, Pairing &result) {
  std::vector<std::vector<unsigned>> most(
      before.size() + 1, std::vector<unsigned>(after.size() + 1));
  for (size_t i = before.size(); i-- > 0;)
    for (size_t j = after.size(); j-- > 0;)
      most[i][j] = sameNumbers(*before[i], *after[j])
                       ? most[i + 1][j + 1] + 1
                       : std::max(most[i + 1][j], most[i][j + 1]);
  size_t i = 0, j = 0;
  while (i < before.size() && j < after.size())
    if (sameNumbers(*before[i], *after[j]))
      result.pairs.push_back({before[i++], after[j++]});
    else if (most[i + 1][j] >= most[i][j + 1])
      result.pairs.push_back({before[i++], nullptr});
    else
      result.pairs.push_back({nullptr, after[j++]});
  for (; i < before.size(); ++i)
    result.pairs.push_back({before[i], nullptr});
  for (; j < after.size(); ++j)
    result.pairs.push_back({nullptr, after[j]});
}

/// Pairs the lambdas of functions whose number of lambdas changed.
void pairRenumbered(Rows &before, Rows &after, Pairing &result) {
  std::map<std::array<std::string, 3>, std::array<Rows, 2>> groups;
  for (int side : {0, 1})
    for (const ResourceRow *row : side ? after : before)
      if (row->signature.find("'lambda") != std::string::npos)
        groups[{withoutNumbers(row->signature), row->architecture, row->source}]
              [side]
                  .push_back(row);
  std::set<const ResourceRow *> taken;
  for (auto &[key, sides] : groups) {
    auto &[old, now] = sides;
    if (old.empty() || now.empty() || old.size() == now.size())
      continue;
    sortByNumber(old);
    sortByNumber(now);
    pairInOrder(old, now, result);
    taken.insert(old.begin(), old.end());
    taken.insert(now.begin(), now.end());
    result.renumbered.insert(now.front()->kernel);
  }
  for (Rows *rows : {&before, &after})
    erase_if(*rows, [&](const ResourceRow *row) { return taken.count(row); });
}

using Key = std::string (*)(const ResourceRow &);

/// Pairs rows with the same key, in order; leaves the others.
void pairBy(Key key, Rows &before, Rows &after, Pairing &result) {
  std::map<std::string, std::deque<const ResourceRow *>> waiting;
  for (const ResourceRow *row : before)
    waiting[key(*row)].push_back(row);
  std::set<const ResourceRow *> taken;
  for (const ResourceRow *row : after) {
    auto &candidates = waiting[key(*row)];
    if (candidates.empty())
      continue;
    result.pairs.push_back({candidates.front(), row});
    taken.insert({candidates.front(), row});
    candidates.pop_front();
  }
  for (Rows *rows : {&before, &after})
    erase_if(*rows, [&](const ResourceRow *row) { return taken.count(row); });
}

/// A kernel with another name in the same source, and with the same numbers and
/// predicted time, is the same kernel.
std::string renamed(const ResourceRow &row) {
  if (!row.cycles)
    return row.signature + '\n' + row.architecture;
  std::string key = row.architecture + '\n' + row.source;
  for (const Measure &measure : measures()) {
    const ResourceRow::Number &number = row.*measure.value;
    key += '\n' + (number ? std::to_string(*number) : "");
  }
  return key;
}

Pairing pairUp(const ResourceReport &old, const ResourceReport &now) {
  Rows before, after;
  for (const ResourceRow &row : old.rows)
    before.push_back(&row);
  for (const ResourceRow &row : now.rows)
    after.push_back(&row);
  Pairing result;
  pairRenumbered(before, after, result);
  constexpr Key keys[] = {
      [](const ResourceRow &row) {
        return row.signature + '\n' + row.architecture + '\n' + row.source +
               '\n' + row.flags;
      },
      [](const ResourceRow &row) {
        return row.signature + '\n' + row.architecture + '\n' + row.source;
      },
      [](const ResourceRow &row) {
        return row.signature + '\n' + row.architecture + '\n' +
               sys::path::filename(row.source).str();
      },
      [](const ResourceRow &row) {
        return row.signature + '\n' + row.architecture;
      },
      renamed,
  };
  for (Key key : keys)
    pairBy(key, before, after, result);
  for (const ResourceRow *row : before)
    result.pairs.push_back({row, nullptr});
  for (const ResourceRow *row : after)
    result.pairs.push_back({nullptr, row});
  return result;
}

/// The occupancy at the launch with the lowest; if no launch is known, what
/// registers and shared memory let blocks of 256 threads have.
ResourceRow::Number occupancyOf(const ResourceRow &row) {
  if (row.occupancy || !row.registers)
    return row.occupancy;
  Usage usage;
  usage.architecture = row.architecture;
  usage.registers = *row.registers;
  usage.sharedMemory = row.shared.value_or(0);
  auto found = occupancy(usage, 256);
  if (!found) {
    consumeError(found.takeError());
    return std::nullopt;
  }
  return unsigned(found->percent());
}

/// The first difference decides, in order of cost; none if nothing differs that
/// costs time. Registers cost time where they let fewer warps into an SM.
std::optional<Direction> directionOf(const ResourceRow &before,
                                     const ResourceRow &after) {
  using Number = ResourceRow::Number;
  auto differ = [](const Number &a, const Number &b) {
    return a && b && *a != *b;
  };
  auto more = [](bool isMore) {
    return isMore ? Direction::Worse : Direction::Better;
  };
  if (differ(before.spill(), after.spill()))
    return more(*after.spill() > *before.spill());
  if (differ(before.stack, after.stack))
    return more(*after.stack > *before.stack);
  if (before.cycles && after.cycles) {
    const double old = *before.cycles, now = *after.cycles;
    if (std::max(old, now) > std::min(old, now) * cycleTolerance)
      return more(now > old);
  }
  const Number old = occupancyOf(before), now = occupancyOf(after);
  if (differ(old, now))
    return more(*now < *old);
  return std::nullopt;
}

std::vector<std::string> differences(const ResourceRow &before,
                                     const ResourceRow &after) {
  std::vector<std::string> what;
  for (const Measure &measure : measures()) {
    const ResourceRow::Number &old = before.*measure.value,
                              &now = after.*measure.value;
    if (old && now && *old != *now)
      what.push_back(measure.heading + (" " + std::to_string(*old)) + " -> " +
                     std::to_string(*now));
  }
  return what;
}

/// The numbers of a kernel that is new or gone: registers, and all others that
/// are not 0.
std::vector<std::string> numbersOf(const ResourceRow &row) {
  std::vector<std::string> what;
  for (const Measure &measure : measures())
    if (const ResourceRow::Number &number = row.*measure.value;
        number && *number)
      what.push_back(measure.heading + (" " + std::to_string(*number)));
  return what;
}

std::string quoted(StringRef flags) {
  return flags.empty() ? "no such flags" : ("'" + flags + "'").str();
}

/// If the commands differ, numbers may differ although the code does not.
void noteCircumstances(const Pairing &pairing, ResourceComparison &result) {
  std::map<std::pair<std::string, std::string>, unsigned> toolkits, flags;
  for (auto [before, after] : pairing.pairs) {
    if (!before || !after)
      continue;
    if (!before->toolkit.empty() && !after->toolkit.empty() &&
        before->toolkit != after->toolkit)
      ++toolkits[{before->toolkit, after->toolkit}];
    if (before->flags != after->flags)
      ++flags[{before->flags, after->flags}];
  }
  for (auto &[pair, count] : toolkits)
    result.notes.push_back(counted(count, "kernel") + " compiled by CUDA " +
                           pair.second + ", before by CUDA " + pair.first +
                           ": differences may come from the compiler");
  for (auto &[pair, count] : flags)
    result.notes.push_back(counted(count, "kernel") + " compiled with " +
                           quoted(pair.second) + ", before with " +
                           quoted(pair.first));
  for (const std::string &kernel : pairing.renumbered)
    result.notes.push_back(
        "the lambdas passed to '" + kernel +
        "' are renumbered, since one was added or removed: those with equal "
        "resources were matched");
}

/// A value that one side lacks was not compared.
void noteUnknown(const Pairing &pairing, ResourceComparison &result) {
  std::map<std::string, unsigned> lost;
  for (auto [before, after] : pairing.pairs)
    for (const Measure &measure : measures())
      if (before && after && before->*measure.value && !(after->*measure.value))
        ++lost[measure.heading];
  for (auto &[name, count] : lost)
    result.missing.push_back(
        "'" + name + "' of " + counted(count, "kernel") +
        " was known before and is not now, so it was not compared");
}

/// A template in a header changes in each source that uses it.
void mergeSources(std::vector<ResourceChange> &changes) {
  std::map<std::string, size_t> known;
  std::vector<ResourceChange> merged;
  for (ResourceChange &change : changes) {
    std::string key =
        std::to_string(int(change.direction)) + '\n' + change.after.signature +
        '\n' + change.after.architecture + '\n' + join(change.what, ", ");
    auto [at, isNew] = known.try_emplace(key, merged.size());
    if (isNew)
      merged.push_back(std::move(change));
    else
      ++merged[at->second].sources;
  }
  changes = std::move(merged);
}

} // namespace

ResourceComparison
compareResources(const ResourceReport &old, const ResourceReport &now,
                 function_ref<bool(const ResourceRow &)> mayBeGone) {
  Pairing pairing = pairUp(old, now);
  ResourceComparison result;
  for (auto [before, after] : pairing.pairs) {
    ResourceChange change;
    if (before && after) {
      std::optional<Direction> direction = directionOf(*before, *after);
      if (!direction) {
        ++result.unchanged;
        continue;
      }
      change = {*direction, *before, *after, 1, differences(*before, *after)};
    } else if (after) {
      change = {Direction::New, {}, *after, 1, numbersOf(*after)};
    } else if (mayBeGone(*before)) {
      change = {Direction::Gone, *before, *before, 1, numbersOf(*before)};
    } else {
      continue;
    }
    result.changes.push_back(std::move(change));
  }
  stable_sort(result.changes,
              [](const ResourceChange &a, const ResourceChange &b) {
                return a.direction != b.direction ? a.direction < b.direction
                                                  : hurtsMore(a.after, b.after);
              });
  mergeSources(result.changes);
  noteCircumstances(pairing, result);
  noteUnknown(pairing, result);
  return result;
}

bool isWorse(const ResourceChange &change) {
  return change.direction == Direction::Worse ||
         (change.direction == Direction::New &&
          change.after.spill().value_or(change.after.spills.value_or(0)));
}

} // namespace warplint
