#include "cost/two_lanes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <map>
#include <tuple>

namespace warplint {

namespace {

constexpr unsigned trials = 3;

const char *verb(Operation operation) {
  switch (operation) {
  case Operation::Load:
    return "reads";
  case Operation::Store:
    return "writes";
  case Operation::Atomic:
    return "updates";
  }
  return "";
}

/// The addresses of two lanes in each trial.
struct Pair {
  std::array<uint64_t, trials> first{}, second{};
  /// The first lane's offset from the beginning of the object.
  std::array<std::optional<int64_t>, trials> offset;

  int64_t distance(unsigned trial) const {
    return int64_t(second[trial] - first[trial]);
  }
};

/// The named uniform values that `address` is computed from. The number of
/// visited nodes is limited: a person cannot check a longer address by hand.
std::vector<ValueId> sizesIn(const Kernel &kernel, ValueId address) {
  constexpr unsigned most = 4096;
  const ExpressionGraph &graph = kernel.graph;
  std::vector<ValueId> sizes;
  unsigned visited = 0;
  graph.walk(address, [&](ValueId id) {
    if (++visited > most)
      return ExpressionGraph::Walk::Stop;
    Op op = graph.node(id).op;
    bool named = op == Op::Parameter || op == Op::Uniform || op == Op::Loaded;
    if (!named || graph.node(id).pointer || graph.text(id).empty())
      return ExpressionGraph::Walk::Into;
    sizes.push_back(id);
    return ExpressionGraph::Walk::Past;
  });
  return sizes;
}

} // namespace

/// Indexes the nodes and accesses of a kernel for notes.
struct TwoLanes::Facts {
  explicit Facts(const Kernel &kernel) {
    for (ValueId id = 0; id < kernel.graph.size(); ++id)
      if (const Node &node = kernel.graph.node(id); node.op == Op::Base)
        bases.try_emplace(&kernel.objects[node.number], id);
    for (const Access &access : kernel.accesses)
      ++pieces[keyOf(access)];
  }
  /// Returns false for a structure that is copied in pieces: it has several
  /// accesses at its place.
  bool isWhole(const Access &access) const {
    auto found = pieces.find(keyOf(access));
    return found != pieces.end() && found->second == 1;
  }

  llvm::DenseMap<const Object *, ValueId> bases;

private:
  using Key =
      std::tuple<const Place &, const std::vector<Place> &, const Operation &>;
  static Key keyOf(const Access &access) {
    return {access.place, access.callSites, access.operation};
  }
  std::map<Key, unsigned> pieces;
};

/// The warps of one shape, one for each trial.
struct TwoLanes::Warps {
  Warps(const Kernel &kernel, const KernelShape &shape)
      : evaluation(kernel, shape.launches),
        otherBlock(evaluation, shape.shape, 0, 1, 0) {
    for (unsigned trial = 0; trial < trials; ++trial)
      trialWarps[trial] =
          std::make_unique<Warp>(evaluation, shape.shape, 0, 0, trial);
  }
  const LaneValues &evaluate(ValueId value, unsigned trial) {
    return trialWarps[trial]->evaluate(value, iterations);
  }

  Evaluation evaluation;
  const Iterations iterations;
  Warp otherBlock;
  std::array<std::unique_ptr<Warp>, trials> trialWarps;
};

class TwoLanes::Note {
public:
  Note(const Kernel &kernel, const Facts &facts, Warps &warps,
       const Access &access, unsigned first, unsigned second)
      : kernel_(kernel), facts_(facts), warps_(warps), access_(access),
        first_(first), second_(second), subscripted_(subscripted()) {}

  std::string text() {
    Pair pair;
    for (unsigned trial = 0; trial < trials; ++trial) {
      const LaneValues &address = warps_.evaluate(access_.address, trial);
      if (address.unknown >> first_ & 1 || address.unknown >> second_ & 1)
        return "";
      pair.first[trial] = address.value[first_];
      pair.second[trial] = address.value[second_];
      pair.offset[trial] = offset(pair.first[trial], trial);
    }
    const Object *one = warps_.trialWarps[0]->objectAt(pair.first[0]),
                 *other = warps_.trialWarps[0]->objectAt(pair.second[0]);
    if (one && other && one != other)
      return llvm::formatv("lane {0} {1} another array than lane {2}", second_,
                           verb(access_.operation), first_);
    const int64_t distance = pair.distance(0);
    bool known = true;
    for (unsigned trial = 1; trial < trials; ++trial)
      known &= pair.distance(trial) == distance;
    // Another block may place them elsewhere: `i * blockIdx.x`.
    const LaneValues &elsewhere =
        warps_.otherBlock.evaluate(access_.address, warps_.iterations);
    known &= int64_t(elsewhere.value[second_] - elsewhere.value[first_]) ==
             distance;
    if (known && distance % unit() == 0 && isFixed(pair) &&
        *pair.offset[0] % unit() == 0)
      return elements(llvm::Twine(*pair.offset[0] / unit()).str(),
                      llvm::Twine((*pair.offset[0] + distance) / unit()).str());
    if (known)
      return apart(distance % unit() ? 0 : distance / unit(), distance, "");
    return byName(pair);
  }

private:
  std::optional<int64_t> offset(uint64_t address, unsigned trial) {
    auto base = facts_.bases.find(warps_.trialWarps[trial]->objectAt(address));
    if (base == facts_.bases.end())
      return std::nullopt;
    return int64_t(address - warps_.evaluate(base->second, trial).value[0]);
  }

