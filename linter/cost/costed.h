// A kernel with the costs of its accesses, computed once for all checks.
#pragma once
#include "cost/lanes.h"
#include "cost/threshold.h"
#include "cost/throughput.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <memory>
#include <set>

namespace warplint {

class KernelTime;
class LaunchesAlone;
class Paddings;
class SharedSectors;
class StepReader;
class Swizzles;
struct Contention;
enum class Needs;

struct ShapeCosts {
  KernelShape shape;
  std::vector<Cost> costs; ///< by access
  /// Made by cost/neighbours when first asked; `costs` does not change then.
  mutable std::shared_ptr<const SharedSectors> shared = nullptr;
  /// Made by cost/kernel_time when first asked.
  mutable std::shared_ptr<const KernelTime> time = nullptr;
  /// Made by cost/index_steps when first asked.
  mutable std::shared_ptr<StepReader> steps = nullptr;
  /// Made by cost/padding when first asked.
  mutable std::shared_ptr<Paddings> paddings = nullptr;
  /// Made by cost/swizzle when first asked.
  mutable std::shared_ptr<Swizzles> swizzles = nullptr;
  /// By loop; those that cost/iteration_needs was asked for.
  mutable std::map<LoopId, Needs> needs = {};
  /// By access; those that cost/contention was asked for.
  mutable std::map<unsigned, std::shared_ptr<const Contention>> contentions =
      {};
  /// Made by cost/busiest_shape when first asked.
  mutable std::shared_ptr<LaunchesAlone> alone = nullptr;
};

struct CostedKernel {
  const Kernel &kernel;
  std::vector<ShapeCosts> shapes;
  Tuning tuning = {};                    ///< for the kernel's source
  unsigned capability = usualCapability; ///< that its time is computed for
  /// Arrays that the other layout serves better, by the first place that writes
  /// theirs; set by cost/array_layout.
  std::set<Place> betterInOtherLayout = {};
  /// Threads of the largest whole-warp block that the source launches an
  /// instance of the kernel's template with; set by cost/template_blocks.
  uint64_t largestOfTemplate = 0;

  unsigned valueOf(const Threshold &threshold) const {
    return warplint::valueOf(threshold, tuning);
  }
};

CostedKernel costed(const Kernel &kernel, const Tuning &tuning = {},
                    unsigned capability = usualCapability);

/// The shape with the greatest `loss`; null if no loss is above 0.
const ShapeCosts *
worstShape(const CostedKernel &costed,
           llvm::function_ref<double(const ShapeCosts &)> loss);

} // namespace warplint
