#include "cost/busiest_shape.h"
#include "cost/conditions.h"
#include "cost/kernel_time.h"
#include "cost/launch_size.h"
#include "cost/warp.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <memory>

namespace warplint {

namespace {

/// Where code stands in a kernel.
struct Code {
  llvm::ArrayRef<LoopId> loops;
  ValueId guard;
};

Code codeOf(const Access &access) { return {access.loops, access.guard}; }

/// Returns true if a condition is the same for all threads of a launch, and in
/// each iteration.
bool isOfLaunch(const ExpressionGraph &graph, ValueId condition) {
  using Walk = ExpressionGraph::Walk;
  return graph.walk(condition, [&](ValueId id) {
    switch (graph.node(id).op) {
    case Op::ThreadIndex:
    case Op::BlockIndex:
    case Op::Lane:
    case Op::Carried:
    case Op::Loaded:
    case Op::Forwarded:
    case Op::Varying:
      return Walk::Stop;
    default:
      return Walk::Into;
    }
  });
}

/// Returns true if what a launch passes says that no thread of it gets to code.
bool isShutOut(const Kernel &kernel, Shape shape, const Launched &launch,
               const Code &code) {
  std::vector<ValueId> conditions;
  addConditions(kernel.graph, code.guard, conditions);
  for (LoopId loop : code.loops)
    addConditions(kernel.graph, kernel.loops[loop].enters, conditions);
  llvm::erase_if(conditions, [&](ValueId condition) {
    return !isOfLaunch(kernel.graph, condition);
  });
  if (conditions.empty())
    return false;
  Evaluation evaluation(kernel, launch);
  Warp warp(evaluation, shape, 0, 0, 0);
  warp.doubt();
  const Iterations first;
  return llvm::any_of(conditions, [&](ValueId condition) {
    return !warp.may(condition, first);
  });
}

/// How often the warps of some launches execute code: those of the usual number
/// of warps where the grid is unknown.
class Executions {
public:
  Executions(const Kernel &kernel, KernelShape shape, unsigned capability)
      : shape_(std::move(shape)), frequencies_(kernel, shape_),
        warps_(frequencies_.warps(), frequencies_.warpsPerBlock(),
               throughputOf(capability)) {
    frequencies_.release();
  }
  bool isGridKnown() const { return warps_.isGridKnown(); }
  double of(const Code &code) {
    return warps_.all() * frequencies_.of(code.loops, code.guard).perWarp;
  }

private:
  KernelShape shape_;
  Frequencies frequencies_;
  WarpsOnSms warps_;
};

} // namespace

/// The launches of a shape one by one, as far as they are asked for.
class LaunchesAlone {
public:
  LaunchesAlone(const CostedKernel &costed, const ShapeCosts &shape)
      : kernel_(costed.kernel), shape_(shape), capability_(costed.capability) {}

  /// Of all launches together.
  Executions &all() {
    if (!all_)
      all_ = std::make_unique<Executions>(kernel_, shape_.shape, capability_);
    return *all_;
  }

  /// Returns true if the costliest launch keeps all threads from code.
  bool isShutOut(const Code &code) const {
    return !launches().empty() && isShutOut(0, code);
  }

  /// The shape, or the busiest launch alone where the costliest one is shut
  /// out.
  const ShapeCosts &executing(const Code &code) {
    const std::vector<size_t> &others = othersUnder(code);
    std::optional<size_t> busiest;
    double most = 0;
    for (size_t launch : others)
      if (const double here = aloneIn(launch).of(code); here > most) {
        busiest = launch;
        most = here;
      }
    return busiest ? costsOf(*busiest) : shape_;
  }

private:
  const std::vector<Launched> &launches() const {
    return shape_.shape.launches;
  }

  /// If the costliest launch is shut out from code, the others that are not;
  /// else none. A few are enough for the modes of a kernel.
  const std::vector<size_t> &othersUnder(const Code &code) {
    auto [known, isNew] = others_.try_emplace({code.guard, code.loops.vec()});
    if (!isNew || launches().size() < 2 || !isShutOut(0, code))
      return known->second;
    constexpr size_t few = 16;
    for (size_t i = 1; i < launches().size() && !isOverdue(); ++i)
      if (known->second.size() < few && !isShutOut(i, code))
        known->second.push_back(i);
    return known->second;
  }

