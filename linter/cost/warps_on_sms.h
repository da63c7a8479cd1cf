// How the warps of a launch are spread over the multiprocessors (SMs) of a GPU.
#pragma once
#include "cost/throughput.h"
#include <optional>

namespace warplint {

class WarpsOnSms {
public:
  /// `warps` of the launch; none if only the run knows its grid: then
  /// `usualWarps` on each SM.
  WarpsOnSms(std::optional<double> warps, double warpsPerBlock,
             const Throughput &machine);

  bool isGridKnown() const { return isGridKnown_; }
  double all() const { return all_; }
  double blocks() const { return all_ / perBlock_; }
  double perBlock() const { return perBlock_; }
  /// The SMs that have a block, at least one.
  double smsUsed() const;
  /// The warps that each used SM executes, one after the other.
  double perSm() const { return all_ / smsUsed(); }
  /// The warps of such blocks that an SM has room for at once.
  double resident() const;
  /// The threads that an SM executes at once.
  double threadsAtOnce() const;
  /// How often an SM fills itself with `resident` warps.
  double fillings(double resident) const { return fillings(perSm(), resident); }
  double fillings() const { return fillings(resident()); }
  static double fillings(double warps, double resident);

  static constexpr double usualWarps = 256;
  /// The share of the warps that an SM can hold: registers often allow no more.
  static constexpr double residentShare = 0.75;
  /// That an SM of large GPUs holds (CUDA programming guide); others hold 16 to
  /// 24.
  static constexpr unsigned mostBlocks = 32;

private:
  const Throughput *machine_;
  double all_, perBlock_;
  bool isGridKnown_;
};

} // namespace warplint
