#include "cost/improvements.h"
#include "cost/comparison_sides.h"
#include "cost/conditions.h"
#include "cost/reached.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

} // namespace

/// What a loop keeps while no candidate beats it.
class FindImprovements::Kept {
public:
  Kept(FindImprovements &all, LoopId loop, const Sides &sides,
       bool isLeftCandidate, bool isLess)
      : all_(all), kernel_(all.kernel_), graph_(kernel_.graph), loop_(loop),
        candidate_(isLeftCandidate ? sides.left : sides.right),
        best_(isLeftCandidate ? sides.right : sides.left), isLess_(isLess) {}

  bool isFound() {
    if (!moves(candidate_) || !all_.isData(candidate_) ||
        !isCountedThrough(candidate_))
      return false;
    addVariables(best_, own_);
    return own_.empty() ? isElementKept() : isVariableKept();
  }

  /// Returns true if a condition does not hold where candidates lose.
  bool isBehind(ValueId condition) {
    mode_ = Mode::Lose;
    return truth(condition) == Truth::No;
  }

  std::optional<Improvements> of(TripsOf tripsOf) {
    const double places = own_.empty() ? placesInMemory(tripsOf)
                          : isList_    ? placesInLoops(tripsOf).value_or(0)
                                       : double(kept_.size());
    if (!places)
      return std::nullopt;
    return Improvements{loop_,         candidate_, best_,
                        perIteration_, places,     loopsThatKeep()};
  }

private:
  /// What comparisons of candidates with the best say.
  enum class Mode { Lose, Win, Open };

  bool moves(ValueId value) const { return movesIn(value, loop_); }
  bool movesIn(ValueId value, LoopId loop) const {
    return graph_.loopsOf()[value] & ExpressionGraph::loopBit(loop);
  }
  bool isOfLoop(ValueId value) const {
    const Node &node = graph_.node(value);
    return node.op == Op::Carried && node.number == loop_ && node.count == 2;
  }

  /// Returns true for a counter: it grows by what stays the same.
  bool isCounter(ValueId carried) const {
    const ValueId next = graph_.operand(carried, 1);
    return graph_.node(next).op == Op::Add &&
           llvm::all_of(graph_.operands(next), [&](ValueId part) {
             return part == carried || !moves(part);
           });
  }

  /// Returns true if counters alone lead to a value, and no state that the
  /// iterations pass on.
  bool isCountedThrough(ValueId value) const {
    return graph_.walk(value, [&](ValueId id) {
      return !moves(id)      ? Walk::Past
             : !isOfLoop(id) ? Walk::Into
             : isCounter(id) ? Walk::Past
                             : Walk::Stop;
    });
  }

  /// Adds the variables of the loop that a value depends on.
  void addVariables(ValueId value, llvm::DenseSet<ValueId> &to) const {
    graph_.walk(value, [&](ValueId id) {
      if (!moves(id))
        return Walk::Past;
      if (!isOfLoop(id))
        return Walk::Into;
      if (!isCounter(id))
        to.insert(id);
      return Walk::Past;
    });
  }

  /// Adds the values that one may be, by the path taken.
  void addChoices(ValueId value, llvm::SmallVectorImpl<ValueId> &to,
                  unsigned depth = 0) {
    value = withoutConversions(graph_, value);
    const llvm::ArrayRef<ValueId> operands = graph_.operands(value);
    const Op op = graph_.node(value).op;
    if ((op != Op::Join && op != Op::Select) || depth == deepest ||
        to.size() > mostChoices) {
      to.push_back(value);
    } else if (op == Op::Select) {
      const Truth chosen = truth(operands[0], depth + 1);
      if (chosen != Truth::No)
        addChoices(operands[1], to, depth + 1);
      if (chosen != Truth::Yes)
        addChoices(operands[2], to, depth + 1);
    } else {
      for (size_t i = 0; i + 1 < operands.size(); i += 2)
        if (truth(operands[i], depth + 1) != Truth::No)
          addChoices(operands[i + 1], to, depth + 1);
    }
  }

