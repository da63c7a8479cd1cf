#include "cost/tree_reduction.h"
#include "cost/tiles.h"
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
      : kernel_(kernel), shape_(shape), lanes_(kernel, shape) {}

  std::vector<TreeReduction> read() {
    std::vector<TreeReduction> found;
    for (LoopId loop = 0; loop < kernel_.loops.size() && !isOverdue(); ++loop)
      if (auto one = readLoop(loop))
        found.push_back(std::move(*one));
    llvm::erase_if(found, [&](const TreeReduction &one) {
      return llvm::any_of(one.accesses, [&](unsigned i) {
        return isSpreadAgain(i, *one.loop);
      });
    });
    readLadders(found);
    llvm::erase_if(found, [&](const TreeReduction &one) {
      return readsPartialSums(one);
    });
    return found;
  }

private:
  /// Returns true for what a step does, also for each component of its
  /// elements: no other steps come between.
  bool isOfStep(const Access &access, LoopId loop) const {
    const auto at = llvm::find(access.loops, loop);
    return at != access.loops.end() &&
           std::all_of(std::next(at), access.loops.end(), [&](LoopId inner) {
             return !kernel_.loops[inner].hasBarrier;
           });
  }

  std::optional<TreeReduction> readLoop(LoopId loop) {
    TreeReduction result;
    result.loop = loop;
    for (unsigned i = 0; i < kernel_.barriers.size(); ++i) {
      const std::vector<LoopId> &loops = kernel_.barriers[i].loops;
      if (!loops.empty() && loops.back() == loop)
        result.barriers.push_back(i);
    }
    if (result.barriers.empty() || kernel_.loops[loop].inLibrary)
      return std::nullopt;
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
      if (access.space != Space::Shared || !isOfStep(access, loop) ||
          access.noUserCode)
        continue;
      result.accesses.push_back(i);
      if (access.operation == Operation::Store && !result.steps)
        readSteps(i, result);
    }
    return result.steps >= fewestSteps ? std::optional(result) : std::nullopt;
  }

  /// The threads of a step are those that store, or those that load another
  /// element: 'y = t < s ? a[t] + a[t + s] : a[t]', which all threads store.
  void readSteps(unsigned store, TreeReduction &into) {
    const Access &to = kernel_.accesses[store];
    const std::vector<unsigned> others = otherElements(store);
    if (others.empty())
      return;
    std::vector<unsigned> deciding = {store};
    llvm::append_range(deciding, others);
    std::set<ValueId> seen;
    for (unsigned i : deciding) {
      const ValueId guard = kernel_.accesses[i].guard;
      if (!seen.insert(guard).second)
        continue;
      const Course course = courseOf(guard, *into.loop);
      if (isHalving(course))
        return describe(course, to, into);
    }
  }

  /// The array's own name: a function that adds calls it by another one.
  std::string nameOf(const Access &access) const {
    const std::string own = variableOf(kernel_, access);
    return own.empty() ? access.object : own;
  }

  void describe(const Course &course, const Access &access,
                TreeReduction &into) const {
    into.steps = course.size();
    into.object = nameOf(access);
    into.firstThreads = count(course.front());
    into.lastThreads = count(course.back());
    // In the last step, the first lanes of short rows are as far apart.
    into.isInterleaved = llvm::any_of(
        llvm::ArrayRef(course).drop_back(), [](const Threads &threads) {
          return llvm::any_of(threads, [](uint32_t lanes) {
            return (lanes & (lanes - 1)) != 0 && !hasNeighbours(lanes);
          });
        });
  }

  /// Where code stands, calls first: what comes earlier is less, since the
  /// first places that differ are in one function.
  template <class Code>
  static std::vector<std::pair<unsigned, unsigned>> pathOf(const Code &code) {
    std::vector<std::pair<unsigned, unsigned>> path;
    for (const Place &call : code.callSites)
      path.push_back({call.line, call.column});
    path.push_back({code.place.line, code.place.column});
    return path;
  }

  /// A step of a tree that is unrolled by hand: `if (t < 64) s[t] += s[t +
  /// 64]`.
  struct Step {
    unsigned store = 0;
    Threads threads;
  };

  /// The stores to shared memory of what their thread loads from another
  /// element of the array, in the order of the source.
  std::vector<unsigned> combiningStores() const {
    std::vector<unsigned> stores;
    for (unsigned i = 0; i < kernel_.accesses.size(); ++i) {
      const Access &store = kernel_.accesses[i];
      if (store.operation == Operation::Store && store.space == Space::Shared &&
          !store.inLibrary && !store.noUserCode && !elementsBeside(i).empty())
        stores.push_back(i);
    }
    llvm::stable_sort(stores, [&](unsigned a, unsigned b) {
      return pathOf(kernel_.accesses[a]) < pathOf(kernel_.accesses[b]);
    });
    return stores;
  }

  /// The other elements of its array that a store's value comes from, or that
  /// its thread has loaded under the same condition, such as for a `max`.
  std::vector<unsigned> elementsBeside(unsigned store) const {
    const Access &to = kernel_.accesses[store];
    std::vector<unsigned> loads;
    for (unsigned i = 0; i < store; ++i) {
      const Access &from = kernel_.accesses[i];
      if (from.operation == Operation::Load && from.space == Space::Shared &&
          from.loops == to.loops && from.address != to.address &&
          (from.guard == to.guard || llvm::is_contained(to.storedLoads, i)) &&
          areInOneArray(from, to))
        loads.push_back(i);
    }
    return loads;
  }

  /// All of a macro's expansion stands at one place: each expansion of a step
  /// has its own barrier.
  bool hasBarrierBetween(const Access &a, const Access &b) const {
    return llvm::any_of(kernel_.barriers, [&](const Barrier &barrier) {
      return isBetween(barrier, a, b);
    });
  }

  static bool isBetween(const Barrier &barrier, const Access &a,
                        const Access &b) {
    const auto path = pathOf(barrier);
    return barrier.loops == a.loops && pathOf(a) <= path && path <= pathOf(b);
  }

  void readLadders(std::vector<TreeReduction> &found) {
    const Iterations first;
    std::vector<Step> steps;
    for (unsigned store : combiningStores()) {
      const Access &access = kernel_.accesses[store];
      Threads threads = lanes_.may(access.guard, first);
      // A step of larger blocks.
      if (!count(threads))
        continue;
      if (!steps.empty()) {
        const Access &before = kernel_.accesses[steps.back().store];
        const bool isApart = hasBarrierBetween(before, access);
        // Another member, or an index that goes with the value.
        if (!isApart && threads == steps.back().threads)
          continue;
        if (!isApart || access.loops != before.loops ||
            !areInOneArray(access, before) ||
            !isHalf(steps.back().threads, threads)) {
          addLadder(steps, found);
          steps.clear();
        }
      }
      steps.push_back({store, std::move(threads)});
    }
    addLadder(steps, found);
  }

  void addLadder(llvm::ArrayRef<Step> steps,
                 std::vector<TreeReduction> &found) const {
    Course course;
    for (const Step &step : steps)
      course.push_back(step.threads);
    if (!isHalving(course) || isSpreadAgain(steps))
      return;
    const Access &store = kernel_.accesses[steps.front().store],
                 &last = kernel_.accesses[steps.back().store];
    TreeReduction result;
    describe(course, store, result);
    result.isRepeated = !store.loops.empty();
    for (unsigned i = 0; i < kernel_.barriers.size(); ++i)
      if (isBetween(kernel_.barriers[i], store, last))
        result.barriers.push_back(i);
    for (const Step &step : steps) {
      result.accesses.push_back(step.store);
      llvm::append_range(result.accesses, elementsBeside(step.store));
    }
    found.push_back(std::move(result));
  }

  /// Returns true if a step behind the last one has more threads again: a scan
  /// goes down the tree.
  bool isSpreadAgain(llvm::ArrayRef<Step> steps) const {
    const Access &last = kernel_.accesses[steps.back().store];
    return llvm::any_of(combiningStores(), [&](unsigned i) {
      const Access &store = kernel_.accesses[i];
      return store.loops == last.loops && pathOf(last) < pathOf(store) &&
             areInOneArray(store, last);
    });
  }

  Course courseOf(ValueId guard, LoopId loop) {
    Course course;
    Iterations iterations;
    for (unsigned i = 0; i < iterationsFollowed; ++i) {
      iterations[loop] = i;
      Threads threads = lanes_.may(guard, iterations);
      if (!count(threads))
        return course;
      course.push_back(std::move(threads));
    }
    return {};
  }

  static bool hasNeighbours(uint32_t lanes) {
    return (lanes & (lanes >> 1)) != 0;
  }

  /// Returns true if one thread is left, or two whose results another one adds,
  /// or one of each of several rows, and no row is longer than a warp: lanes
  /// reduce it by shuffles.
  static bool isReduced(const Course &course) {
    const unsigned left = count(course.back());
    return left <= 2 || (llvm::none_of(course.back(), hasNeighbours) &&
                         count(course.front()) / left <= warpSize);
  }

  /// Returns true if each step has about half of the threads of the one
  /// before, and one or two in the end. In the first step, all of them may
  /// work, if there are two elements for each.
  static bool isHalving(const Course &course) {
    if (course.size() < fewestSteps || !isReduced(course))
      return false;
    for (size_t i = 1; i < course.size(); ++i)
      if (!isHalf(course[i - 1], course[i]))
        return false;
    return true;
  }

  static bool isHalf(const Threads &of, const Threads &threads) {
    const unsigned before = count(of), now = count(threads);
    return 2 * now <= before + 1 && 3 * now >= before;
  }

  /// The loads of other elements of the array than the one that the store's
  /// thread stores.
  std::vector<unsigned> otherElements(unsigned store) const {
    const Access &to = kernel_.accesses[store];
    std::vector<unsigned> loads;
    for (unsigned i = 0; i < kernel_.accesses.size(); ++i) {
      const Access &from = kernel_.accesses[i];
      if (from.operation == Operation::Load && from.space == Space::Shared &&
          from.loops == to.loops && areInOneArray(from, to) &&
          from.address != to.address)
        loads.push_back(i);
    }
    return loads;
  }

  bool areInOneArray(const Access &a, const Access &b) const {
    return areInOneObject(kernel_.graph, a.address, b.address);
  }

  /// Returns true if the threads that access the array double in each iteration
  /// of another loop: a scan goes up the tree and down again.
  bool isSpreadAgain(unsigned ofTree, LoopId tree) {
    const Access &access = kernel_.accesses[ofTree];
    std::set<std::pair<ValueId, LoopId>> seen;
    return llvm::any_of(kernel_.accesses, [&](const Access &other) {
      if (other.space != Space::Shared ||
          llvm::is_contained(other.loops, tree) ||
          !areInOneArray(access, other))
        return false;
      return llvm::any_of(other.loops, [&](LoopId loop) {
        return seen.insert({other.guard, loop}).second &&
               isDoubling(other, loop);
      });
    });
  }

  /// Returns true if the block reads more of the array behind the tree than its
  /// results, and has not stored other values before: what each step leaves
  /// behind is needed, as for a scan.
  bool readsPartialSums(const TreeReduction &tree) const {
    const Access &first = kernel_.accesses[tree.accesses.front()];
    auto last = pathOf(first);
    uint64_t stores = 0;
    for (unsigned i : tree.accesses) {
      const Access &access = kernel_.accesses[i];
      last = std::max(last, pathOf(access));
      if (access.operation == Operation::Store)
        stores += timesInStep(access, tree);
    }
    std::vector<const Access *> behind;
    for (const Access &access : kernel_.accesses)
      if (access.space == Space::Shared && access.bytes &&
          areInOneArray(access, first) && last < pathOf(access) &&
          (!tree.loop || !llvm::is_contained(access.loops, *tree.loop)))
        behind.push_back(&access);
    llvm::stable_sort(behind, [](const Access *a, const Access *b) {
      return pathOf(*a) < pathOf(*b);
    });
    const uint64_t results =
        std::max<uint64_t>(2, tree.lastThreads * stores);
    const auto more = llvm::find_if(behind, [&](const Access *access) {
      return elementsOf(*access) > results;
    });
    return more != behind.end() && (*more)->operation == Operation::Load;
  }

  /// How often a thread executes an access in one step, such as once for each
  /// component of its element; very often where that is not known.
  uint64_t timesInStep(const Access &access, const TreeReduction &tree) const {
    constexpr uint64_t veryOften = 1 << 16;
    uint64_t times = 1;
    if (tree.loop)
      for (LoopId loop : llvm::reverse(access.loops)) {
        if (loop == *tree.loop)
          break;
        times *= kernel_.loops[loop].tripCount.value_or(veryOften);
      }
    return std::min(times, veryOften);
  }

  /// The elements that the threads of the block access in the first iterations
  /// of all loops, as far as their indexes are known.
  size_t elementsOf(const Access &access) const {
    Evaluation evaluation(kernel_, shape_.launches);
    std::set<uint64_t> elements;
    const uint64_t warps = shape_.shape.warps();
    const Iterations first;
    for (unsigned index = 0; index < std::min<uint64_t>(warps, 32); ++index) {
      Warp warp(evaluation, shape_.shape, index, /*block=*/0, /*trial=*/0);
      const uint32_t active = warp.may(access.guard, first) & warp.lanes();
      const LaneValues &address = warp.evaluate(access.address, first);
      for (unsigned lane = 0; lane < warpSize; ++lane)
        if (active & ~address.unknown & 1u << lane)
          elements.insert(address.value[lane]);
    }
    return elements.size();
  }

  /// The first steps show it; the last one may depend on the way up.
  bool isDoubling(const Access &access, LoopId loop) {
    Iterations iterations;
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
  const KernelShape &shape_;
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
