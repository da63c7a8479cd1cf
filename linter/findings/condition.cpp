#include "findings/condition.h"
#include "base/short_number.h"
#include "cost/launch_size.h"
#include "model/argument_bytes.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace warplint {

/// Above this, a size is called large and no exact bound is looked for.
static constexpr uint64_t largest = 64;
static constexpr uint64_t largeOdd = 1001;

/// "'ld'", "a size of 'a'": what the source has a name for stands in quotes.
static std::string quoted(llvm::StringRef name) {
  if (name.consume_front("(a size of ") && name.consume_back(")"))
    return ("a size of '" + name + "'").str();
  return ("'" + name + "'").str();
}

/// Returns true if the same launch passes numbers in another run, a program's
/// defaults perhaps, that are open in this one.
static bool isOpenWay(const Launched &open, const Launched &known) {
  if (open.place != known.place)
    return false;
  for (size_t i = 0; i < known.arguments.size(); ++i)
    if (known.arguments[i] &&
        (i >= open.arguments.size() || !open.arguments[i]))
      return true;
  return false;
}

/// The launches without those of which another run passes the sizes openly.
static std::vector<Launched> openWays(llvm::ArrayRef<Launched> launches) {
  std::vector<Launched> open;
  for (const Launched &launch : launches)
    if (llvm::none_of(launches, [&](const Launched &other) {
          return isOpenWay(other, launch);
        }))
      open.push_back(launch);
  return open;
}

CostedKernel Conditions::costedFor(const Supposed &supposed) {
  CostedKernel result{source_.kernel, {}, source_.tuning};
  for (size_t i = 0; i < source_.shapes.size(); ++i) {
    KernelShape shape = source_.shapes[i].shape;
    if (supposed.block) {
      shape.shape = *supposed.block;
      result.shapes.push_back({shape, costs(source_.kernel, shape)});
      continue;
    }
    if (supposed.isOpen) {
      shape.launches = openWays(shape.launches);
      result.shapes.push_back({shape, costs(source_.kernel, shape)});
      continue;
    }
    if (shape.launches.empty())
      shape.launches.emplace_back();
    const CostsAgain &again =
        again_.try_emplace(i, source_.kernel, shape).first->second;
    for (Launched &launch : shape.launches)
      for (const auto &[position, value] : supposed.arguments) {
        if (launch.arguments.size() <= position)
          launch.arguments.resize(position + 1);
        if (!launch.arguments[position])
          launch.arguments[position] = value;
      }
    result.shapes.push_back({shape, again.costs(shape)});
  }
  return result;
}

const CostedKernel &Conditions::costedAt(const Supposed &supposed) {
  auto costed = costed_.find(supposed);
  if (costed == costed_.end())
    costed = costed_.emplace(supposed, costedFor(supposed)).first;
  return costed->second;
}

bool Conditions::finds(const Finding &finding, const Check &check,
                       const Supposed &supposed) {
  auto [found, isNew] = found_.try_emplace({supposed, &check});
  if (isNew) {
    Findings all(check.info, source_.kernel, found->second);
    check.inspect(costedAt(supposed), all);
  }
  return llvm::any_of(found->second, [&](const Finding &other) {
    return other.identity() == finding.identity();
  });
}

bool Conditions::isArgumentKnown(uint64_t position) const {
  return llvm::all_of(source_.shapes, [&](const ShapeCosts &shape) {
    return !shape.shape.launches.empty() &&
           llvm::all_of(shape.shape.launches, [&](const Launched &launch) {
             return position < launch.arguments.size() &&
                    launch.arguments[position];
           });
  });
}

/// The named sizes that an address is computed from and no launch gives.
std::vector<Conditions::Size> Conditions::sizesOf(const Access &access) const {
  using Walk = ExpressionGraph::Walk;
  const ExpressionGraph &graph = source_.kernel.graph;
  std::vector<Size> sizes;
  graph.walk(access.address, [&](ValueId id) {
    const Node &node = graph.node(id);
    const bool isSize =
        node.op == Op::Parameter || node.op == Op::Loaded ||
        (node.op == Op::Uniform && node.bits >= 16);
    if (!isSize || node.pointer)
      return Walk::Into;
    Size size{graph.text(id), {}, id, node.bits};
    size.position = argumentEntry(graph, id);
    const bool isKnown = size.position && isArgumentKnown(*size.position);
    if (!isKnown && !size.name.empty() &&
        llvm::none_of(
            sizes, [&](const Size &other) { return other.name == size.name; }))
      sizes.push_back(std::move(size));
    return Walk::Past;
  });
  return sizes;
}