  llvm::SmallVector<ValueId> choices(ValueId value, Mode mode) {
    mode_ = mode;
    llvm::SmallVector<ValueId> result;
    addChoices(value, result);
    return result;
  }

  Truth truth(ValueId condition, unsigned depth = 0) {
    // The ways to one place have most of their conditions in common.
    llvm::DenseMap<ValueId, Truth> &known = truths_[unsigned(mode_)];
    if (const auto found = known.find(condition); found != known.end())
      return found->second;
    return known[condition] = computeTruth(condition, depth);
  }

  Truth computeTruth(ValueId condition, unsigned depth) {
    const Node &node = graph_.node(condition);
    if (node.op == Op::Constant)
      return node.number ? Truth::Yes : Truth::No;
    if (depth == deepest)
      return Truth::Maybe;
    if (const auto sides = sidesOf(graph_, condition))
      return truthOf(*sides, depth);
    if (node.op == Op::Carried)
      return truthOfIteration(condition, depth);
    return truthOfParts(graph_, condition,
                        [&](ValueId part) { return truth(part, depth + 1); });
  }

  /// Of an iteration of another loop: none follows on none.
  Truth truthOfIteration(ValueId carried, unsigned depth) {
    const llvm::ArrayRef<ValueId> operands = graph_.operands(carried);
    if (graph_.node(carried).number == loop_ || operands.size() != 2 ||
        truth(operands[0], depth + 1) != Truth::No)
      return Truth::Maybe;
    llvm::DenseMap<ValueId, Truth> &known = truths_[unsigned(mode_)];
    const llvm::DenseMap<ValueId, Truth> before = known;
    known[carried] = Truth::No;
    if (truth(operands[1], depth + 1) == Truth::No)
      return Truth::No;
    known = before; // what rests on it
    return Truth::Maybe;
  }

  Truth truthOf(const Sides &sides, unsigned depth) {
    if (mode_ == Mode::Open)
      return Truth::Maybe;
    const bool isLeftKept = isKept(sides.left, depth + 1),
               isRightKept = isKept(sides.right, depth + 1);
    const ValueId other = isLeftKept ? sides.right : sides.left;
    if (isLeftKept == isRightKept || !moves(other) || !all_.isData(other))
      return Truth::Maybe;
    // The candidate is less where the left side is, or the other way round.
    const bool isCandidateLess = isLess_ == (mode_ == Mode::Win),
               isLeftLess = isCandidateLess != isLeftKept;
    return (isLeftLess ? sides.isLess : sides.isGreater) ? Truth::Yes
                                                         : Truth::No;
  }

  /// Returns true if a value moves with what is kept alone.
  bool isKept(ValueId value, unsigned depth) {
    if (depth == deepest)
      return false;
    value = withoutConversions(graph_, value);
    llvm::DenseMap<ValueId, bool> &known = areKept_[unsigned(mode_)];
    if (const auto found = known.find(value); found != known.end())
      return found->second;
    return known[value] = computeKept(value, depth);
  }

  bool computeKept(ValueId value, unsigned depth) {
    if (own_.empty())
      return isOfElement(value);
    if (!moves(value))
      return false;
    if (isOfLoop(value))
      return kept_.contains(value);
    const Op op = graph_.node(value).op;
    if (op == Op::Join || op == Op::Select) {
      llvm::SmallVector<ValueId> each;
      addChoices(value, each, depth + 1);
      return llvm::all_of(each,
                          [&](ValueId one) { return isKept(one, depth + 1); });
    }
    return llvm::all_of(graph_.operands(value), [&](ValueId part) {
      return !moves(part) || isKept(part, depth + 1);
    });
  }

  /// Returns true for what a candidate that wins puts in the place of the best:
  /// one that was compared, its index, another of the best, or what a list in
  /// memory has now. The next candidate may beat a threshold that moves on as
  /// easily as this one did.
  bool takesPlace(ValueId next) const {
    const bool isIndexed = !own_.contains(withoutConversions(graph_, best_));
    return all_.isCompared(withoutConversions(graph_, next)) ||
           kept_.contains(next) || !moves(next) ||
           (isIndexed && isOfLoop(next) && isCounter(next));
  }

