#include "cost/two_lanes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>

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
  /// Of the first lane, from the beginning of the object.
  std::array<std::optional<int64_t>, trials> offset;

  int64_t distance(unsigned trial) const {
    return int64_t(second[trial] - first[trial]);
  }
};

std::optional<int64_t> offsetIn(const Kernel &kernel, Warp &warp,
                                uint64_t address,
                                const Iterations &iterations) {
  const Object *object = warp.objectAt(address);
  for (ValueId id = 0; id < kernel.graph.size(); ++id) {
    const Node &node = kernel.graph.node(id);
    if (node.op == Op::Base && &kernel.objects[node.number] == object)
      return int64_t(address - warp.evaluate(id, iterations).value[0]);
  }
  return std::nullopt;
}

/// The named uniform values that `address` is computed from.
std::vector<ValueId> sizesIn(const Kernel &kernel, ValueId address) {
  const ExpressionGraph &graph = kernel.graph;
  std::vector<ValueId> sizes;
  graph.walk(address, [&](ValueId id) {
    Op op = graph.node(id).op;
    bool named = op == Op::Parameter || op == Op::Uniform || op == Op::Loaded;
    if (!named || graph.node(id).pointer || graph.text(id).empty())
      return ExpressionGraph::Walk::Into;
    sizes.push_back(id);
    return ExpressionGraph::Walk::Past;
  });
  return sizes;
}

class Note {
public:
  Note(const Kernel &kernel, const KernelShape &shape, const Access &access,
       unsigned first, unsigned second)
      : kernel_(kernel), access_(access), first_(first), second_(second),
        evaluation_(kernel, shape.launches),
        iterations_(kernel.loops.size(), 0) {
    for (unsigned trial = 0; trial < trials; ++trial)
      warps_.push_back(
          std::make_unique<Warp>(evaluation_, shape.shape, 0, 0, trial));
    other_ = std::make_unique<Warp>(evaluation_, shape.shape, 0, 1, 0);
  }

  std::string text() {
    Pair pair;
    for (unsigned trial = 0; trial < trials; ++trial) {
      const LaneValues &address =
          warps_[trial]->evaluate(access_.address, iterations_);
      if (address.unknown >> first_ & 1 || address.unknown >> second_ & 1)
        return "";
      pair.first[trial] = address.value[first_];
      pair.second[trial] = address.value[second_];
      pair.offset[trial] =
          offsetIn(kernel_, *warps_[trial], pair.first[trial], iterations_);
    }
    const int64_t distance = pair.distance(0);
    bool known = true;
    for (unsigned trial = 1; trial < trials; ++trial)
      known &= pair.distance(trial) == distance;
    if (known && distance % unit() == 0 && isFixed(pair) &&
        *pair.offset[0] % unit() == 0)
      return elements(llvm::Twine(*pair.offset[0] / unit()).str(),
                      llvm::Twine((*pair.offset[0] + distance) / unit()).str());
    if (known)
      return apart(distance % unit() ? 0 : distance / unit(), distance, "");
    return byName(pair);
  }

private:
  /// Returns true if the element is the same for all sizes and blocks, counted
  /// from the start of the subscripted object: not for a pointer into its
  /// middle.
  bool isFixed(const Pair &pair) {
    const Object *object = warps_[0]->objectAt(pair.first[0]);
    if (subscripted().empty() || !object || object->name != subscripted() ||
        !pair.offset[0] ||
        llvm::any_of(pair.offset, [&](const std::optional<int64_t> &offset) {
          return offset != pair.offset[0];
        }))
      return false;
    const LaneValues &elsewhere =
        other_->evaluate(access_.address, iterations_);
    return elsewhere.value[first_] == pair.first[0];
  }

  /// `a` of "a[...]", if each lane moves one element of it; else empty.
  llvm::StringRef subscripted() const {
    llvm::StringRef text = access_.text, object = access_.object;
    if (object.empty() || !text.consume_front(object) ||
        !text.consume_front("[") || !text.consume_back("]") ||
        text.find("][") != llvm::StringRef::npos || !isWhole())
      return "";
    int depth = 0; // "a[i] + b[j]" is no subscript
    for (char c : text) {
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (depth < 0)
        return "";
    }
    return object;
  }
  /// Returns false for a structure that is copied in pieces: it has several
  /// accesses at its place.
  bool isWhole() const {
    return llvm::count_if(kernel_.accesses, [&](const Access &other) {
             return other.place == access_.place &&
                    other.callSites == access_.callSites &&
                    other.operation == access_.operation;
           }) == 1;
  }
  int64_t unit() const {
    return subscripted().empty() ? 1 : std::max(1u, access_.bytes);
  }

  std::string elements(const std::string &one, const std::string &other) const {
    llvm::StringRef name = subscripted();
    return llvm::formatv("lane {0} {1} {2}[{3}], lane {4} {1} {2}[{5}]", first_,
                         verb(access_.operation), name, one, second_, other);
  }

  /// "a[... + 4 * n + 1]", "32 bytes after": `count` of `name` and `rest`.
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
    if (!subscripted().empty() && count) {
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

  /// A distance that is a multiple of one unknown size plus a constant.
  std::string byName(const Pair &pair) {
    for (ValueId size : sizesIn(kernel_, access_.address)) {
      std::array<int64_t, trials> values;
      bool fits = true;
      for (unsigned trial = 0; fits && trial < trials; ++trial) {
        const LaneValues &value = warps_[trial]->evaluate(size, iterations_);
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
  const Access &access_;
  unsigned first_, second_;
  Evaluation evaluation_;
  Iterations iterations_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::unique_ptr<Warp> other_; ///< of another block
};

} // namespace

std::string laneNote(const Kernel &kernel, const KernelShape &shape,
                     const Access &access, unsigned first, unsigned second) {
  return Note(kernel, shape, access, first, second).text();
}

std::optional<bool> lanesDiffer(const Kernel &kernel, const KernelShape &shape,
                                ValueId value, unsigned first,
                                unsigned second) {
  Evaluation evaluation(kernel, shape.launches);
  Warp warp(evaluation, shape.shape, 0, 0, 0);
  const LaneValues &values =
      warp.evaluate(value, Iterations(kernel.loops.size(), 0));
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
