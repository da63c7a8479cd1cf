// Constants that a loop reads by its counter, the same for all lanes.
#pragma once
#include "cost/frequency.h"
#include "cost/throughput.h"
#include "model/model.h"
#include <optional>
#include <vector>

namespace warplint {

/// The bytes of the table that an access leads into; 0 if they are unknown.
uint64_t bytesOfTable(const Kernel &kernel, const Access &access);

/// The part of a table in constant memory that a loop goes through.
struct ConstantWalk {
  LoopId loop = 0;  ///< stays a loop, and steps from element to element
  double bytes = 0; ///< that all its iterations step over
  double body = 0;  ///< that one iteration of the compiled loop steps over
};

/// The walk of an access whose address the counter of one loop alone moves on:
/// then ptxas mostly reads it through uniform registers, ULDC in the machine
/// code. Nothing for another access: what threads, blocks, data or the counters
/// of two loops index is loaded in another way, as is what some lanes leave
/// before others, and an unrolled loop has the constants as operands.
std::optional<ConstantWalk> constantWalk(const Kernel &kernel,
                                         const Access &access,
                                         Frequencies &frequencies);

/// By access, the cycles of an SM that each request waits for a part of such a
/// table, beside those of a constant that is there; 0 for others. `warps` and
/// `blocks`: of an SM at once.
///
/// H200, CUDA 13.0, kernels/constant_walks: a load by ULDC takes up to 28
/// cycles of 1.755 GHz; one loads two words, or a part of a record that has more. Warps
/// that walk in step need the same part; blocks that began at different times
/// throw out what the others need next. So it takes 4 blocks and more, of more
/// than 24 warps, and a table of more than 300 bytes; of loops that step over
/// 96 bytes and more at once, one of more than 2 KiB.
std::vector<double> cyclesOfWalks(const Kernel &kernel,
                                  Frequencies &frequencies, double warps,
                                  double blocks, const Throughput &machine);

} // namespace warplint
