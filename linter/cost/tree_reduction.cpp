#include "cost/tree_reduction.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace warplint {

namespace {

/// A warp does fewer steps by shuffles without being faster.
constexpr unsigned fewestSteps = 4;

/// The threads that execute an access in each iteration of its innermost loop,
/// as long as there are any; empty if a loop of more iterations follows.
using Course = std::vector<Threads>;

class TreeReader {
public:
  TreeReader(const Kernel &kernel, const KernelShape &shape)
      : kernel_(kernel), lanes_(kernel, shape) {}

  std::vector<TreeReduction> read() {
    std::vector<TreeReduction> found;
    for (LoopId loop = 0; loop < kernel_.loops.size() && !isOverdue(); ++loop)
      if (auto one = readLoop(loop))
        found.push_back(std::move(*one));
    llvm::erase_if(found, [&](const TreeReduction &one) {
      return llvm::any_of(
          one.accesses, [&](unsigned i) { return isSpreadAgain(i, one.loop); });
    });
    return found;
  }

private:
  bool isInnermost(const Access &access, LoopId loop) const {
    return !access.loops.empty() && access.loops.back() == loop;
  }

  std::optional<TreeReduction> readLoop(LoopId loop) {
    const bool hasBarrier =
        llvm::any_of(kernel_.barriers, [&](const Barrier &barrier) {
          return !barrier.loops.empty() && barrier.loops.back() == loop;
        });
    if (!hasBarrier || kernel_.loops[loop].inLibrary)
      return std::nullopt;
    TreeReduction result;
    result.loop = loop;
    result.isRepeated = kernel_.loops[loop].parent.has_value();
    for (unsigned i = 0; i < kernel_.accesses.size(); ++i) {
      const Access &access = kernel_.accesses[i];
      if (!llvm::is_contained(access.loops, loop))
        continue;
      // A loop that keeps the results of its steps is a transform.
      if (access.operation == Operation::Atomic ||
          (access.operation == Operation::Store &&
           access.space != Space::Shared && access.space != Space::Local))
        return std::nullopt;
      if (access.space != Space::Shared || !isInnermost(access, loop) ||
          access.noUserCode)
        continue;
      result.accesses.push_back(i);
      if (access.operation == Operation::Store && !result.steps)
        readSteps(i, result);
    }
    return result.steps >= fewestSteps ? std::optional(result) : std::nullopt;
  }

  void readSteps(unsigned store, TreeReduction &into) {
    const Access &access = kernel_.accesses[store];
    if (!isCombined(store))
      return;
    const Course course = courseOf(access, into.loop);
    if (!isHalving(course))
      return;
    into.steps = course.size();
    into.object = access.object;
    into.firstThreads = count(course.front());
    // In the last step, the first lanes of short rows are as far apart.
    into.isInterleaved = llvm::any_of(
        llvm::ArrayRef(course).drop_back(), [](const Threads &threads) {
          return llvm::any_of(threads, [](uint32_t lanes) {
            return (lanes & (lanes - 1)) != 0 && !hasNeighbours(lanes);
          });
        });
  }

  Course courseOf(const Access &access, LoopId loop) {
    Course course;
    Iterations iterations(kernel_.loops.size(), 0);
    for (unsigned i = 0; i < iterationsFollowed; ++i) {
      iterations[loop] = i;
      Threads threads = lanes_.may(access.guard, iterations);
      if (!count(threads))
        return course;
      course.push_back(std::move(threads));
    }
    return {};
  }

  static bool hasNeighbours(uint32_t lanes) {
    return (lanes & (lanes >> 1)) != 0;
  }

  /// Returns true if one thread is left, or one of each of several rows, and no
  /// row is longer than a warp: lanes reduce it by shuffles.
  static bool isReduced(const Course &course) {
    const unsigned left = count(course.back());
    return left == 1 || (llvm::none_of(course.back(), hasNeighbours) &&
                         count(course.front()) / left <= warpSize);
  }

  /// Returns true if each step has about half of the threads of the one
  /// before, and one in the end. In the first step, all of them may work, if
  /// there are two elements for each.
  static bool isHalving(const Course &course) {
    if (course.size() < fewestSteps || !isReduced(course))
      return false;
    for (size_t i = 1; i < course.size(); ++i) {
      const unsigned before = count(course[i - 1]), now = count(course[i]);
      if (2 * now > before + 1 || 3 * now < before)
        return false;
    }
    return true;
  }

  /// Returns true if the store's thread loads another element of the array
  /// than the one that it stores.
  bool isCombined(unsigned store) {
    const Access &to = kernel_.accesses[store];
    return llvm::any_of(kernel_.accesses, [&](const Access &from) {
      return from.operation == Operation::Load && from.space == Space::Shared &&
             from.loops == to.loops && areInOneArray(from, to) &&
             from.address != to.address;
    });
  }

  bool areInOneArray(const Access &a, const Access &b) const {
    return baseOf(a.address) == baseOf(b.address);
  }

  /// The first object that an address is computed from.
  std::optional<uint64_t> baseOf(ValueId address) const {
    std::optional<uint64_t> base;
    kernel_.graph.walk(address, [&](ValueId id) {
      const Node &node = kernel_.graph.node(id);
      if (node.op == Op::Base)
        base = node.number;
      return base                    ? ExpressionGraph::Walk::Stop
             : node.op == Op::Loaded ? ExpressionGraph::Walk::Past
                                     : ExpressionGraph::Walk::Into;
    });
    return base;
  }

  /// Returns true if the threads that store to the array double in each
  /// iteration of another loop: a scan goes up the tree and down again.
  bool isSpreadAgain(unsigned ofTree, LoopId tree) {
    const Access &access = kernel_.accesses[ofTree];
    std::set<std::pair<ValueId, LoopId>> seen;
    return llvm::any_of(kernel_.accesses, [&](const Access &other) {
      if (other.operation != Operation::Store || other.space != Space::Shared ||
          other.loops.empty() || other.loops.back() == tree ||
          !areInOneArray(access, other) ||
          !seen.insert({other.guard, other.loops.back()}).second)
        return false;
      return isDoubling(other, other.loops.back());
    });
  }

  /// The first steps show it; the last one may depend on the way up.
  bool isDoubling(const Access &access, LoopId loop) {
    Iterations iterations(kernel_.loops.size(), 0);
    unsigned before = 0;
    for (unsigned i = 0; i < fewestSteps; ++i) {
      iterations[loop] = i;
      const unsigned now = count(lanes_.may(access.guard, iterations));
      if (!now || 2 * now < 3 * before)
        return false;
      before = now;
    }
    return true;
  }

  const Kernel &kernel_;
  BlockLanes lanes_;
};

} // namespace

std::vector<TreeReduction> treeReductions(const Kernel &kernel,
                                          const KernelShape &shape) {
  if (kernel.barriers.empty() || shape.shape.threads() <= warpSize)
    return {};
  return TreeReader(kernel, shape).read();
}

} // namespace warplint
