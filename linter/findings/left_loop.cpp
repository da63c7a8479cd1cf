#include "findings/left_loop.h"
#include "base/short_number.h"
#include "findings/locate.h"
#include "model/pipe_counts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace warplint {

namespace {

/// Which loop of the PTX holds which code of the source.
class LoopFinder {
public:
  LoopFinder(LoopId loop, const CompiledView &view)
      : loop_(loop), source_(view.source.kernel), ptx_(view.ptx->kernel) {}

  LeftLoop find() const {
    bool hasAccesses = false, isSomeLeft = false, isUnclear = false;
    double copies = 0;
    for (const Access &access : source_.accesses) {
      if (!isInLoop(access) || access.bytes == 0 || access.place.line == 0)
        continue;
      hasAccesses = true;
      double most = 0; // the loop of the rest has one copy
      for (const Access &other : ptx_.accesses) {
        if (!isOf(other, access))
          continue;
        isSomeLeft = true;
        const std::optional<LoopId> left = loopOf(other);
        isUnclear |= !left && !other.loops.empty();
        if (left)
          most = std::max(most, copiesOf(access, *left));
      }
      if (most)
        copies = copies ? std::min(copies, most) : most;
    }
    const std::optional<double> found =
        copies ? std::optional(copies) : copiesOfArithmetic();
    if (found)
      return {LoopState::Left, *found};
    const bool isAtLine = hasLoopAtLine();
    if (hasAccesses && isSomeLeft)
      return {isAtLine    ? LoopState::Left
              : isUnclear ? LoopState::Unknown
                          : LoopState::Gone};
    return {isAtLine                            ? LoopState::Left
            : hasAccesses || ptx_.loops.empty() ? LoopState::Gone
                                                : LoopState::Unknown};
  }

private:
  bool isInLoop(const Access &access) const {
    return llvm::is_contained(access.loops, loop_);
  }

  static bool isOf(const Access &ptx, const Access &source) {
    return ptx.operation == source.operation && comesFrom(ptx, source);
  }

  /// Returns true if the PTX access comes from the loop's body.
  bool isOfBody(const Access &ptx) const {
    return llvm::any_of(source_.accesses, [&](const Access &access) {
      return isInLoop(access) && isOf(ptx, access);
    });
  }

  /// The outermost loop around the PTX access whose accesses are all from the
  /// body. If the loops around the source's have no accesses of their own, as
  /// many loops of the PTX are left out as these are.
  std::optional<LoopId> loopOf(const Access &ptx) const {
    const std::vector<LoopId> nest = source_.nestOf(loop_);
    unsigned around = llvm::count_if(llvm::drop_end(nest), [&](LoopId outer) {
      return !hasOtherAccesses(outer);
    });
    for (LoopId loop : ptx.loops) {
      if (!isAllOfBody(loop))
        continue;
      if (around == 0 ||
          sameLine(ptx_.loops[loop].place, source_.loops[loop_].place))
        return loop;
      --around;
    }
    return std::nullopt;
  }

  bool isAllOfBody(LoopId loop) const {
    return llvm::all_of(ptx_.accesses, [&](const Access &access) {
      return !llvm::is_contained(access.loops, loop) || isOfBody(access);
    });
  }

  /// Returns true if the source's loop `around` has accesses that the loop in
  /// it has not.
  bool hasOtherAccesses(LoopId around) const {
    return llvm::any_of(source_.accesses, [&](const Access &access) {
      return llvm::is_contained(access.loops, around) && !isInLoop(access) &&
             llvm::any_of(ptx_.accesses, [&](const Access &ptx) {
               return isOf(ptx, access) && !ptx.loops.empty();
             });
    });
  }

  /// By bytes: the compiler joins neighbours into vectors.
  double copiesOf(const Access &access, LoopId left) const {
    double bytes = 0, once = 0;
    for (const Access &other : ptx_.accesses)
      if (llvm::is_contained(other.loops, left) && isOf(other, access))
        bytes += other.bytes;
    for (const Access &other : source_.accesses)
      if (isInLoop(other) && other.operation == access.operation &&
          sameLine(other.place, access.place) && other.need == Need::EachTime)
        once += other.bytes;
    return bytes / std::max<double>(once, access.bytes);
  }

  /// For a loop whose accesses have left it, or that has none: the fewest
  /// copies of a line's arithmetic in loops of the PTX; 0 if its instructions
  /// do not show how many. Nothing if none of it is in a loop.
  std::optional<double> copiesOfArithmetic() const {
    struct Line {
      double source = 0, ptx = 0;
      bool isExpanded = false; ///< its instructions say nothing about copies
      const Place *place = nullptr;
    };
    std::map<std::pair<std::string, unsigned>, Line> lines;
    for (const Computation &operation : source_.operations) {
      const Place &place = source_.writtenOf(operation).place;
      const std::vector<LoopId> &loops = source_.loopsOf(operation);
      // Code in an inner loop says nothing about this one.
      if (loops.empty() || loops.back() != loop_ || place.line == 0)
        continue;
      if (const double work = workOf(operation)) {
        Line &line = lines[{place.file, place.line}];
        line.source += work;
        line.isExpanded |= isExpanded(operation.kind);
        line.place = &place;
      }
    }
    if (lines.empty())
      return std::nullopt;
    const size_t depth = source_.nestOf(loop_).size();
    for (const Computation &operation : ptx_.operations)
      if (ptx_.loopsOf(operation).size() >= depth)
        if (const double work = workOf(operation))
          for (auto &[_, line] : lines)
            if (comesFrom(ptx_.writtenOf(operation), *line.place))
              line.ptx += work;
    double copies = 0;
    bool isInLoop = false;
    for (const auto &[_, line] : lines) {
      isInLoop |= line.ptx > 0;
      if (line.isExpanded || !line.ptx)
        continue;
      const double here = std::max(1.0, line.ptx / line.source);
      copies = copies ? std::min(copies, here) : here;
    }
    return isInLoop ? std::optional(copies) : std::nullopt;
  }

  /// Arithmetic of floats; whole numbers count loops and compute addresses.
  static double workOf(const Computation &operation) {
    if (!isFloat(operation.type))
      return 0;
    switch (operation.kind) {
    case Compute::Fused:
      return 2;
    case Compute::Compare:
    case Compute::Select:
    case Compute::Convert:
    case Compute::Negate:
    case Compute::Absolute:
    case Compute::Join:
      return 0;
    default:
      return operation.lanes;
    }
  }

  bool hasLoopAtLine() const {
    return llvm::any_of(ptx_.loops, [&](const Loop &loop) {
      return sameLine(loop.place, source_.loops[loop_].place);
    });
  }

  const LoopId loop_;
  const Kernel &source_, &ptx_;
};

} // namespace

LeftLoop leftOf(LoopId loop, const CompiledView &view) {
  return LoopFinder(loop, view).find();
}

std::string inWords(const LeftLoop &left) {
  switch (left.state) {
  case LoopState::Gone:
    return "the compiler left no such loop";
  case LoopState::Unknown:
    return "the PTX does not show what became of the loop";
  case LoopState::Left:
    break;
  }
  if (!left.copies)
    return "the PTX has the loop";
  if (left.copies < 1.5)
    return "the PTX has the loop, and it is not unrolled";
  return llvm::formatv("the PTX has the loop, with {0} copies of its body in "
                       "one iteration",
                       shortNumber(left.copies));
}

} // namespace warplint