  /// Of variables that no candidate changes where it loses, and one takes the
  /// place of where it wins.
  bool isVariableKept() {
    kept_ = own_;
    llvm::SmallVector<ValueId> open(own_.begin(), own_.end());
    llvm::DenseSet<ValueId> candidates;
    while (!open.empty()) {
      const ValueId variable = open.pop_back_val();
      for (ValueId next : choices(graph_.operand(variable, 1), Mode::Open))
        if (!isOfLoop(next) || isCounter(next))
          candidates.insert(next);
        else if (kept_.insert(next).second)
          open.push_back(next);
      if (kept_.size() > mostPlaces)
        return false;
    }
    mode_ = Mode::Lose;
    if (!isKept(best_, 0))
      return false;
    for (ValueId variable : kept_)
      if (llvm::any_of(choices(graph_.operand(variable, 1), Mode::Lose),
                       [&](ValueId next) { return next != variable; }))
        return false;
    isList_ = llvm::any_of(candidates, [&](ValueId id) { return !moves(id); });
    // A list of several variables gets each candidate once.
    perIteration_ = std::max<double>(1, candidates.size());
    bool isTaken = false;
    for (ValueId variable : own_)
      for (ValueId next : choices(graph_.operand(variable, 1), Mode::Win))
        if (next != variable) {
          if (!takesPlace(next))
            return false;
          isTaken = true;
        }
    return isTaken;
  }

  /// The address of a load, or of a thread's own object.
  std::optional<ValueId> addressOf(ValueId value) const {
    const Op op = graph_.node(value).op;
    if (op != Op::Loaded && op != Op::Forwarded)
      return std::nullopt;
    return graph_.operand(value, 0);
  }

  bool isOfElement(ValueId value) const {
    const auto address = addressOf(value);
    return address && *address == element_;
  }

  /// Of an element of memory that is stored where a candidate wins alone.
  bool isElementKept() {
    const auto address = addressOf(withoutConversions(graph_, best_));
    if (!address || moves(*address))
      return false;
    const auto object = onlyObject(kernel_, *address);
    if (!object)
      return false;
    element_ = *address;
    object_ = *object;
    return storesBehind(loop_) > 0;
  }

  /// The number of stores of the object in a loop; 0 if one of them is made
  /// where candidates lose.
  unsigned storesBehind(LoopId loop) {
    unsigned stores = 0;
    for (const Access &access : kernel_.accesses) {
      if (access.operation == Operation::Load || !isIn(access.loops, loop) ||
          onlyObject(kernel_, access.address) != object_)
        continue;
      if (!isBehind(access.guard))
        return 0;
      ++stores;
    }
    return stores;
  }

  static bool isIn(llvm::ArrayRef<LoopId> loops, LoopId loop) {
    return llvm::is_contained(loops, loop);
  }

  /// The iterations of the longest loop that a candidate enters where it wins:
  /// it moves the elements of a list.
  std::optional<double> placesInLoops(TripsOf tripsOf) {
    std::optional<double> places;
    for (LoopId id = loop_ + 1; id < kernel_.loops.size(); ++id)
      if (isIn(kernel_.nestOf(id), loop_) && isBehind(kernel_.loops[id].enters))
        places = std::max(places.value_or(0), tripsOf(id));
    return places;
  }

  double placesInMemory(TripsOf tripsOf) {
    if (const auto places = placesInLoops(tripsOf))
      return *places;
    const bool isOne = llvm::all_of(kernel_.accesses, [&](const Access &each) {
      return each.operation == Operation::Load || !isIn(each.loops, loop_) ||
             onlyObject(kernel_, each.address) != object_ ||
             each.address == element_;
    });
    return isOne ? 1 : 0;
  }

  /// The loops around it that begin with what the iteration before has kept.
  std::vector<LoopId> loopsThatKeep() {
    std::vector<LoopId> loops{loop_};
    ValueId variable = own_.empty() ? 0 : *own_.begin();
    for (auto around = kernel_.loops[loop_].parent; around;
         around = kernel_.loops[*around].parent) {
      if (own_.empty()) {
        if (movesIn(element_, *around) || !storesBehind(*around))
          break;
      } else {
        variable = withoutConversions(graph_, graph_.operand(variable, 0));
        const Node &node = graph_.node(variable);
        if (node.op != Op::Carried || node.number != *around)
          break;
      }
      loops.push_back(*around);
    }
    return loops;
  }

