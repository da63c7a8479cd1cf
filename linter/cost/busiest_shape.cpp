#include "cost/busiest_shape.h"
#include "cost/kernel_time.h"
#include "os/deadline.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace warplint {

namespace {

/// Where code stands in a kernel.
struct Code {
  llvm::ArrayRef<LoopId> loops;
  ValueId guard;
};

Code codeOf(const Access &access) { return {access.loops, access.guard}; }

struct Executions {
  double all = 0;    ///< by the warps of the launch
  double blocks = 0; ///< that may execute it
};

Executions executions(const CostedKernel &costed, const ShapeCosts &shape,
                      const Code &code) {
  const KernelTime &time = timeOf(costed, shape);
  Frequencies &frequencies = time.frequencies();
  const WarpsOnSms warps(frequencies.warps(), frequencies.warpsPerBlock(),
                         time.machine());
  const Frequency frequency = frequencies.of(code.loops, code.guard);
  return {warps.all() * frequency.perWarp, warps.blocks() * frequency.blocks};
}

const ShapeCosts &withFirst(const ShapeCosts &shape, size_t launch) {
  std::shared_ptr<const ShapeCosts> &known = shape.ofLaunch[launch];
  if (!known) {
    KernelShape own = shape.shape;
    std::rotate(own.launches.begin(), own.launches.begin() + launch,
                own.launches.begin() + launch + 1);
    if (own.launches.front().place.line)
      own.place = own.launches.front().place;
    known =
        std::make_shared<ShapeCosts>(ShapeCosts{std::move(own), shape.costs});
  }
  return *known;
}

/// Each launch that is tried is priced: a few are enough for the modes of a
/// kernel.
constexpr size_t mostLaunches = 8;

/// What a launch gives no block to is priced as one block's work.
const ShapeCosts &executingLaunch(const CostedKernel &costed,
                                  const ShapeCosts &shape, const Code &code) {
  const size_t launches = std::min(mostLaunches, shape.shape.launches.size());
  if (launches < 2)
    return shape;
  const Executions first = executions(costed, shape, code);
  if (first.blocks > 1)
    return shape;
  for (size_t i = 1; i < launches && !isOverdue(); ++i)
    if (const ShapeCosts &other = withFirst(shape, i);
        executions(costed, other, code).all > first.all)
      return other;
  return shape;
}

const ShapeCosts &busiestShape(const CostedKernel &costed, const Code &code) {
  const ShapeCosts *busiest = nullptr;
  double most = 0;
  for (const ShapeCosts &each : costed.shapes) {
    const ShapeCosts &shape = executingLaunch(costed, each, code);
    if (costed.shapes.size() == 1)
      return shape;
    const double here = executions(costed, shape, code).all;
    if (!busiest || here > most) {
      busiest = &shape;
      most = here;
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
      never,
      executions(costed, executingLaunch(costed, shape, code), code).all);
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
