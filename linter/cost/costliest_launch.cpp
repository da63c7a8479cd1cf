#include "cost/costliest_launch.h"
#include "cost/frequency.h"
#include "cost/request_sums.h"
#include "cost/warp.h"
#include "cost/warps_on_sms.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <set>

namespace warplint {

namespace {

/// By access, what its first request costs in a launch; 0 if it is unknown.
std::vector<double> costsOfRequests(const Kernel &kernel, Shape shape,
                                    const Launched &launch) {
  const Iterations first;
  Evaluation evaluation(kernel, launch);
  Warp warp(evaluation, shape, 0, 0, 0);
  std::vector<double> costs;
  for (const Access &access : kernel.accesses) {
    const LaneValues &address = warp.evaluate(access.address, first);
    double &cost = costs.emplace_back();
    if (!access.bytes || (address.unknown & warp.lanes()))
      continue;
    const LaneAddresses addresses = address.value.toArray();
    cost = figureOf(access.space, addresses, warp.lanes(), access.bytes);
    // Atomics on one address wait for each other.
    if (access.operation == Operation::Atomic)
      cost += warpSize -
              std::set<uint64_t>(addresses.begin(), addresses.end()).size();
  }
  return costs;
}

/// By access, the requests of all warps of a launch whose grid is known.
std::vector<double> requestsOf(const Kernel &kernel, Shape shape,
                               const Launched &launch) {
  KernelShape alone{shape, ShapeSource::Launch, launch.place, {launch}};
  alone.grids = {*launch.blocks()};
  Frequencies frequencies(kernel, alone);
  std::vector<double> requests;
  for (const Access &access : kernel.accesses)
    requests.push_back(frequencies.of(access.loops, access.guard).perWarp *
                       frequencies.warps().value_or(1));
  return requests;
}

double total(llvm::ArrayRef<double> costs, llvm::ArrayRef<double> requests) {
  return std::inner_product(costs.begin(), costs.end(), requests.begin(), 0.0);
}

struct ShapedLaunch {
  Shape shape;
  const Launched *launch;
};

/// What the requests of each launch cost. One whose grid is unknown is taken to
/// make as many as the costliest of the others; if that has fewer warps than an
/// SM holds, as a test has, one by each of the usual number of warps at least.
std::vector<double> figuresOf(const Kernel &kernel,
                              llvm::ArrayRef<ShapedLaunch> launches) {
  std::vector<std::vector<double>> costs;
  std::vector<double> figures, largest(kernel.accesses.size(), 1);
  double most = 0, warps = 0; // of the costliest launch
  for (const auto &[shape, launch] : launches) {
    costs.push_back(costsOfRequests(kernel, shape, *launch));
    figures.push_back(0);
    if (!launch->blocks())
      continue;
    std::vector<double> requests = requestsOf(kernel, shape, *launch);
    figures.back() = total(costs.back(), requests);
    if (figures.back() > most) {
      most = figures.back();
      warps = double(*launch->blocks()) * shape.warps();
      largest = std::move(requests);
    }
  }
  const Throughput &machine = throughputOf(usualCapability);
  if (most && warps < machine.warps)
    for (double &requests : largest)
      requests = std::max(requests, WarpsOnSms(std::nullopt, 1, machine).all());
  for (size_t i = 0; i < launches.size(); ++i)
    if (!launches[i].launch->blocks())
      figures[i] = total(costs[i], largest);
  return figures;
}

/// The largest figure first; those of the same stay in order.
template <typename T>
void sortByFigure(std::vector<T> &values, llvm::ArrayRef<double> figures) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(
      order, [&](size_t a, size_t b) { return figures[a] > figures[b]; });
  std::vector<T> sorted;
  for (size_t i : order)
    sorted.push_back(std::move(values[i]));
  values = std::move(sorted);
}

} // namespace

void costliestFirst(const Kernel &kernel, std::vector<KernelShape> &shapes) {
  std::vector<ShapedLaunch> all;
  bool isAnyKnown = false;
  for (const KernelShape &shape : shapes)
    for (const Launched &launch : shape.launches) {
      all.push_back({shape.shape, &launch});
      isAnyKnown |= launch.blocks().has_value();
    }
  if (all.size() < 2)
    return;
  const std::vector<double> figures = figuresOf(kernel, all);
  llvm::ArrayRef<double> left = figures;
  std::vector<double> most;
  for (KernelShape &shape : shapes) {
    const llvm::ArrayRef<double> own = left.take_front(shape.launches.size());
    left = left.drop_front(own.size());
    most.push_back(own.empty() ? 0 : *llvm::max_element(own));
    sortByFigure(shape.launches, own);
  }
  // Where no grid is known, nothing says which of the blocks are many.
  if (isAnyKnown)
    sortByFigure(shapes, most);
}

} // namespace warplint