  /// Returns true if the element, counted from the start of the subscripted
  /// object, is the same for all sizes and blocks. A pointer into the middle of
  /// the object gives false.
  bool isFixed(const Pair &pair) {
    const Object *object = warps_.trialWarps[0]->objectAt(pair.first[0]);
    if (subscripted_.empty() || !object || object->name != subscripted_ ||
        !pair.offset[0] ||
        llvm::any_of(pair.offset, [&](const std::optional<int64_t> &offset) {
          return offset != pair.offset[0];
        }))
      return false;
    const LaneValues &elsewhere =
        warps_.otherBlock.evaluate(access_.address, warps_.iterations);
    return elsewhere.value[first_] == pair.first[0];
  }

  /// Returns `a` for "a[...]" if each lane moves one element of it; else an
  /// empty text.
  llvm::StringRef subscripted() const {
    llvm::StringRef text = access_.text, object = access_.object;
    if (object.empty() || !text.consume_front(object) ||
        !text.consume_front("[") || !text.consume_back("]") ||
        text.find("][") != llvm::StringRef::npos || !facts_.isWhole(access_))
      return "";
    int depth = 0; // rejects "a[i] + b[j]"
    for (char c : text) {
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (depth < 0)
        return "";
    }
    return object;
  }
  int64_t unit() const {
    return subscripted_.empty() ? 1 : std::max(1u, access_.bytes);
  }

  std::string elements(const std::string &one, const std::string &other) const {
    return llvm::formatv("lane {0} {1} {2}[{3}], lane {4} {1} {2}[{5}]", first_,
                         verb(access_.operation), subscripted_, one, second_,
                         other);
  }

  /// Writes `count` times `name` plus `rest`, as in "4 * n + 1".
  std::string apart(int64_t count, int64_t bytes, const std::string &name,
                    int64_t rest = 0) {
    bool after = (name.empty() ? bytes : count) >= 0;
    std::string many = std::to_string(std::abs(count));
    std::string size = name.empty()           ? many
                       : std::abs(count) == 1 ? name
                                              : many + " * " + name;
    if (rest)
      size += (rest > 0) == after ? " + " + std::to_string(std::abs(rest))
                                  : " - " + std::to_string(std::abs(rest));
    if (!subscripted_.empty() && count) {
      if (!after && rest)
        size = "(" + size + ")";
      return elements("...", (after ? "... + " : "... - ") + size);
    }
    const std::string &text =
        access_.text.empty() ? access_.object : access_.text;
    return llvm::formatv("lane {0} {1} '{2}' {3} bytes {4} lane {5}", second_,
                         verb(access_.operation), text,
                         name.empty() ? std::to_string(std::abs(bytes)) : size,
                         after ? "after" : "before", first_);
  }

  /// Describes a distance as a multiple of one unknown size plus a constant.
  std::string byName(const Pair &pair) {
    for (ValueId size : sizesIn(kernel_, access_.address)) {
      std::array<int64_t, trials> values;
      bool fits = true;
      for (unsigned trial = 0; fits && trial < trials; ++trial) {
        const LaneValues &value = warps_.evaluate(size, trial);
        values[trial] = int64_t(value.value[0]);
        fits = !value.unknown && value.isUniform() &&
               pair.distance(trial) % unit() == 0;
      }
      if (!fits || values[0] == values[1])
        continue;
      auto elements = [&](unsigned trial) {
        return pair.distance(trial) / unit();
      };
      int64_t factor = (elements(1) - elements(0)) / (values[1] - values[0]);
      int64_t rest = elements(0) - factor * values[0];
      for (unsigned trial = 1; trial < trials; ++trial)
        fits &= elements(trial) == factor * values[trial] + rest;
      constexpr int64_t readable = 4096;
      if (fits && factor && std::abs(factor) <= readable &&
          std::abs(rest) <= readable)
        return apart(factor, 0, kernel_.graph.text(size), rest);
    }
    return "";
  }

  const Kernel &kernel_;
  const Facts &facts_;
  Warps &warps_;
  const Access &access_;
  const unsigned first_, second_;
  const llvm::StringRef subscripted_;
};

TwoLanes::TwoLanes(const Kernel &kernel) : kernel_(kernel) {}
TwoLanes::~TwoLanes() = default;

TwoLanes::Warps &TwoLanes::warpsOf(const KernelShape &shape) {
  std::unique_ptr<Warps> &warps = warps_[&shape];
  if (!warps)
    warps = std::make_unique<Warps>(kernel_, shape);
  return *warps;
}

std::string TwoLanes::note(const KernelShape &shape, const Access &access,
                           unsigned first, unsigned second) {
  if (!facts_)
    facts_ = std::make_unique<Facts>(kernel_);
  return Note(kernel_, *facts_, warpsOf(shape), access, first, second).text();
}

std::optional<bool> TwoLanes::differ(const KernelShape &shape, ValueId value,
                                     unsigned first, unsigned second) {
  const LaneValues &values = warpsOf(shape).evaluate(value, 0);
  if (values.unknown >> first & 1 || values.unknown >> second & 1)
    return std::nullopt;
  return values.value[first] != values.value[second];
}

std::pair<unsigned, unsigned> neighbouringLanes(const Cost &cost) {
  std::optional<std::pair<unsigned, unsigned>> apart;
  std::optional<unsigned> before;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (!(cost.active >> lane & 1))
      continue;
    if (before) {
      uint64_t one = cost.addresses[*before], other = cost.addresses[lane];
      if (one / sectorBytes != other / sectorBytes)
        return {*before, lane};
      if (!apart && one != other)
        apart = {*before, lane};
    }
    before = lane;
  }
  return apart.value_or(std::pair(0u, 1u));
}

} // namespace warplint