  static constexpr unsigned deepest = 24, mostPlaces = 64, mostChoices = 256;

  FindImprovements &all_;
  const Kernel &kernel_;
  const ExpressionGraph &graph_;
  const LoopId loop_;
  const ValueId candidate_, best_;
  const bool isLess_; ///< a candidate that is less wins
  Mode mode_ = Mode::Open;
  llvm::DenseSet<ValueId> own_;  ///< variables that the best depends on
  llvm::DenseSet<ValueId> kept_; ///< these, and what they may take over
  /// By mode.
  std::array<llvm::DenseMap<ValueId, Truth>, 3> truths_;
  std::array<llvm::DenseMap<ValueId, bool>, 3> areKept_;
  bool isList_ = false; ///< the best is read from memory again
  double perIteration_ = 1;
  ValueId element_ = 0; ///< the address of the best, if it is in memory
  ObjectId object_ = 0;
};

FindImprovements::FindImprovements(const Kernel &kernel) : kernel_(kernel) {}
FindImprovements::~FindImprovements() = default;

bool FindImprovements::isCompared(ValueId value) {
  if (compared_.empty())
    for (ValueId id = 0; id < kernel_.graph.size(); ++id)
      if (const auto sides = sidesOf(kernel_.graph, id))
        for (ValueId side : {sides->left, sides->right})
          compared_.insert(withoutConversions(kernel_.graph, side));
  return compared_.contains(value);
}

bool FindImprovements::isData(ValueId value) {
  auto [place, isNew] = isData_.try_emplace(value, false);
  if (isNew)
    place->second = dependsOnData(kernel_, value);
  return place->second;
}

FindImprovements::Kept *FindImprovements::keptBy(ValueId comparison,
                                                 LoopId loop) {
  auto [place, isNew] = known_.try_emplace({comparison, loop});
  if (!isNew)
    return place->second.get();
  const auto sides = sidesOf(kernel_.graph, comparison);
  if (!sides || sides->isLess == sides->isGreater)
    return nullptr;
  for (bool isLeft : {true, false})
    for (bool isLess : {true, false}) {
      auto kept = std::make_unique<Kept>(*this, loop, *sides, isLeft, isLess);
      if (kept->isFound())
        return (place->second = std::move(kept)).get();
    }
  return nullptr;
}

std::optional<Improvements>
FindImprovements::under(llvm::ArrayRef<LoopId> loops, ValueId guard,
                        TripsOf tripsOf) {
  const ExpressionGraph &graph = kernel_.graph;
  std::vector<ValueId> comparisons;
  graph.walk(guard, [&](ValueId id) {
    if (sidesOf(graph, id)) {
      comparisons.push_back(id);
      return Walk::Past;
    }
    return graph.node(id).bits == 1 ? Walk::Into : Walk::Past;
  });
  for (LoopId loop : llvm::reverse(loops))
    for (ValueId comparison : comparisons)
      if (graph.loopsOf()[comparison] & ExpressionGraph::loopBit(loop))
        if (Kept *kept = keptBy(comparison, loop);
            kept && kept->isBehind(guard))
          return kept->of(tripsOf);
  return std::nullopt;
}

double improvingIterations(double candidates, double places, unsigned lanes) {
  auto part = [&](double seen) {
    return 1 - std::pow(1 - std::min(1.0, places / seen), double(lanes));
  };
  constexpr double eachUpTo = 256, growth = 1.05;
  double sum = 0, seen = 1;
  for (; seen <= std::min(candidates, eachUpTo); ++seen)
    sum += part(seen);
  // Behind that in steps that grow: the part changes slowly.
  for (seen -= 0.5; seen < candidates;) {
    const double next = std::min(candidates + 0.5, seen * growth);
    sum += (next - seen) * part((seen + next) / 2);
    seen = next;
  }
  return std::min(candidates, sum);
}

} // namespace warplint
