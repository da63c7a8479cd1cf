#include "cost/busiest_shape.h"
#include "cost/kernel_time.h"
#include "cost/launch_size.h"
#include "cost/shut_out.h"
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

/// Code that one of the launches of a shape keeps all its threads from.
class ShutOutAlone {
public:
  ShutOutAlone(const Kernel &kernel, const KernelShape &shape, size_t launch)
      : evaluation_(kernel, shape.launches[launch]), block_{shape.shape,
                                                            shape.source,
                                                            {}},
        shutOut_(evaluation_, block_) {}
  ShutOutAlone(const ShutOutAlone &) = delete;
  bool operator()(const Code &code) {
    return shutOut_.isShutOut(code.loops, code.guard);
  }

private:
  Evaluation evaluation_;
  KernelShape block_; ///< without launches: no other one counts
  ShutOut shutOut_;
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
  bool isShutOut(const Code &code) {
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

  /// See the header.
  std::pair<const ShapeCosts *, double>
  worst(const Code &code, llvm::function_ref<double(const ShapeCosts &)> loss) {
    std::pair<const ShapeCosts *, double> worst = {nullptr, 0};
    auto add = [&](const ShapeCosts &alone, double executions) {
      const double lost = executions ? loss(alone) * executions : 0;
      if (lost > worst.second)
        worst = {&alone, lost};
    };
    if (launches().size() < 2)
      add(shape_, all().of(code));
    else
      for (size_t i = 0; i < launches().size() && i < few && !isOverdue(); ++i)
        if (!isShutOut(i, code))
          add(costsOf(i), aloneIn(i).of(code));
    return worst;
  }

private:
  /// Enough for the modes of a kernel.
  static constexpr size_t few = 16;

  const std::vector<Launched> &launches() const {
    return shape_.shape.launches;
  }

  /// If the costliest launch is shut out from code, a few others that are not;
  /// else none.
  const std::vector<size_t> &othersUnder(const Code &code) {
    auto [known, isNew] = others_.try_emplace({code.guard, code.loops.vec()});
    if (!isNew || launches().size() < 2 || !isShutOut(0, code))
      return known->second;
    for (size_t i = 1; i < launches().size() && !isOverdue(); ++i)
      if (known->second.size() < few && !isShutOut(i, code))
        known->second.push_back(i);
    return known->second;
  }

  bool isShutOut(size_t launch, const Code &code) {
    std::unique_ptr<ShutOutAlone> &known = shutOut_[launch];
    if (!known)
      known = std::make_unique<ShutOutAlone>(kernel_, shape_.shape, launch);
    return (*known)(code);
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
  std::map<size_t, std::unique_ptr<ShutOutAlone>> shutOut_; ///< by launch
  std::map<size_t, std::unique_ptr<Executions>> alone_;     ///< by launch
  std::map<size_t, std::unique_ptr<ShapeCosts>> costs_;     ///< by launch
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
  bool isBusiestSure = false, isTaken = false;
  for (const ShapeCosts &each : costed.shapes) {
    const ShapeCosts &shape = executingLaunch(costed, each, code);
    if (costed.shapes.size() == 1)
      return shape;
    // A block that is assumed has the code that no launch of a known one
    // executes.
    if (isTaken && shape.shape.source == ShapeSource::Assumed)
      continue;
    LaunchesAlone &launches = aloneOf(costed, shape);
    const double here = launches.all().of(code);
    // The trip counts of a launch of unknown grid are assumed: it takes no code
    // from a launch that gives its own.
    const bool isSure = launches.all().isGridKnown();
    if (!busiest || (here > most && (isSure || !isBusiestSure))) {
      busiest = &shape;
      most = here;
      const bool isExecuted = here > 0 && !launches.isShutOut(code);
      isBusiestSure = isSure && isExecuted;
      // One thread is the case of a single element.
      isTaken = isExecuted && shape.shape.source != ShapeSource::Assumed &&
                shape.shape.shape.threads() > 1;
    }
  }
  return *busiest;
}

} // namespace

double executionsIn(const CostedKernel &costed, const ShapeCosts &shape,
                    const Access &access) {
  if (costed.shapes.size() == 1)
    return 1;
  const Code code = codeOf(access);
  return std::max(
      neverExecuted,
      executions(costed, executingLaunch(costed, shape, code), code));
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

std::vector<const ShapeCosts *>
busiestShapes(const CostedKernel &costed, llvm::ArrayRef<unsigned> accesses) {
  std::vector<const ShapeCosts *> shapes;
  for (unsigned i : accesses) {
    const ShapeCosts *shape = &busiestShape(costed, costed.kernel.accesses[i]);
    if (!llvm::is_contained(shapes, shape))
      shapes.push_back(shape);
  }
  if (shapes.empty())
    shapes.push_back(&costed.shapes.front());
  return shapes;
}

const ShapeCosts *
worstLaunch(const CostedKernel &costed, const Access &access,
            llvm::function_ref<double(const ShapeCosts &)> loss) {
  std::pair<const ShapeCosts *, double> worst = {nullptr, 0};
  for (const ShapeCosts &shape : costed.shapes)
    if (const auto here = aloneOf(costed, shape).worst(codeOf(access), loss);
        here.second > worst.second)
      worst = here;
  return worst.first;
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
