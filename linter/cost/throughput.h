// The throughput of one multiprocessor (SM) in a cycle, by compute capability.
//
// Instructions follow the CUDA programming guide's table "Throughput of native
// arithmetic instructions". Bandwidths are those of the card beside each row,
// divided by its SMs and its boost clock. Only the row of sm_90 was compared
// with measurements (docs/cost.md).
#pragma once
#include <string_view>

namespace warplint {

struct Throughput {
  unsigned capability; ///< 90 for sm_90
  double issue;        ///< warp instructions
  double doubles;      ///< lanes of FP64 instructions
  double special;      ///< lanes of XU instructions
  /// Lanes of comparisons and shifts, and of products of integers. On sm_90
  /// logic takes as long (H200, kernels/integer_pipes).
  double integers;
  double wavefronts;   ///< of L1: shared, global, local
  double sectors;      ///< between L2 and the SM
  double dramSectors;  ///< between the SM's share of DRAM and L2
  double gigahertz;    ///< its boost clock
  unsigned multiprocessors;
  unsigned warps; ///< that it holds at most
};

/// The row of the newest listed capability that is at most `capability`; the
/// oldest one for older ones.
const Throughput &throughputOf(unsigned capability);

/// Taken where no architecture is asked for.
constexpr unsigned usualCapability = 90;

/// 89 for "sm_89", 90 for "sm_90a"; `usualCapability` for other texts.
unsigned capabilityOf(std::string_view architecture);

/// Nanoseconds from one update of an address in L2 to the next: a float atomic
/// of all threads of the grid on one address (H100, kernels/contended-atomic).
constexpr double sameAddressNanoseconds = 1.756;

/// Nanoseconds from the start of one block to that of the next on the whole
/// GPU: empty kernels of 64 to 512 threads a block (H200).
constexpr double blockNanoseconds = 0.615;

} // namespace warplint