/// "'mode' is not 0 or 1": the values that do without the finding, of those
/// that the kernel compares it with, or of a flag.
std::string Conditions::ofOption(const Finding &finding, const Size &option,
                                 const Check &check) {
  const auto compared = choices_.find(option.value);
  std::vector<uint64_t> values;
  if (compared != choices_.end())
    values = compared->second;
  else if (option.bits && option.isSelector())
    values = {0, 1};
  std::vector<std::string> without;
  bool isThere = option.bits > 1;
  for (uint64_t value : values) {
    if (finds(finding, check, {{{*option.position, value}}}))
      isThere = true;
    else
      without.push_back(
          std::to_string(llvm::SignExtend64(value, std::max(option.bits, 2u))));
  }
  return without.empty() || !isThere
             ? ""
             : quoted(option.name) + " is not " + llvm::join(without, " or ");
}

/// " (8 sectors at 2, 32 from 8 on)" for a size that is above 1: strides are
/// often 2 or 3, and the finding's figure is that of a large one. Empty if the
/// smallest such size costs nearly as much.
std::string Conditions::rangeAbove(uint64_t gone, uint64_t position,
                                   unsigned subject, const Check &check) {
  if (!check.info.threshold || check.info.threshold->name != "sectors")
    return "";
  const auto sectorsOf = [&](const CostedKernel &costed) {
    double most = 0;
    for (const ShapeCosts &shape : costed.shapes)
      most = std::max(most, shape.costs[subject].sectors);
    return most;
  };
  const auto at = [&](uint64_t value) {
    return sectorsOf(costedAt({{{position, value}}}));
  };
  constexpr double nearly = 0.9;
  const double all = sectorsOf(source_), least = at(gone + 1);
  if (!least || least >= nearly * all)
    return "";
  uint64_t fewer = gone + 1, from = 2 * fewer;
  while (from <= largest && at(from) < nearly * all) {
    fewer = from;
    from *= 2;
  }
  while (from <= largest && from - fewer > 1) {
    const uint64_t between = (fewer + from) / 2;
    (at(between) < nearly * all ? fewer : from) = between;
  }
  return " (" + shortNumber(least) + " sectors at " +
         std::to_string(gone + 1) + ", " + shortNumber(all) +
         (from > largest ? " if it is large)"
                         : " from " + std::to_string(from) + " on)");
}

