// What a launch says about the work that its threads share.
#pragma once
#include "cost/kernel_time.h"

namespace warplint {

/// The costs of a shape in one of its launches alone.
ShapeCosts ofLaunch(const ShapeCosts &costs, const Launched &launch);

/// The most blocks of any launch; nothing if one of them is unknown. A launch
/// of known blocks by default may get others from the program's arguments.
std::optional<uint64_t> mostBlocks(const CostedKernel &costed);

/// Returns true if a statement that launches so many blocks launches another
/// known number as well, as a loop of the host does whose iterations have less
/// and less to do: few of its launches are as large.
bool launchesOtherGrids(uint64_t blocks, llvm::ArrayRef<Launched> launches);

/// Returns true if a loop of the user's has as many iterations as a size says
/// that no launch gives.
bool growsWithSizes(const CostedKernel &costed, const ShapeCosts &costs);

/// Returns true if the grid decides how often a thread repeats the loop.
bool stepsByGrid(const Kernel &kernel, LoopId loop);

/// Returns true if the threads of the grid share a loop.
bool sharesLoop(const Kernel &kernel);

/// Returns true if more threads could share what each one does now: a loop
/// whose iterations threads share already, or whose iterations do not go on
/// with one another's results but for sums.
bool canShareMore(const CostedKernel &costed, const ShapeCosts &costs);

/// What a launch of so few blocks saves if all SMs have work: more threads, or
/// the same ones in smaller blocks if more cannot share it.
Demand savedOnAllSms(const CostedKernel &costed, const ShapeCosts &costs,
                     uint64_t blocks);

/// The loop in which each thread by itself waits longest; none if threads have
/// iterations of their own in any loop.
std::optional<LoopId> loopOfEachThread(const CostedKernel &costed,
                                       const ShapeCosts &costs);

/// The numbers that a launch passes and another one of the kernel does not, or
/// that only the run knows there: "n = 4096". An end of a range is no such
/// number.
std::vector<std::string> ownArguments(const Kernel &kernel,
                                      const Launched &launch,
                                      llvm::ArrayRef<Launched> all);

} // namespace warplint
