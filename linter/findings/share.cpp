#include "findings/share.h"
#include "base/listed.h"
#include "cost/busiest_shape.h"
#include "cost/compile_time.h"
#include "cost/launch_size.h"
#include "cost/unrolling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

namespace warplint {

namespace {

/// The launch that the figures are of; nothing where there is only one.
std::string launchOf(const CostedKernel &costed, const ShapeCosts &shape) {
  if (shape.shape.launches.empty())
    return {};
  const Launched &launch = shape.shape.launches.front();
  const auto same = llvm::find_if(costed.shapes, [&](const ShapeCosts &each) {
    return each.shape.shape == shape.shape.shape;
  });
  const std::vector<Launched> &launches =
      same == costed.shapes.end() ? shape.shape.launches
                                  : same->shape.launches;
  if (launches.size() < 2 && costed.shapes.size() < 2)
    return {};
  const Place &place = launch.place;
  if (!place.line)
    return {};
  std::string text = llvm::formatv(
      "{0}:{1}", llvm::sys::path::filename(place.file), place.line);
  // A few sizes tell it from others at that place.
  constexpr size_t few = 3;
  std::vector<std::string> own =
      ownArguments(costed.kernel, launch, launches);
  if (own.size() > few)
    own.resize(few);
  return own.empty() ? text : text + " with " + llvm::join(own, ", ");
}

/// Says what the share is of, and notes the launch that it is of.
void setCost(Finding &finding, const CostedKernel &costed,
             const ShapeCosts &shape, std::string boundBy) {
  finding.launch = launchOf(costed, shape);
  finding.cost = std::move(boundBy);
  if (!finding.launch.empty())
    finding.cost += ", in the launch at " + finding.launch;
}

/// What the kernel does beyond the time that a share is of; nothing where all
/// of it is known.
std::string notCounted(const Kernel &kernel) {
  const std::set<std::string> all(kernel.notFollowed.begin(),
                                  kernel.notFollowed.end());
  if (all.empty())
    return {};
  // The report lists the others.
  return "; not counted: " +
         listed({kernel.notFollowed.front()}, all.size() - 1);
}

/// Names the machine where it is not the usual one.
void set(Finding &finding, const CostedKernel &costed, const ShapeCosts &shape,
         double share, const Demand &added = {}) {
  const KernelTime &time = timeOf(costed, shape);
  finding.share = share;
  std::string assumed;
  for (const std::string &bound : time.frequencies().assumedBounds()) {
    if (assumed.size() > 40)
      break; // a few names show the reader which sizes matter
    assumed += (assumed.empty() ? "" : ", ") + ("'" + bound + "'");
  }
  std::string boundBy = std::string("bound by ") + spelling(time.bound(added));
  if (const unsigned machine = time.machine().capability;
      machine != usualCapability)
    boundBy += " on sm_" + std::to_string(machine);
  setCost(finding, costed, shape, std::move(boundBy));
  if (!assumed.empty())
    finding.cost += "; taken to be large: " + assumed;
  finding.cost += notCounted(costed.kernel);
}

/// The access nearest to a line of the source; null if none is in its file.
const Access *nearestTo(const LocalInstruction &local, const Kernel &kernel) {
  const Access *nearest = nullptr;
  unsigned least = ~0u;
  for (const Access &access : kernel.accesses) {
    if (llvm::sys::path::filename(access.place.file) !=
        llvm::sys::path::filename(local.file))
      continue;
    const unsigned line = access.place.line;
    const unsigned distance =
        line > local.line ? line - local.line : local.line - line;
    if (distance < least) {
      least = distance;
      nearest = &access;
    }
  }
  return nearest;
}

/// The loops around an access that are loops in the compiled code as well.
std::vector<LoopId> loopsLeft(const Access &access, const Kernel &kernel) {
  std::vector<LoopId> loops = access.loops; // outermost first
  while (!loops.empty() && isUnrolled(kernel, loops.back()))
    loops.pop_back();
  return loops;
}

} // namespace

void setShare(Finding &finding, const CostedKernel &costed,
              const ShapeCosts &shape, const Demand &saved,
              const Demand &instead) {
  const Saving saving = timeOf(costed, shape).saving(saved, instead);
  set(finding, costed, shape, saving.share());
  finding.kernels.front().saving = saving;
}

void setShareOfAdded(Finding &finding, const CostedKernel &costed,
                     const ShapeCosts &shape, const Demand &added) {
  set(finding, costed, shape, timeOf(costed, shape).shareOfAdded(added), added);
}

const ShapeCosts &
dearest(llvm::ArrayRef<const ShapeCosts *> shapes,
        llvm::function_ref<double(const ShapeCosts &)> share) {
  const ShapeCosts *dearest = shapes.front();
  if (shapes.size() == 1)
    return *dearest;
  double most = -1;
  for (const ShapeCosts *shape : shapes)
    if (const double here = share(*shape); here > most) {
      dearest = shape;
      most = here;
    }
  return *dearest;
}

void setShareOfLocals(Finding &finding, const CostedKernel &costed,
                      llvm::ArrayRef<LocalInstruction> locals, unsigned frame) {
  std::vector<unsigned> near;
  for (const LocalInstruction &local : locals)
    if (const Access *access = nearestTo(local, costed.kernel))
      near.push_back(access - costed.kernel.accesses.data());
  llvm::sort(near);
  near.erase(llvm::unique(near), near.end());
  const ShapeCosts &shape =
      dearest(busiestShapes(costed, near), [&](const ShapeCosts &each) {
        return timeOf(costed, each)
            .shareOfAdded(demandOf(locals, frame, costed, each));
      });
  setShareOfAdded(finding, costed, shape,
                  demandOf(locals, frame, costed, shape));
}

void setShareOfWarps(Finding &finding, const CostedKernel &costed,
                     const ShapeCosts &shape, double now, double then) {
  set(finding, costed, shape, timeOf(costed, shape).shareOfWarps(now, then));
}

void raiseShareByStarts(Finding &finding, const CostedKernel &costed,
                        const ShapeCosts &shape, double together) {
  const double share = timeOf(costed, shape).shareOfStarts(together);
  if (share <= finding.share.value_or(0))
    return;
  finding.share = share;
  if (timeOf(costed, shape).isBoundByStarts())
    setCost(finding, costed, shape, "bound by the start of its blocks");
}

Demand savedByCoalescing(const KernelTime &time,
                         llvm::ArrayRef<unsigned> accesses,
                         double sectorFactor) {
  Demand saved;
  for (unsigned i : accesses) {
    Demand one = time.of(i);
    one -= time.coalesced(i, sectorFactor);
    saved += one;
  }
  return saved;
}

Demand savedByWavefronts(const KernelTime &time, unsigned access,
                         double wavefronts) {
  Demand saved = time.of(access);
  saved -= time.withWavefronts(access, wavefronts);
  return saved;
}

Demand savedOfArray(const CostedKernel &costed, const ShapeCosts &shape,
                    unsigned array, bool isForShared) {
  const KernelTime &time = timeOf(costed, shape);
  const bool isTable = isConstantTable(costed.kernel, array);
  Demand saved;
  for (unsigned i = 0; i < costed.kernel.accesses.size(); ++i) {
    const Access &access = costed.kernel.accesses[i];
    if (access.array != array)
      continue;
    Demand one = time.of(i);
    if (isForShared && !isTable) {
      Demand left = one.waits();
      left.wavefronts =
          std::max(1u, access.bytes / wordBytes) *
          time.frequencies().of(access.loops, access.guard).perWarp;
      one -= left;
    }
    saved += one;
    if (isTable && access.operation == Operation::Store)
      saved += time.ofInstructions(1, access);
  }
  if (fitsRegisters(costed.kernel.arrays[array]))
    saved += savedByKnownBounds(costed.kernel, time, array);
  return saved;
}

Demand comparisonsOfArray(const CostedKernel &costed, const ShapeCosts &shape,
                          unsigned array) {
  const Kernel &kernel = costed.kernel;
  const KernelTime &time = timeOf(costed, shape);
  Demand comparisons;
  constexpr double ofElement = 2;
  for (const Access &access : kernel.accesses) {
    if (access.array != array || !access.bytes)
      continue;
    const auto why = whyNotKnown(kernel, access.address);
    if (!why)
      continue;
    const double others =
        double(kernel.arrays[array].bytes) / access.bytes - 1;
    comparisons += time.ofInstructions(
        why->loop ? ofElement : ofElement * others, access);
  }
  return comparisons;
}

bool anyRepeats(llvm::ArrayRef<LocalInstruction> locals,
                const CostedKernel &costed) {
  const Kernel &kernel = costed.kernel;
  return llvm::any_of(locals, [&](const LocalInstruction &local) {
    const Access *near = nearestTo(local, kernel);
    return near && !near->loops.empty() &&
           busiestShape(costed, *near)
                   .costs[near - kernel.accesses.data()]
                   .lanes != 1;
  });
}

Demand demandOf(llvm::ArrayRef<LocalInstruction> locals, unsigned frame,
                const CostedKernel &costed, const ShapeCosts &shape) {
  const KernelTime &time = timeOf(costed, shape);
  const Kernel &kernel = costed.kernel;
  Demand demand;
  for (const LocalInstruction &local : locals) {
    const LocalTraffic one{local.isStore, local.bytes, frame};
    if (const Access *near = nearestTo(local, kernel))
      demand += time.local(one, loopsLeft(*near, kernel), near->guard);
    else if (!kernel.arithmetic.empty()) // as often as the kernel's first block
      demand += time.local(one, {}, kernel.arithmetic.front().guard);
  }
  return demand;
}

} // namespace warplint