std::string Conditions::ofSizes(const Finding &finding, unsigned subject,
                                const Check &check) {
  if (subject >= source_.kernel.accesses.size() ||
      source_.kernel.accesses[subject].place != finding.place)
    return "";
  const std::vector<Size> sizes = sizesOf(source_.kernel.accesses[subject]);
  auto isThere = [&](uint64_t position, uint64_t value) {
    return finds(finding, check, {{{position, value}}});
  };
  std::vector<std::string> parts;
  Supposed ones;
  for (const Size &size : sizes) {
    if (!size.position || isOverdue())
      continue;
    if (std::string option = ofOption(finding, size, check); !option.empty()) {
      parts.push_back(std::move(option));
      continue;
    }
    if (size.isSelector())
      continue;
    ones.arguments[*size.position] = 1;
    if (isThere(*size.position, 1))
      continue;
    uint64_t gone = 1, there = 2;
    while (there <= largest && !isThere(*size.position, there)) {
      gone = there;
      there *= 2;
    }
    // Banks and sectors repeat: the next number may do without. Large numbers
    // that do not are no matter of multiples, as with `i / size`.
    if (there <= largest && !isThere(*size.position, there + 1) &&
        isThere(*size.position, 3 * there)) {
      if (!isThere(*size.position, largeOdd)) {
        parts.push_back(quoted(size.name) + " is " +
                        (there == 2
                             ? std::string("even")
                             : "a multiple of " + std::to_string(there)));
        continue;
      }
      while (there <= largest && !isThere(*size.position, there + 1)) {
        gone = there + 1;
        there *= 2;
      }
    }
    if (there > largest) {
      parts.push_back(quoted(size.name) + " is large");
      continue;
    }
    while (there - gone > 1) {
      const uint64_t between = (gone + there) / 2;
      (isThere(*size.position, between) ? there : gone) = between;
    }
    parts.push_back(quoted(size.name) + " is above " + std::to_string(gone) +
                    rangeAbove(gone, *size.position, subject, check));
  }
  if (!parts.empty())
    return llvm::join(parts, " and ");
  // A product of sizes, each of which suffices if it is large.
  if (ones.arguments.size() > 1 && !finds(finding, check, ones)) {
    for (const Size &size : sizes)
      if (size.position && !size.isSelector())
        parts.push_back(quoted(size.name));
    return llvm::join(parts, " or ") + " is large";
  }
  // Values in memory and floats cannot be supposed; the range of the cost
  // tells.
  const bool isOpen =
      llvm::any_of(source_.shapes, [&](const ShapeCosts &shape) {
        const Cost &cost = shape.costs[subject];
        return cost.space == Space::Global && cost.isOpen() &&
               cost.chosenBy.empty() && cost.excess() >= 2 &&
               // One sector more than needed is an offset's, not a stride's.
               cost.lowWhole < std::max<double>(2 * cost.idealSectors,
                                                cost.idealSectors + 1.5);
      });
  if (!isOpen)
    return "";
  for (const Size &size : sizes)
    if (!size.position && !size.isSelector())
      parts.push_back(quoted(size.name));
  if (!parts.empty())
    return llvm::join(parts, " or ") + " is large";
  for (const Size &size : sizes)
    if (size.isSelector())
      parts.push_back(quoted(size.name));
  return parts.empty() ? ""
                       : llvm::join(parts, " and ") +
                             (parts.size() == 1 ? " selects" : " select") +
                             " this address";
}

/// The finding may be gone where rows are shorter than a warp, or longer than
/// those of the assumed block.
std::string Conditions::ofBlock(const Finding &finding, const Check &check) {
  const ExpressionGraph &graph = source_.kernel.graph;
  const bool isAssumed =
      llvm::all_of(source_.shapes, [](const ShapeCosts &shape) {
        return shape.shape.source == ShapeSource::Assumed;
      });
  bool hasRows = false;
  for (ValueId id = 0; id < graph.size(); ++id)
    hasRows |= graph.node(id).op == Op::ThreadIndex && graph.node(id).number;
  if (!isAssumed || !hasRows || isOverdue())
    return "";
  const Shape wide{32, 8, 1}, square{16, 16, 1},
      assumed = source_.shapes.front().shape.shape;
  if (assumed != wide && !finds(finding, check, {{}, wide}))
    return "blocks are " + assumed.text();
  if (assumed != square && !finds(finding, check, {{}, square}))
    return "blocks have 32 or more threads along x";
  return "";
}

/// "confirmed" of what holds by default alone would surprise who runs the
/// program with other sizes.
std::string Conditions::ofDefaults(const Finding &finding, const Check &check) {
  std::vector<std::string> defaults;
  for (const ShapeCosts &shape : source_.shapes)
    for (const Launched &launch : shape.shape.launches)
      for (const Launched &other : shape.shape.launches)
        if (isOpenWay(other, launch))
          for (std::string &text :
               ownArguments(source_.kernel, launch, {launch, other}))
            if (!llvm::is_contained(defaults, text))
              defaults.push_back(std::move(text));
  if (defaults.empty() || isOverdue() ||
      finds(finding, check, {{}, {}, /*isOpen=*/true}))
    return "";
  return llvm::join(defaults, " and ");
}

std::string Conditions::of(const Finding &finding, unsigned subject,
                           const Check &check) {
  if (!check.inspect || check.info.ofCode || isOverdue())
    return "";
  std::vector<std::string> parts;
  for (std::string part : {ofSizes(finding, subject, check),
                           ofBlock(finding, check), ofDefaults(finding, check)})
    if (!part.empty())
      parts.push_back(std::move(part));
  return llvm::join(parts, " and ");
}

} // namespace warplint
