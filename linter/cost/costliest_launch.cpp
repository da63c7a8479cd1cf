#include "cost/costliest_launch.h"
#include "cost/frequency.h"
#include "cost/request_sums.h"
#include "cost/warp.h"
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
  const KernelShape alone{
      shape, ShapeSource::Launch, launch.place, {launch}, {},
      {},    {*launch.blocks()}};
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

} // namespace

std::vector<Launched> costliestFirst(const Kernel &kernel, Shape shape,
                                     std::vector<Launched> launches) {
  if (launches.size() < 2)
    return launches;
  std::vector<std::vector<double>> costs;
  std::vector<double> sums, largest(kernel.accesses.size(), 1);
  double most = 0;
  for (const Launched &launch : launches) {
    costs.push_back(costsOfRequests(kernel, shape, launch));
    sums.push_back(0);
    if (!launch.blocks())
      continue;
    std::vector<double> requests = requestsOf(kernel, shape, launch);
    sums.back() = total(costs.back(), requests);
    if (sums.back() > most) {
      most = sums.back();
      largest = std::move(requests);
    }
  }
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < launches.size(); ++i)
    order.push_back(
        {launches[i].blocks() ? sums[i] : total(costs[i], largest), i});
  llvm::stable_sort(
      order, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<Launched> sorted;
  for (const auto &[sum, i] : order)
    sorted.push_back(std::move(launches[i]));
  return sorted;
}

} // namespace warplint