  bool isShutOut(size_t launch, const Code &code) const {
    return warplint::isShutOut(kernel_, shape_.shape.shape, launches()[launch],
                               code);
  }

  Executions &aloneIn(size_t launch) {
    std::unique_ptr<Executions> &known = alone_[launch];
    if (!known)
      known = std::make_unique<Executions>(
          kernel_, ofLaunch(shape_, launches()[launch]).shape, capability_);
    return *known;
  }

  const ShapeCosts &costsOf(size_t launch) {
    std::unique_ptr<ShapeCosts> &known = costs_[launch];
    if (!known) {
      known =
          std::make_unique<ShapeCosts>(ofLaunch(shape_, launches()[launch]));
      known->costs = costs(kernel_, known->shape);
    }
    return *known;
  }

  const Kernel &kernel_;
  const ShapeCosts &shape_;
  const unsigned capability_;
  std::unique_ptr<Executions> all_;
  /// By guard and loops.
  std::map<std::pair<ValueId, std::vector<LoopId>>, std::vector<size_t>>
      others_;
  std::map<size_t, std::unique_ptr<Executions>> alone_; ///< by launch
  std::map<size_t, std::unique_ptr<ShapeCosts>> costs_; ///< by launch
};

namespace {

LaunchesAlone &aloneOf(const CostedKernel &costed, const ShapeCosts &shape) {
  if (!shape.alone)
    shape.alone = std::make_shared<LaunchesAlone>(costed, shape);
  return *shape.alone;
}

const ShapeCosts &executingLaunch(const CostedKernel &costed,
                                  const ShapeCosts &shape, const Code &code) {
  return shape.shape.launches.size() < 2
             ? shape
             : aloneOf(costed, shape).executing(code);
}

double executions(const CostedKernel &costed, const ShapeCosts &shape,
                  const Code &code) {
  return aloneOf(costed, shape).all().of(code);
}

const ShapeCosts &busiestShape(const CostedKernel &costed, const Code &code) {
  const ShapeCosts *busiest = nullptr;
  double most = 0;
  bool isBusiestSure = false;
  for (const ShapeCosts &each : costed.shapes) {
    const ShapeCosts &shape = executingLaunch(costed, each, code);
    if (costed.shapes.size() == 1)
      return shape;
    LaunchesAlone &launches = aloneOf(costed, shape);
    const double here = launches.all().of(code);
    // The trip counts of a launch of unknown grid are assumed: it takes no code
    // from a launch that gives its own.
    const bool isSure = launches.all().isGridKnown();
    if (!busiest || (here > most && (isSure || !isBusiestSure))) {
      busiest = &shape;
      most = here;
      isBusiestSure = isSure && !launches.isShutOut(code);
    }
  }
  return *busiest;
}

} // namespace

double executionsIn(const CostedKernel &costed, const ShapeCosts &shape,
                    const Access &access) {
  if (costed.shapes.size() == 1)
    return 1;
  constexpr double never = 1e-9;
  const Code code = codeOf(access);
  return std::max(
      never, executions(costed, executingLaunch(costed, shape, code), code));
}

const ShapeCosts &executingLaunch(const CostedKernel &costed,
                                  const ShapeCosts &shape,
                                  const Access &access) {
  return executingLaunch(costed, shape, codeOf(access));
}

const ShapeCosts &busiestShape(const CostedKernel &costed,
                               const Access &access) {
  return busiestShape(costed, codeOf(access));
}

const ShapeCosts &busiestShape(const CostedKernel &costed,
                               const Computation &operation) {
  const Arithmetic &under = costed.kernel.arithmetic[operation.under];
  return busiestShape(costed, Code{under.loops, under.guard});
}

const ShapeCosts &busiestShape(const CostedKernel &costed, LoopId loop) {
  for (const Arithmetic &work : costed.kernel.arithmetic)
    if (!work.loops.empty() && work.loops.back() == loop)
      return busiestShape(costed, Code{work.loops, work.guard});
  return costed.shapes.front();
}

} // namespace warplint
